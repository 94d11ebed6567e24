import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { QueryReportBody } from '../../src/api/generated/schema.ts';
import type { SavedEval } from '../../src/evaluate/eval-record.ts';
import { saveEvals } from '../../src/evaluate/eval-store.ts';
import type { Run } from '../../src/resources/runs/contract.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { BASE_MS, uuid } from '../support/spans.ts';
import { evalOf, storeDefinition, verdict } from '../support/stored-evals.ts';
import { storeRun, type StoredRun, storeTask, storeTest } from '../support/stored-tests.ts';
import { judging } from './reliability-support.ts';

const TASK = uuid(0x1001);
const [RULE, ADVISORY] = [uuid(0x2001), uuid(0x2002)];
const VARIANT = uuid(0x3001);
/** Tests of a run; each of ten examples is tested twice. */
const TESTS = 20;

let server: TestServer;
/** Definition whose judge has a valid gate. It lets 18 of 20 pass that people let pass, and fails all that they fail. */
let gated: string;
let experiment: string;
let runs = 0;
beforeAll(async () => {
  server = await startServer();
  const { inStore, reported } = judging(server);
  const made = await server.call('POST', '/v0/experiments', { body: { title: 'E' } });
  experiment = (made.json as { data: { id: string } }).data.id;
  inStore((database, application) => {
    storeTask(database, application, TASK);
    storeDefinition(database, application, { id: RULE, name: 'Rule', type: 'ASSERT' });
    storeDefinition(database, application, { id: ADVISORY, name: 'Advisory' });
    database.run(
      `INSERT INTO experiment_variant (id, application, experiment_id, title, status, config_patch, created_at, modified_at)
       VALUES (?, ?, ?, 'V', 'COMPLETED', '{}', 0, 0)`,
      VARIANT,
      application,
      experiment,
    );
  });
  ({ id: gated } = await reported(18, 0, 2, 20));
  const gate = { gate: { minKappa: 0.5, minAnnotations: 30 } };
  await server.call('PUT', `/v0/definitions/${gated}`, { body: gate });
});
afterAll(() => server.close());

/** A run whose tests all pass the rule; by the others, this many of the first tests pass. Without a number, they did not judge. */
function judgedRun(
  { byGated, byAdvisory }: { byGated?: number; byAdvisory?: number },
  more: Partial<StoredRun> & { rule?: boolean; ofGated?: Partial<SavedEval> } = {},
): string {
  const { rule = true, ofGated = {}, ...ofRun } = more;
  const run = { id: uuid(0x5000 + runs++), taskId: TASK, createdAt: Date.now(), ...ofRun };
  judging(server).inStore((database, application) => {
    storeRun(database, application, run);
    for (let i = 0; i < TESTS; i++) {
      const test = { id: randomUUID(), run, status: 'COMPLETED', createdAt: run.createdAt } as const;
      storeTest(database, application, { ...test, exampleIndex: i % 10 });
      const evals: SavedEval[] = [];
      if (rule) evals.push(evalOf(test, RULE, verdict(true)));
      if (byGated !== undefined) evals.push(evalOf(test, gated, { ...verdict(i < byGated), ...ofGated }));
      if (byAdvisory !== undefined) evals.push(evalOf(test, ADVISORY, verdict(i < byAdvisory)));
      saveEvals(database, { application, evals, at: ofRun.createdAt ?? BASE_MS });
    }
  });
  return run.id;
}

async function read<T>(path: string, key: string): Promise<T> {
  const { json } = await server.call('GET', path);
  return (json as Record<string, T>)[key] as T;
}
const runOf = (id: string): Promise<Run> => read<Run>(`/v0/runs/${id}`, 'run');
const evalIn = (run: Run, id: string): Run['evals'][number] | undefined =>
  run.evals.find((one) => one.id === id);

describe('the pass rate of a run', () => {
  it('has all verdicts, and says by definition which are advisory', async () => {
    const run = await runOf(judgedRun({ byAdvisory: 5 }));
    expect(run.result).toMatchObject({ passed: 25, failed: 15, total: 40, passRate: 62.5 });
    expect(evalIn(run, ADVISORY)).toMatchObject({ passed: 5, total: 20, passRate: 25, isAdvisory: true });
    expect(evalIn(run, RULE)).toMatchObject({ isAdvisory: false, correctedPassRate: null });
  });

  it('is known if all verdicts are advisory', async () => {
    const run = await runOf(judgedRun({ byAdvisory: 5 }, { rule: false }));
    expect(run).toMatchObject({ result: { total: 20, passRate: 25 }, tests: { judged: 20 } });
  });

  it('is the same in the list and for a variant; a comparison leaves out advisory verdicts', async () => {
    const id = judgedRun(
      { byGated: 10, byAdvisory: 0 },
      { type: 'EXPERIMENT', experimentVariantId: VARIANT },
    );
    const { result, passRateInterval } = await runOf(id);
    expect(result).toMatchObject({ total: 60, passed: 30, passRate: 50 });
    expect((await read<Run[]>('/v0/runs?type=EXPERIMENT', 'data'))[0]).toMatchObject({ result });
    const variants = await read<object[]>(`/v0/experiments/${experiment}/variants`, 'data');
    expect(variants).toMatchObject([{ result, passRateInterval }]);
    const body = { baseline: { runIds: [id] }, candidates: [{ variantId: VARIANT }] };
    const { json } = await server.call('POST', '/v0/runs/compare', { body });
    expect(json).toMatchObject({ data: { baseline: { passRate: 75 } } });
  });
});

describe('a run of which another judge than the measured one gave some verdicts', () => {
  it('says so, and has no decisive verdict of it; verdicts that no model gave do not matter', async () => {
    const byMeasured = await runOf(judgedRun({ byGated: 15 }));
    expect(byMeasured).not.toHaveProperty('otherJudges');
    const id = await measured('v1');
    const mixed = async (judgeVersion: string | null): Promise<Run> =>
      runOf(judgedRun({ byGated: 15 }, { ofGated: { definitionId: id, judgeVersion }, createdAt: 1 }));
    expect(await mixed('v1')).not.toHaveProperty('otherJudges');
    expect(await mixed(null)).not.toHaveProperty('otherJudges');
    const other = await mixed('v2');
    expect(other.otherJudges).toEqual([id]);
    expect(evalIn(other, id)).toMatchObject({ isAdvisory: true, correctedPassRate: null });
  });
});

/** Returns a definition whose judge of this version has a valid gate. */
async function measured(judgeVersion: string): Promise<string> {
  const { newDefinition, traces, judge, say, draw } = judging(server);
  const id = await newDefinition();
  const traceIds = await traces(40);
  const passed = traceIds.map((_trace, index) => index % 2 === 0);
  judge({ definitionId: id, traceIds, passed }, { judgeVersion });
  say(...traceIds.map((traceId, index) => ({ traceId, verdict: passed[index] as boolean })));
  draw(traceIds);
  const body = { gate: { minKappa: 0.5, minAnnotations: 30 } };
  await server.call('PUT', `/v0/definitions/${id}`, { body });
  return id;
}

describe('the corrected pass rate', () => {
  it('stands beside the raw one in runs, comparisons, tasks and reports, and is the same', async () => {
    const id = judgedRun({ byGated: 15, byAdvisory: 20 });
    const shown = evalIn(await runOf(id), gated);
    expect(shown).toMatchObject({ passRate: 75, isAdvisory: false });
    // (0.75 + 1 − 1) ÷ (0.9 + 1 − 1), by Rogan and Gladen.
    expect(shown?.correctedPassRate).toMatchObject({ rate: 83.3333333333, isClamped: false });
    const corrected = shown?.correctedPassRate;
    expect(corrected?.low).toBeLessThan(75);
    expect(corrected?.high).toBeGreaterThan(90);

    const compared = { baseline: { runIds: [id] }, candidates: [{ runIds: [id] }] };
    const { json } = await server.call('POST', '/v0/runs/compare', { body: compared });
    expect(
      (json as { data: { candidates: [{ definitions: object[] }] } }).data.candidates[0].definitions,
    ).toContainEqual(
      expect.objectContaining({ id: gated, correctedBaseline: corrected, correctedCandidate: corrected }),
    );

    const report: QueryReportBody = {
      datasource: 'eval',
      filters: [{ column: 'run', operator: 'eq', value: id }],
      groupBy: [{ column: 'evalDefinition' }],
      measurements: [{ aggregation: 'passRate' }],
      withIntervals: true,
    };
    const { data } = await server.ok('POST', '/v0/reporting/query', { body: report });
    const rows = new Map(data.map((row) => [(row.groups['evalDefinition'] as { id: string }).id, row]));
    expect(rows.get(gated)).toMatchObject({ values: { passRate: 75 }, correctedPassRate: corrected });
    expect(rows.get(ADVISORY)?.correctedPassRate).toBeNull();
    expect(rows.get(RULE)?.correctedPassRate).toBeNull();
  });

  it('of a task is over all its tests that count', async () => {
    const task = uuid(0x1002);
    judging(server).inStore((database, application) => storeTask(database, application, task));
    judgedRun({ byGated: 15, byAdvisory: 1 }, { taskId: task });
    judgedRun({ byGated: 17, byAdvisory: 1 }, { taskId: task });
    const { judges } = await read<{ judges: { id: string }[] }>(`/v0/tasks/${task}`, 'task');
    expect(judges).toMatchObject(
      [
        { id: ADVISORY, isAdvisory: true, passed: 2, total: 40, passRate: 5, correctedPassRate: null },
        {
          id: gated,
          isAdvisory: false,
          passed: 32,
          total: 40,
          passRate: 80,
          correctedPassRate: { rate: 88.8888888889 },
        },
      ].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    );
  });

  it.each<[string, Partial<SavedEval>]>([
    ['an earlier version of the definition', { definitionVersion: 0 }],
    ['another judge', { judgeVersion: 'other' }],
  ])('is unknown when %s made the evals', async (_what, ofGated) => {
    const run = await runOf(judgedRun({ byGated: 15 }, { ofGated, createdAt: 1 }));
    expect(evalIn(run, gated)).toMatchObject({ passRate: 75, correctedPassRate: null });
  });
});
