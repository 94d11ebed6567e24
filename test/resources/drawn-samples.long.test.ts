import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DrawQueueItemsBody, Reliability } from '../../src/api/generated/schema.ts';
import { saveEvals } from '../../src/evaluate/eval-store.ts';
import { besideServer } from '../support/beside-store.ts';
import { sharedServer, type TestServer } from '../support/server.ts';
import { evalOf, verdict } from '../support/stored-evals.ts';
import { applicationKey, storeRun, storeTask, storeTest } from '../support/stored-tests.ts';
import { annotating } from './annotation-support.ts';
import { judging } from './reliability-support.ts';

/** Ways to choose what a gate is measured on, each of which must not open it. */
let server: TestServer;
let tools: ReturnType<typeof judging>;
let their: ReturnType<typeof annotating>;
beforeEach(async () => {
  server = await sharedServer();
  tools = judging(server);
  their = annotating(server);
});

const criterion = (more: object = {}): Promise<string> =>
  tools.newDefinition({ isOverall: false, gate: { minKappa: 0.6 }, ...more });
const reliabilityOf = async (id: string): Promise<Reliability> =>
  (await server.ok('GET', `/v0/definitions/${id}/reliability`)).data;
const drawn = async (more: Partial<DrawQueueItemsBody> & { count: number }) =>
  their.draw({ queueId: (await their.queue()).id, ...more });

interface Judged {
  id: string;
  traceIds: string[];
  /** Verdicts of the judge, and of people, by trace. */
  passed: Map<string, boolean>;
  human: Map<string, boolean>;
}

/** Traces, one each second, on which a judge and people agree in two of four cases, as two coins do. */
async function coinFlips(count: number, more: object = {}): Promise<Judged> {
  const id = await criterion(more);
  const traceIds = await Promise.all(
    Array.from(
      { length: count },
      async (_, index) => (await their.traces(1, { timestamp: timeOf(index) }))[0] as string,
    ),
  );
  const passed = new Map(traceIds.map((traceId, index) => [traceId, index % 2 === 0]));
  const human = new Map(traceIds.map((traceId, index) => [traceId, index % 4 < 2]));
  tools.judge({ definitionId: id, traceIds, passed: [...passed.values()] });
  return { id, traceIds, passed, human };
}
const timeOf = (index: number): string => new Date(Date.UTC(2026, 0, 31, 12, 0, index)).toISOString();
const agree = ({ passed, human }: Judged, traceId: string): boolean =>
  passed.get(traceId) === human.get(traceId);
const say = ({ id, human }: Judged, traceIds: readonly string[]): void =>
  tools.say(
    ...traceIds.map((traceId) => ({
      traceId,
      verdict: human.get(traceId) as boolean,
      evalDefinitionId: id,
    })),
  );
const removeTrace = (traceId: string) => server.call('DELETE', `/v0/traces/${traceId}`);
const idsOf = (items: readonly { traceId: string }[]): string[] => items.map(({ traceId }) => traceId);

/** Rows of a table that the application has. */
const rowsOf = (table: string): object[] =>
  besideServer(server.folder, (database) =>
    database.all(
      `SELECT * FROM ${table} WHERE application = ?`,
      applicationKey(database, server.applicationId),
    ),
  );
const leftOf = (table: string): number => rowsOf(table).length;

describe('a draw', () => {
  it('within dates that leave something out is of a part, which counts for no gate and hides nothing', async () => {
    const judged = await coinFlips(72);
    const { id, traceIds } = judged;
    const chosen = traceIds.filter((traceId) => agree(judged, traceId));
    for (const traceId of chosen) {
      const time = timeOf(traceIds.indexOf(traceId));
      const items = await drawn({ count: 1, evalDefinitionId: id, startDate: time, endDate: time });
      expect(items).toMatchObject([{ traceId, selection: 'RANDOM_PART' }]);
    }
    say(judged, chosen);
    expect(await reliabilityOf(id)).toMatchObject({
      verdicts: { compared: 36, random: 0 },
      gate: { isValid: false, verdicts: 0 },
    });
    const all = await drawn({ count: 100, evalDefinitionId: id });
    expect(idsOf(all).toSorted()).toEqual(traceIds.toSorted());
    say(judged, traceIds);
    expect((await reliabilityOf(id)).gate).toMatchObject({ isValid: false, verdicts: 72 });
  });

  it('takes each trace of a part once for a queue', async () => {
    const [first, second] = (await their.traces(2, { timestamp: timeOf(0) })) as [string, string];
    await their.traces(1, { timestamp: timeOf(1) });
    const { id: queueId } = await their.queue();
    const part = { queueId, count: 1, endDate: timeOf(0) };
    const items = [...(await their.draw(part)), ...(await their.draw(part)), ...(await their.draw(part))];
    expect(idsOf(items).toSorted()).toEqual([first, second].toSorted());
    const [known] = await their.draw({ queueId, count: 3 });
    expect(known).toMatchObject({ selection: 'RANDOM' });
  });

  it('of everything there is counts, however little that is, and whatever its dates', async () => {
    const id = await criterion();
    const traceIds = await tools.traces(30);
    const passed = traceIds.map((_trace, index) => index % 2 === 0);
    tools.judge({ definitionId: id, traceIds, passed });
    const items = await drawn({
      count: 100,
      evalDefinitionId: id,
      startDate: '2026-01-01T00:00:00Z',
      endDate: '2099-01-01T00:00:00Z',
    });
    expect(items).toHaveLength(30);
    expect(new Set(items.map(({ selection }) => selection))).toEqual(new Set(['RANDOM']));
    tools.say(
      ...traceIds.map((traceId, i) => ({ traceId, verdict: passed[i] as boolean, evalDefinitionId: id })),
    );
    expect((await reliabilityOf(id)).gate).toMatchObject({ isValid: true, verdicts: 30 });
    expect(rowsOf('annotation_draw')).toMatchObject([
      { population: 30, offered: 30, drawn: 30, eval_definition_id: id },
    ]);
  });

  it.each(['taskId', 'runId', 'runSetId'] as const)('of one value of %s is of a part', async (name) => {
    const [taskId, runId, runSetId, other] = Array.from({ length: 4 }, () => randomUUID()) as [
      string,
      string,
      string,
      string,
    ];
    const definitionId = await criterion();
    const tests = [runId, other].map((run, index) => ({
      id: randomUUID(),
      run: { id: run, taskId: index === 0 ? taskId : randomUUID(), createdAt: 1 },
      status: 'COMPLETED' as const,
      createdAt: 1,
    }));
    const [inside] = (await Promise.all(
      tests.map(async ({ id }) => (await their.traces(1, { testId: id }))[0]),
    )) as [string];
    tools.inStore((database, application) => {
      for (const test of tests) {
        storeTask(database, application, test.run.taskId);
        storeRun(database, application, test.run);
        storeTest(database, application, test);
        saveEvals(database, { application, evals: [evalOf(test, definitionId, verdict(true))], at: 1 });
      }
      database.run(
        `INSERT INTO run_set (id, application, status, repeat, planned_tests, open_tests, created_at, modified_at)
         VALUES (?, ?, 'COMPLETED', 1, 1, 0, 1, 1)`,
        runSetId,
        application,
      );
      database.run('UPDATE run SET run_set_id = ? WHERE id = ?', runSetId, runId);
    });
    const value = { taskId, runId, runSetId }[name];
    const items = await drawn({ count: 9, evalDefinitionId: definitionId, [name]: value });
    expect(items).toMatchObject([{ traceId: inside, selection: 'RANDOM_PART' }]);
    const { status } = await server.call('POST', '/v0/human-annotation-queue-items/draw', {
      body: { queueId: (await their.queue()).id, count: 1, [name]: randomUUID() },
    });
    expect(status).toBe(404);
  });

  it('that names another definition, which judged a choice only, counts for that one, and hides nothing', async () => {
    const judged = await coinFlips(64);
    const { id, traceIds, passed } = judged;
    const other = await criterion();
    const chosen = traceIds.filter((traceId) => agree(judged, traceId));
    tools.judge({
      definitionId: other,
      traceIds: chosen,
      passed: chosen.map((traceId) => passed.get(traceId) as boolean),
    });
    const { id: queueId } = await their.queue();
    expect(await their.draw({ queueId, count: 100, evalDefinitionId: other })).toHaveLength(32);
    say(judged, chosen);
    expect((await reliabilityOf(id)).gate).toMatchObject({ isValid: false, verdicts: 0 });
    const all = await their.draw({ queueId, count: 100, evalDefinitionId: id });
    expect(idsOf(all).toSorted()).toEqual(traceIds.toSorted());
    expect((await reliabilityOf(other)).gate).toMatchObject({ awaited: 30 });
  });

  it.each<['version' | 'judge', { definitionVersion: number } | { judgeVersion: string }]>([
    ['version', { definitionVersion: 2 }],
    ['judge', { judgeVersion: 'another' }],
  ])('that names a definition offers nothing that only an earlier %s has judged', async (what, later) => {
    const { id, traceIds } = await coinFlips(8);
    if (what === 'version')
      await server.ok('PUT', `/v0/definitions/${id}`, {
        body: { globalConfig: { criterion: 'Is it polite?' } },
      });
    const body = { count: 100, evalDefinitionId: id };
    expect(await drawn(body)).toHaveLength(what === 'version' ? 0 : 8);
    const again = traceIds.slice(0, 3);
    const passed = [true, true, false];
    tools.judge({ definitionId: id, traceIds: again, passed }, later, Date.now());
    const items = await drawn({ ...body, allowRepeats: true });
    expect(idsOf(items).toSorted()).toEqual(again.toSorted());
    expect(items.every(({ selection }) => selection === 'RANDOM')).toBe(true);
    const strata = { failed: 0.5 };
    const two = await drawn({ count: 2, evalDefinitionId: id, allowRepeats: true, strata });
    expect(idsOf(two)).toContain(again[2]);
    expect((await reliabilityOf(id)).gate).toMatchObject({ awaited: 3 });
  });

  it('that names no definition counts with all others of its kind, so that no queue can be left unanswered', async () => {
    const judged = await coinFlips(64);
    const items: string[] = [];
    for (let n = 0; n < 64; n++) items.push(...idsOf(await drawn({ count: 1 })));
    const chosen = items.filter((traceId) => agree(judged, traceId));
    expect(chosen).toHaveLength(32);
    say(judged, chosen);
    expect((await reliabilityOf(judged.id)).gate).toMatchObject({ isValid: false, lastTest: null });
  });
});

describe('a gate that is not valid stays so', () => {
  /** All of the traces, drawn for the definition and judged by a person. */
  async function measured(count: number, more: object = {}): Promise<Judged> {
    const judged = await coinFlips(count, more);
    expect(await drawn({ count, evalDefinitionId: judged.id })).toHaveLength(count);
    return judged;
  }

  it('when the traces on which people disagree are deleted', async () => {
    const judged = await measured(64);
    say(judged, judged.traceIds);
    const before = await reliabilityOf(judged.id);
    expect(before.gate).toMatchObject({ isValid: false, verdicts: 64, lastTest: { verdicts: 60 } });
    for (const traceId of judged.traceIds.filter((one) => !agree(judged, one)))
      expect((await removeTrace(traceId)).status).toBe(204);
    expect((await reliabilityOf(judged.id)).gate).toEqual(before.gate);
    await expect.poll(() => leftOf('purge')).toBe(0);
    expect([leftOf('human_annotation'), leftOf('annotation_queue_item')]).toEqual([32, 32]);
    expect((await reliabilityOf(judged.id)).gate).toEqual(before.gate);
  });

  it('when they are deleted before a person judges them: what was lost counts as a disagreement', async () => {
    const judged = await measured(64);
    const [kept, lost] = [true, false].map((wanted) =>
      judged.traceIds.filter((traceId) => agree(judged, traceId) === wanted),
    ) as [string[], string[]];
    for (const traceId of lost) await removeTrace(traceId);
    say(judged, kept);
    expect((await reliabilityOf(judged.id)).gate).toMatchObject({
      isValid: false,
      verdicts: 64,
      lastTest: { verdicts: 60, isPassed: false },
      reason: expect.stringMatching(
        / 32 of them expired or were deleted before anyone judged them, and count as disagreements\.$/,
      ) as string,
    });
  });

  it('when verdicts are deleted: the sample is the same, and others do not replace it', async () => {
    const judged = await coinFlips(32);
    const unnamed = await drawn({ count: 32 });
    expect(unnamed).toHaveLength(32);
    const annotations = await Promise.all(
      judged.traceIds.map((traceId) =>
        their.annotation({
          traceId,
          evalDefinitionId: judged.id,
          verdict: judged.human.get(traceId),
          critique: 'It is as I say, and no other way.',
        }),
      ),
    );
    expect((await reliabilityOf(judged.id)).gate).toMatchObject({ lastTest: { verdicts: 30 } });
    for (const { id } of annotations) await server.call('DELETE', `/v0/human-annotations/${id}`);
    const fresh = await tools.traces(30);
    const passed = fresh.map((_trace, index) => index % 2 === 0);
    tools.judge({ definitionId: judged.id, traceIds: fresh, passed });
    const items = await drawn({ count: 30, evalDefinitionId: judged.id });
    expect(idsOf(items).toSorted()).toEqual(fresh.toSorted());
    tools.say(
      ...fresh.map((traceId, i) => ({
        traceId,
        verdict: passed[i] as boolean,
        evalDefinitionId: judged.id,
      })),
    );
    expect((await reliabilityOf(judged.id)).gate).toMatchObject({
      isValid: false,
      lastTest: null,
      verdicts: 30,
      awaited: 30,
    });
  });

  it('when the judge judges again until it agrees', async () => {
    const judged = await measured(64);
    say(judged, judged.traceIds);
    const { id: definitionId, traceIds, human } = judged;
    tools.judge({ definitionId, traceIds, passed: traceIds.map((traceId) => human.get(traceId) as boolean) });
    expect(await reliabilityOf(definitionId)).toMatchObject({
      agreement: { rate: 100 },
      gate: { isValid: false, lastTest: { verdicts: 60, isPassed: false } },
    });
  });
});

it('a valid gate survives the deletion of a trace, of which no text is left', async () => {
  const id = await criterion();
  const traceIds = await tools.traces(30);
  const passed = traceIds.map((_trace, index) => index % 2 === 0);
  tools.judge({ definitionId: id, traceIds, passed });
  await drawn({ count: 30, evalDefinitionId: id });
  for (const [index, traceId] of traceIds.entries())
    await their.annotation({
      traceId,
      evalDefinitionId: id,
      verdict: passed[index],
      critique: 'A secret that only this critique has.',
    });
  expect((await reliabilityOf(id)).gate).toMatchObject({ isValid: true });
  for (const traceId of traceIds.slice(0, 3)) await removeTrace(traceId);
  await expect.poll(() => leftOf('purge')).toBe(0);
  expect((await reliabilityOf(id)).gate).toMatchObject({ isValid: true, verdicts: 30 });
  const rows = ['deleted_item', 'deleted_verdict'].flatMap(rowsOf);
  expect(rows).toHaveLength(6);
  expect(JSON.stringify(rows)).not.toContain('secret');
});
