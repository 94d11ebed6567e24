import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  beginJudging,
  type EndedEval,
  endJudging,
  finishEvalWork,
  giveUpEvals,
} from '../../src/evaluate/engine/finish.ts';
import { markMetricsOfTest } from '../../src/evaluate/due-quality-metrics.ts';
import {
  checkEvals,
  planCompleteTest,
  planEvalsAgain,
  type WantedEval,
} from '../../src/evaluate/engine/plan.ts';
import { findEvalWork, findJudgeWork, wantedEvals } from '../../src/evaluate/engine/work.ts';
import type { AppliedDefinition, Verdict } from '../../src/evaluate/evaluator.ts';
import type { JudgeReply } from '../../src/evaluate/judge/call-record.ts';
import type { JudgeRecord } from '../../src/evaluate/judge/judges.ts';
import { EVALUATE, JUDGE } from '../../src/evaluate/target.ts';
import { claimJobs } from '../../src/jobs/claim.ts';
import { openLease } from '../../src/jobs/lease.ts';
import { queueKind } from '../../src/jobs/queue-kind.ts';
import { findTest, type TestHooks } from '../../src/tests/store.ts';
import { type SpanSpec, traceBytes, type Values } from '../support/spans.ts';
import { type Tenant, useStore } from '../support/storage.ts';
import { exampleIdOf, storeRun, storeTask, storeTest } from '../support/stored-tests.ts';

const AT = 1_800_000_000_000;
/** The jobs of a judge. */
const QUEUE_KIND = queueKind(JUDGE, 'first');
const PASSED: Verdict = {
  status: 'COMPLETED',
  score: 1,
  normalised: 1,
  passed: true,
  results: { a: 1 },
  reason: null,
};

const store = useStore();
let tenant: Tenant;
let testId: string;
let taskId: string;
/** What happened to tests. */
let told: string[] = [];
const hooks: TestHooks = {
  onTestEnded: [(_database, test) => void told.push(`ended ${test.testId}`)],
  onTestReopened: [(_database, test) => void told.push(`reopened ${test.testId}`)],
};
const testNow = (): { status: string | undefined; failure: string | undefined } => {
  const test = findTest(tenant.database, { application: tenant.application, testId });
  return { status: test?.status, failure: test?.failure?.code };
};

beforeEach(() => {
  tenant = store.newTenant();
  told = [];
  [testId, taskId] = [randomUUID(), randomUUID()];
  const { database, application } = tenant;
  const run = { id: randomUUID(), taskId, createdAt: AT };
  storeTask(database, application, taskId);
  storeRun(database, application, run);
  storeTest(database, application, {
    id: testId,
    run,
    status: 'IN_PROGRESS',
    phase: 'evaluating',
    createdAt: AT,
  });
});

interface DefinitionSpec {
  type?: string;
  status?: string;
  config?: object;
  expected?: string;
  styleGuide?: string;
}

const CONTAINS = { assertions: [{ type: 'contains', value: 'Paris' }] };

/** The id of a new definition that is linked to the task. */
function define(spec: DefinitionSpec = {}): string {
  const { type = 'ASSERT', status = 'ACTIVE', config = CONTAINS, expected, styleGuide } = spec;
  const id = randomUUID();
  const { database, application } = tenant;
  if (styleGuide !== undefined) setStyleGuide(id, styleGuide);
  database.run(
    `INSERT INTO definition (id, application, name, type, status, global_config, style_guide_id, version, repeats, created_at,
       modified_at) VALUES (?, ?, 'Definition', ?, ?, ?, ?, 1, 1, 0, 0)`,
    id,
    application,
    type,
    status,
    JSON.stringify(config),
    styleGuide === undefined ? null : id,
  );
  database.run(
    `INSERT INTO definition_link (application, definition_id, kind, target_id, config, created_at)
     VALUES (?, ?, 'task', ?, ?, 0)`,
    application,
    id,
    taskId,
    JSON.stringify(expected === undefined ? {} : { expected }),
  );
  return id;
}

const setStyleGuide = (id: string, content: string): number =>
  tenant.database.run(
    'INSERT OR REPLACE INTO style_guide (id, application, content, created_at, modified_at) VALUES (?, ?, ?, 0, 0)',
    id,
    tenant.application,
    JSON.stringify([{ heading: 'Tone', content }]),
  );

const says = (output: string, more: Values = {}): SpanSpec => ({
  id: 1,
  attributes: { 'service.test.id': testId, 'input.value': 'Capital?', 'output.value': output, ...more },
});

const target = (): { testId: string } => ({ testId });
const plan = (evals: readonly WantedEval[], force = false): number =>
  planEvalsAgain(
    tenant.database,
    { application: tenant.application, target: target(), evals, force, at: AT },
    hooks,
  );
const planFirst = (): number =>
  planCompleteTest(tenant.database, { application: tenant.application, testId, taskId, at: AT });
const work = () => {
  const [found] = findEvalWork(tenant.database, { application: tenant.application, targets: [target()] });
  if (!found) throw new Error('there is nothing to do');
  return found;
};
const wanted = (): WantedEval[] =>
  wantedEvals(tenant.database, { application: tenant.application, target: target(), hashes: true });

interface EvalRow {
  id: string;
  definition_id: string;
  definition_version: number;
  status: string;
  version: number;
  superseded: number;
  input_hash: string;
  trace_id: Buffer | null;
  passed: number | null;
  reason: string | null;
  judge: string | null;
  cost: number | null;
  input_tokens: number | null;
  output_tokens: number | null;
}
const evals = (): EvalRow[] =>
  tenant.database.all<EvalRow>(
    'SELECT * FROM eval WHERE application = ? ORDER BY definition_id, version',
    tenant.application,
  );
const jobs = (): string[] =>
  tenant.database
    .all<{ kind: string; key: string }>(
      'SELECT kind, key FROM job WHERE application = ? ORDER BY id',
      tenant.application,
    )
    .map(({ kind, key }) => `${kind} ${key}`);

/** Claims the job of a kind, as a runner does; its id. */
function claim(kind: string): number {
  const { database, application } = tenant;
  const lease = openLease(database, { now: AT, isShared: false });
  const claimed = claimJobs(database, {
    lease,
    now: AT,
    wanted: [{ kind, limit: 100, total: 100, perApplication: 100, perOrganisation: 100, lastServed: [] }],
  });
  const job = claimed.jobs.find((one) => one.application === application);
  if (!job) throw new Error('no such job waits');
  return job.id;
}

/** Does what the job of the test does, with this verdict for every rule. */
function evaluate(verdict: Verdict = PASSED): void {
  const jobId = claim(EVALUATE);
  const { deterministic, judged: toJudge } = work();
  const ended = deterministic.map(({ id, definition, inputHash }): EndedEval => {
    return { id, verdict, by: { definition, inputHash, record: null, latencyMs: 3 } };
  });
  const judged = toJudge.map(({ id }) => ({ id, kind: QUEUE_KIND }));
  const { database, application } = tenant;
  finishEvalWork(database, { application, jobId, target: target(), ended, judged, at: AT }, hooks);
}

describe('planning', () => {
  it('makes an eval of each definition that applies, and one job', () => {
    tenant.store([says('Paris')]);
    const ids = [define(), define({ type: 'CUSTOM', config: { criterion: 'Kind?' } })].toSorted();
    define({ status: 'DRAFT' });
    expect(planFirst()).toBe(2);
    expect(evals()).toMatchObject(
      ids.map((id) => ({
        definition_id: id,
        status: 'PENDING',
        version: 1,
        input_hash: '',
        trace_id: traceOne,
      })),
    );
    expect(jobs()).toEqual([`evaluate ${testId}`]);
  });

  it('plans nothing where nothing applies', () => {
    expect(planFirst()).toBe(0);
    expect(jobs()).toEqual([]);
  });

  it('of evals that wait or depend on the same makes none again, unless forced', () => {
    tenant.store([says('Paris')]);
    const [waiting, judged] = [define(), define()];
    planFirst();
    evaluate();
    tenant.database.run(`UPDATE eval SET status = 'PENDING' WHERE definition_id = ?`, waiting);
    expect(plan(wanted())).toBe(0);
    expect(plan(wanted(), true)).toBe(1);
    expect(evals().filter(({ definition_id: id }) => id === judged)).toMatchObject([
      { version: 1, superseded: 1, status: 'COMPLETED' },
      { version: 2, superseded: 0, status: 'PENDING' },
    ]);
    expect(told).toEqual([`ended ${testId}`, `reopened ${testId}`]);
    expect(testNow()).toMatchObject({ status: 'IN_PROGRESS' });
  });

  it('marks the metrics of a test that is judged again once', () => {
    tenant.store([says('Paris')]);
    define();
    planFirst();
    evaluate();
    const version = (): number =>
      tenant.database.get<{ version: number }>(
        `SELECT version FROM figure WHERE application = ? AND kind = 'task' AND id = ?`,
        tenant.application,
        taskId,
      )?.version ?? 0;
    const { database, application } = tenant;
    markMetricsOfTest(database, { application, testId });
    const before = version();
    const again = { application, target: target(), evals: wanted(), force: true, at: AT };
    expect(planEvalsAgain(database, again, { ...hooks, onTestReopened: [markMetricsOfTest] })).toBe(1);
    expect(version()).toBe(before + 1);
  });

  it('leaves a test alone that is not there, or of another application', () => {
    define();
    const { application } = store.newTenant();
    const args = { application, target: target(), evals: wanted(), force: true, at: AT };
    expect(planEvalsAgain(tenant.database, args, hooks)).toBe(0);
    expect(told).toEqual([]);
  });

  it('has late spans looked into only where something was judged', () => {
    const late = { application: tenant.application, testId, at: AT };
    checkEvals(tenant.database, late);
    expect(jobs()).toEqual([]);
    define();
    planFirst();
    tenant.database.run('DELETE FROM job WHERE application = ?', tenant.application);
    checkEvals(tenant.database, late);
    expect(jobs()).toEqual([`evaluate ${testId}`]);
  });
});

const traceOne = traceBytes(1);

describe('the hash of what a verdict depends on', () => {
  const hashAfter = (change: () => void, spec: DefinitionSpec = {}): [before: string, after: string] => {
    tenant.store([says('Paris')]);
    define({ expected: 'Paris', ...spec });
    const hash = (): string => wanted()[0]?.inputHash ?? '';
    const before = hash();
    expect(before).toMatch(/^[0-9a-f]{64}$/);
    change();
    return [before, hash()];
  };
  const sql = (text: string) => (): number => tenant.database.run(text, tenant.application);

  it.each<[what: string, change: () => void, spec?: DefinitionSpec]>([
    ['the output', () => tenant.store([says('Rome')])],
    ['the version of the definition', sql('UPDATE definition SET version = 2 WHERE application = ?')],
    [
      'what the link expects',
      sql(`UPDATE definition_link SET config = '{"expected":"Rome"}' WHERE application = ?`),
      { type: 'OUTPUT_MATCH', config: { type: 'string' } },
    ],
    [
      'what the style guide says',
      sql(`UPDATE style_guide SET content = '[{"heading":"Tone","content":"Cool."}]' WHERE application = ?`),
      { type: 'STYLE', config: {}, styleGuide: 'Warm.' },
    ],
  ])('changes with %s', (_what, change, spec) => {
    const [before, after] = hashAfter(change, spec);
    expect(after).not.toBe(before);
  });

  it.each<[what: string, change: () => void]>([
    ['a span that the evaluator does not look at', () => tenant.store([{ id: 2, parent: 1, name: 'flush' }])],
    [
      'the input, which the evaluator does not read',
      () => tenant.store([says('Paris', { 'input.value': 'Which?' })]),
    ],
    ['the name of the definition', sql(`UPDATE definition SET name = 'Other' WHERE application = ?`)],
  ])('is left alone by %s', (_what, change) => {
    const [before, after] = hashAfter(change);
    expect(after).toBe(before);
  });
});

describe('the work of a test', () => {
  it('is judged deterministically or by the judge, and reported when the last of it is done', () => {
    tenant.store([says('Paris')]);
    const [deterministic, judged] = [define(), define({ type: 'CUSTOM', config: { criterion: 'Kind?' } })];
    planFirst();
    evaluate();
    const [definition, asked] = [deterministic, judged].map(
      (id) => evals().find((row) => row.definition_id === id) as EvalRow,
    );
    expect(definition).toMatchObject({ status: 'COMPLETED', passed: 1, cost: null, input_tokens: null });
    expect(JSON.parse(definition?.judge ?? '')).toEqual({
      definition: {
        version: 1,
        name: 'Definition',
        type: 'ASSERT',
        config: CONTAINS,
        styleGuide: null,
        repeats: 1,
      },
    });
    expect(asked).toMatchObject({ status: 'PENDING' });
    expect(jobs()).toEqual([`judge:first ${asked?.id}`]);
    expect(told).toEqual([]);

    const waiting = judgeWork(asked?.id ?? '');
    begin(asked?.id ?? '', waiting);
    expect(evals().find(({ id }) => id === asked?.id)).toMatchObject({
      status: 'IN_PROGRESS',
      input_hash: waiting.inputHash,
    });
    const jobId = claim(QUEUE_KIND);
    const by = {
      definition: waiting.definition,
      inputHash: waiting.inputHash,
      record: RECORD,
      latencyMs: 30,
    };
    end(asked?.id ?? '', jobId, { id: asked?.id ?? '', verdict: PASSED, by });
    expect(evals().find(({ id }) => id === asked?.id)).toMatchObject({
      status: 'COMPLETED',
      cost: 0.75,
      input_tokens: 30,
      output_tokens: 5,
    });
    expect(jobs()).toEqual([]);
    expect(told).toEqual([`ended ${testId}`]);
    expect(testNow()).toEqual({ status: 'COMPLETED', failure: undefined });
  });

  it('names what has changed since, also of what is with the judge, and nothing that waits', () => {
    tenant.store([says('Paris')]);
    const judged = define({ type: 'CUSTOM', config: { criterion: 'Kind?' } });
    const appliedOnes = define();
    planFirst();
    evaluate();
    const asked = evals().find((row) => row.definition_id === judged) as EvalRow;
    tenant.store([says('Rome')]);
    expect(work().changed.map(({ definitionId }) => definitionId)).toEqual([appliedOnes]);
    begin(asked.id, judgeWork(asked.id));
    tenant.store([says('Oslo')]);
    const { changed } = work();
    expect(changed.map(({ definitionId }) => definitionId).toSorted()).toEqual(
      [judged, appliedOnes].toSorted(),
    );

    expect(plan(changed)).toBe(2);
    expect(findJudgeWork(tenant.database, { application: tenant.application, id: asked.id })).toEqual({
      state: 'unruled',
    });
    expect(work()).toMatchObject({
      changed: [],
      judged: [{ definition: { definitionId: judged } }],
      deterministic: [{ definition: { definitionId: appliedOnes } }],
    });
  });

  it.each<[what: string, change: () => void]>([
    [
      'its definition was archived',
      () => change(`UPDATE definition SET status = 'ARCHIVED' WHERE application = ?`),
    ],
    ['its definition was unlinked', () => change('DELETE FROM definition_link WHERE application = ?')],
    [
      'its test was cancelled',
      () =>
        change(`UPDATE test SET status = 'FAILED', failure = '{"code":"cancelled"}' WHERE application = ?`),
    ],
  ])('is not judged when %s', (_what, happen) => {
    tenant.store([says('Paris')]);
    define();
    define({ type: 'CUSTOM', config: { criterion: 'Kind?' } });
    planFirst();
    const ids = evals().map(({ id }) => id);
    happen();
    const { deterministic, judged, notApplicable, changed } = work();
    expect({ deterministic, judged, changed }).toEqual({ deterministic: [], judged: [], changed: [] });
    expect(notApplicable.toSorted()).toEqual(ids.toSorted());
    expect(findJudgeWork(tenant.database, { application: tenant.application, id: ids[0] ?? '' })).toEqual({
      state: 'unruled',
    });
  });

  it('is over when its trace was deleted meanwhile, and the test still ends', () => {
    tenant.store([says('Paris')]);
    define();
    planFirst();
    const jobId = claim(EVALUATE);
    const { deterministic } = work();
    tenant.delete(1);
    const [one] = deterministic;
    const by = one
      ? { definition: one.definition, inputHash: one.inputHash, record: null, latencyMs: 3 }
      : null;
    const ended: EndedEval[] = [{ id: one?.id ?? '', verdict: PASSED, by }];
    const { database, application } = tenant;
    finishEvalWork(database, { application, jobId, target: target(), ended, judged: [], at: AT }, hooks);
    expect(evals()).toMatchObject([
      { status: 'SKIPPED', reason: 'The trace was deleted.', passed: null, judge: null },
    ]);
    expect(testNow()).toEqual({ status: 'COMPLETED', failure: undefined });
  });

  it('is not passed to the judge when its trace was deleted meanwhile', () => {
    tenant.store([says('Paris')]);
    define({ type: 'CUSTOM', config: { criterion: 'Kind?' } });
    planFirst();
    const [waiting] = evals();
    const read = judgeWork(waiting?.id ?? '');
    tenant.delete(1);
    expect(begin(waiting?.id ?? '', read)).toBe(false);
    expect(evals()).toMatchObject([{ status: 'SKIPPED' }]);
  });

  it('is not passed to the judge when the trace of its baseline was deleted meanwhile', () => {
    const { database, application } = tenant;
    const baseline = { id: randomUUID(), taskId, createdAt: AT };
    const compared = randomUUID();
    storeRun(database, application, baseline);
    storeTest(database, application, {
      id: compared,
      run: baseline,
      status: 'COMPLETED',
      phase: 'done',
      exampleId: exampleIdOf(0),
      createdAt: AT,
    });
    change(`UPDATE test SET example_id = '${exampleIdOf(0)}' WHERE application = ?`);
    tenant.store([says('Paris')]);
    tenant.store([{ ...says('Rome', { 'service.test.id': compared }), trace: 2 }]);
    define({ type: 'PAIRWISE', config: { baselineRunIds: [baseline.id] } });
    planFirst();
    const [waiting] = evals();
    const read = judgeWork(waiting?.id ?? '');
    expect(read.definition).toMatchObject({ baseline: { testId: compared, output: 'Rome' } });
    tenant.delete(2);
    expect(begin(waiting?.id ?? '', read)).toBe(false);
  });
});

describe('the end of retries', () => {
  const giveUp = (of: { testId: string } | { id: string }, kind: string): void => {
    const { database, application } = tenant;
    giveUpEvals(
      database,
      {
        application,
        jobId: claim(kind),
        of,
        judgeKinds: [QUEUE_KIND],
        reason: 'It could not be done.',
        at: AT,
      },
      hooks,
    );
  };

  it('fails what waits, and says that nothing arrived of the test at all', () => {
    define();
    define();
    planFirst();
    giveUp({ testId }, EVALUATE);
    expect(evals()).toMatchObject([
      { status: 'FAILED', reason: 'It could not be done.' },
      { status: 'FAILED', reason: 'It could not be done.' },
    ]);
    expect(told).toEqual([`ended ${testId}`]);
    expect(testNow()).toEqual({ status: 'FAILED', failure: 'evaluation_error' });
    expect(jobs()).toEqual([]);
  });

  it('does not fail a test of which something else arrived', () => {
    tenant.store([says('Paris')]);
    define();
    define({ type: 'CUSTOM', config: { criterion: 'Kind?' } });
    planFirst();
    evaluate();
    const waiting = evals().find(({ status }) => status === 'PENDING');
    giveUp({ id: waiting?.id ?? '' }, QUEUE_KIND);
    expect(
      evals()
        .map(({ status }) => status)
        .toSorted(),
    ).toEqual(['COMPLETED', 'FAILED']);
    expect(told).toEqual([`ended ${testId}`]);
    expect(testNow()).toEqual({ status: 'COMPLETED', failure: undefined });
  });

  it('leaves what is on its way to the judge', () => {
    tenant.store([says('Paris')]);
    define({ type: 'CUSTOM', config: { criterion: 'Kind?' } });
    planFirst();
    evaluate();
    checkEvals(tenant.database, { application: tenant.application, testId, at: AT });
    giveUp({ testId }, EVALUATE);
    expect(evals()).toMatchObject([{ status: 'PENDING' }]);
    expect(told).toEqual([]);
  });
});

const change = (sql: string): number => tenant.database.run(sql, tenant.application);

interface Waiting {
  definition: AppliedDefinition;
  inputHash: string;
}
function judgeWork(id: string): Waiting {
  const found = findJudgeWork(tenant.database, { application: tenant.application, id });
  if (found.state !== 'waiting') throw new Error(`it is ${found.state}`);
  return found;
}
const begin = (id: string, { definition, inputHash }: Waiting): boolean =>
  beginJudging(tenant.database, { application: tenant.application, id, definition, inputHash, at: AT });
const end = (id: string, jobId: number, ended: EndedEval): void =>
  endJudging(tenant.database, { application: tenant.application, jobId, id, ended, at: AT }, hooks);

const replyOf = (repeat: number, usage: Pick<JudgeReply, 'inputTokens' | 'outputTokens' | 'cost'>) => ({
  raw: 'raw',
  model: 'm',
  fingerprint: null,
  latencyMs: 10,
  attempts: 1,
  repeat,
  promptHash: 'hash',
  ...usage,
});
const RECORD: JudgeRecord = {
  judge: 'default',
  provider: 'openai-compatible',
  baseUrl: 'http://127.0.0.1/v1',
  model: 'm',
  parameters: {
    temperature: 0,
    seed: null,
    maxOutputTokens: 100,
    structuredOutput: 'text',
    repeats: 3,
    rejected: [],
  },
  promptVersion: 4,
  promptHash: 'hash',
  judgeVersion: 'version',
  served: [{ model: 'm', fingerprint: null }],
  cut: [],
  repeats: [
    replyOf(0, { inputTokens: 10, outputTokens: 2, cost: 0.25 }),
    replyOf(1, { inputTokens: 20, outputTokens: 3, cost: 0.5 }),
    replyOf(2, { inputTokens: null, outputTokens: null, cost: null }),
  ],
  lost: [],
  agreement: 1,
};
