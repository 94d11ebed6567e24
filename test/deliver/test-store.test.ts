import { beforeEach, describe, expect, it } from 'vitest';
import { DELIVERY_ATTRIBUTE } from '../../src/deliver/delivery-span.ts';
import { testSpans } from '../../src/deliver/test-spans.ts';
import type { TestState } from '../../src/deliver/test-state.ts';
import {
  advanceTest,
  cancelTest,
  dueTests,
  type EndedTest,
  findLivingTest,
  type LivingTest,
} from '../../src/deliver/test-store.ts';
import { type TriggerTasks, triggerTasks } from '../../src/deliver/trigger.ts';
import { AppError } from '../../src/errors.ts';
import type { SqlValue } from '../../src/storage/sqlite/database.ts';
import { MS, type SpanSpec, uuid } from '../support/spans.ts';
import { type Tenant, useStore } from '../support/storage.ts';

const AT = 1_800_000_000_000;

const store = useStore();
let tenant: Tenant;
let tasks = 0;
/** The ends of tests that were told. */
let ended: EndedTest[] = [];
beforeEach(() => {
  tenant = store.newTenant();
  ended = [];
});
const onTestEnded = (_database: unknown, test: EndedTest): void => {
  ended.push(test);
};

interface TaskSpec {
  title?: string;
  description?: string;
  status?: string;
  inputExamples?: readonly string[];
  metadata?: unknown;
  promptSchema?: unknown;
}

/** The id of a new task. */
function newTask(spec: TaskSpec = {}, owner = tenant): string {
  const id = uuid(0x7a5c_0000 + tasks++);
  const { title = 'Task', description = '', status = 'ACTIVE', inputExamples = ['a', 'b', 'c'] } = spec;
  owner.database.run(
    `INSERT INTO task (id, application, title, description, type, status, input_examples, metadata, simulated_prompt_schema,
       is_verified, created_at, modified_at) VALUES (?, ?, ?, ?, 'STATIC', ?, ?, ?, ?, 0, 0, 0)`,
    id,
    owner.application,
    title,
    description,
    status,
    JSON.stringify(inputExamples),
    spec.metadata === undefined ? null : JSON.stringify(spec.metadata),
    spec.promptSchema === undefined ? null : JSON.stringify(spec.promptSchema),
  );
  return id;
}

const trigger = (taskIds: readonly string[], more: Partial<TriggerTasks> = {}) =>
  triggerTasks(tenant.database, {
    application: tenant.application,
    taskIds,
    repeat: 1,
    type: 'MANUAL',
    experiment: null,
    at: AT,
    ...more,
  }).runs;

const rows = <Row>(sql: string, ...values: SqlValue[]): Row[] => tenant.database.all<Row>(sql, ...values);
const ofTenant = <Row>(table: string, columns: string): Row[] =>
  rows<Row>(`SELECT ${columns} FROM ${table} WHERE application = ? ORDER BY rowid`, tenant.application);
const count = (table: string): number =>
  rows<{ n: number }>(`SELECT count(*) AS n FROM ${table} WHERE application = ?`, tenant.application)[0]?.n ??
  0;

function codeOf(work: () => unknown): string | null {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

describe('a trigger', () => {
  it('makes a run for each task and the tests of each run, which take the examples in turn', () => {
    const [one, two] = [newTask(), newTask({ inputExamples: ['only'] })];
    const started = trigger([one, two], { repeat: 4 });
    expect(started.map(({ taskId, testIds }) => [taskId, testIds.length])).toEqual([
      [one, 4],
      [two, 4],
    ]);
    const prompts = started.map(({ testIds }) =>
      testIds.map(
        (id) =>
          rows<{ text: string }>('SELECT example_index || prompt AS text FROM test WHERE id = ?', id)[0]
            ?.text,
      ),
    );
    expect(prompts).toEqual([
      ['0a', '1b', '2c', '0a'],
      ['0only', '0only', '0only', '0only'],
    ]);
  });

  it('leaves each test waiting to be delivered, in a trace of its own', () => {
    const [run] = trigger([newTask()], { repeat: 3 });
    const tests = rows<{ id: string; state: string; trace: string }>(
      `SELECT id, run_type || ' ' || status || ' ' || phase AS state, hex(trace_id) AS trace FROM test WHERE run_id = ?`,
      run?.runId ?? '',
    );
    expect(new Set(tests.map(({ id }) => id))).toEqual(new Set(run?.testIds));
    expect(tests.map(({ state }) => state)).toEqual(Array(3).fill('MANUAL PENDING queued'));
    expect(new Set(tests.map(({ trace }) => trace)).size).toBe(3);
    const jobs = rows<{ key: string; due: number }>(
      `SELECT key, due_at AS due FROM job WHERE application = ? AND kind = 'deliver' AND state = 'waiting' ORDER BY id`,
      tenant.application,
    );
    expect(jobs).toEqual(run?.testIds.map((key) => ({ key, due: AT })));
    expect(ofTenant('test_event', 'test_id AS id, at, phase')).toEqual(
      run?.testIds.map((id) => ({ id, at: AT, phase: 'queued' })),
    );
  });

  it('takes a task that is named twice once', () => {
    const id = newTask();
    expect(trigger([id, id])).toHaveLength(1);
    expect(count('test')).toBe(1);
  });

  it.each<[string, TaskSpec, object]>([
    [
      'the description where there are no examples',
      { description: 'Ask it.', inputExamples: [] },
      { prompt: 'Ask it.', example: null },
    ],
    [
      'the title where there is nothing else',
      { title: 'Greets', description: ' ', inputExamples: [] },
      { prompt: 'Greets', example: null },
    ],
    ['the metadata of the task', { metadata: { a: [1] } }, { metadata: '{"a":[1]}' }],
    [
      'the object of an example, where the task has a schema',
      { inputExamples: ['{ "q": 1 }'], promptSchema: { type: 'object' } },
      { prompt: '{ "q": 1 }', object: '{"q":1}' },
    ],
    ['no object where the task has no schema', { inputExamples: ['{ "q": 1 }'] }, { object: null }],
    [
      'no object where the example is none',
      { inputExamples: ['hello'], promptSchema: {} },
      { prompt: 'hello', object: null },
    ],
  ])('sends %s', (_what, task, expected) => {
    trigger([newTask(task)]);
    const [test] = ofTenantTests('prompt, example_index AS example, metadata, prompt_object AS object');
    expect(test).toMatchObject(expected);
  });

  it('keeps what its tests are an experiment of', () => {
    const experiment = {
      experimentId: uuid(1),
      experimentVariantId: uuid(2),
      overrides: { step: { model: 'm' } },
    };
    const [run] = trigger([newTask()], { type: 'EXPERIMENT', experiment });
    const [test] = ofTenantTests(
      'experiment, experiment_id AS e, experiment_variant_id AS v, run_type AS type',
    );
    expect(test).toEqual({
      experiment: JSON.stringify(experiment),
      e: uuid(1),
      v: uuid(2),
      type: 'EXPERIMENT',
    });
    expect(rows('SELECT type, experiment_variant_id AS v FROM run WHERE id = ?', run?.runId ?? '')).toEqual([
      { type: 'EXPERIMENT', v: uuid(2) },
    ]);
  });

  it.each<[string, () => string, string | null]>([
    ['an unknown task', () => uuid(0xdead), 'not_found'],
    ["another application's task", () => newTask({}, store.newTenant()), 'not_found'],
    ['an archived task', () => newTask({ status: 'ARCHIVED' }), 'conflict'],
    ['a draft, which may be tried by hand', () => newTask({ status: 'DRAFT' }), null],
  ])('with %s starts all or nothing', (_what, other, code) => {
    const [good, questionable] = [newTask(), other()];
    expect(codeOf(() => trigger([good, questionable]))).toBe(code);
    const expected = code === null ? 2 : 0;
    for (const table of ['run', 'test', 'job', 'test_event']) expect(count(table)).toBe(expected);
  });

  it('starts ten thousand tests at most', () => {
    const taskIds = Array.from({ length: 101 }, () => newTask());
    expect(codeOf(() => trigger(taskIds, { repeat: 100 }))).toBe('bad_request');
    expect(count('run')).toBe(0);
  });
});

function ofTenantTests(columns: string): unknown[] {
  return rows(`SELECT ${columns} FROM test WHERE application = ?`, tenant.application);
}

function newTest(): LivingTest {
  const [run] = trigger([newTask()]);
  return living(run?.testIds[0] ?? '');
}

function living(id: string): LivingTest {
  return findLivingTest(tenant.database, tenant.application, id) as LivingTest;
}

function advance(
  seen: LivingTest,
  next: Partial<TestState>,
  checkAt: number | null,
  at = AT + 1_000,
): boolean {
  const state = { ...seen, ...next };
  return advanceTest(tenant.database, { seen, next: { state, checkAt }, at }, onTestEnded);
}

const details = (id: string): string[] =>
  rows<{ text: string }>(
    `SELECT phase || ': ' || detail AS text FROM test_event WHERE test_id = ? ORDER BY id`,
    id,
  ).map(({ text }) => text);
const checkAt = (id: string): unknown =>
  rows('SELECT check_at AS at, modified_at AS modified FROM test WHERE id = ?', id)[0];

const DELIVERED = { status: 'IN_PROGRESS', phase: 'delivered', deliveredAt: AT } as const;
const MISSING = { code: 'trace_missing', message: 'No trace.', hint: 'Send one.' } as const;

describe('a test that advances', () => {
  it('has its new state, when to be looked at, and a line that says what happened', () => {
    const test = newTest();
    expect(advance(test, DELIVERED, AT + 5_000)).toBe(true);
    expect(living(test.id)).toMatchObject(DELIVERED);
    expect(checkAt(test.id)).toEqual({ at: AT + 5_000, modified: AT + 1_000 });
    expect(details(test.id)).toEqual([
      'queued: The test was started.',
      'delivered: The webhook was answered 200.',
    ]);
  });

  it('tells its whole story', () => {
    const { id } = newTest();
    const steps: Partial<TestState>[] = [
      DELIVERED,
      { status: 'FAILED', phase: 'done', failure: MISSING },
      { status: 'IN_PROGRESS', phase: 'trace_received', failure: null },
      { status: 'COMPLETED', phase: 'done' },
    ];
    for (const step of steps) advance(living(id), step, null);
    expect(details(id).slice(2)).toEqual([
      'done: trace_missing: No trace.',
      'trace_received: A span came late; the test goes on.',
      'done: The trace is complete.',
    ]);
    expect(living(id)).toMatchObject({ status: 'COMPLETED', failure: null });
  });

  it('is not modified by being looked at in vain', () => {
    const test = newTest();
    advance(test, {}, AT + 9_000);
    expect(checkAt(test.id)).toEqual({ at: AT + 9_000, modified: AT });
    expect(details(test.id)).toHaveLength(1);
  });

  it('stays as it is when something happened to it meanwhile', () => {
    const seen = newTest();
    cancelTest(tenant.database, { application: tenant.application, id: seen.id, at: AT }, onTestEnded);
    expect(advance(seen, DELIVERED, AT + 5_000)).toBe(false);
    expect(living(seen.id)).toMatchObject({ status: 'FAILED', failure: { code: 'cancelled' } });
    expect(checkAt(seen.id)).toMatchObject({ at: null });
  });

  it('tells of each of its ends, and of nothing else', () => {
    const { id } = newTest();
    const end = { application: tenant.application, testId: id, experimentVariantId: null };
    advance(living(id), DELIVERED, null, AT + 1);
    expect(ended).toEqual([]);
    const seen = living(id);
    advance(seen, { status: 'FAILED', phase: 'done', failure: MISSING }, null, AT + 2);
    expect(ended).toEqual([
      { ...end, taskId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string, at: AT + 2 },
    ]);
    advance(seen, { status: 'COMPLETED', phase: 'done' }, null, AT + 3);
    advance(living(id), {}, AT + 9_000, AT + 4);
    expect(ended).toHaveLength(1);
    advance(living(id), { status: 'COMPLETED', phase: 'done', failure: null }, null, AT + 5);
    expect(ended.slice(1)).toEqual([{ ...end, taskId: ended[0]?.taskId, at: AT + 5 }]);
  });

  it('is looked at for spans that came meanwhile, whatever was meant for it', () => {
    const seen = newTest();
    tenant.store([{ id: 1, attributes: { 'service.test.id': seen.id } }], { at: AT + 500 });
    advance(seen, DELIVERED, AT + 600_000);
    expect(checkAt(seen.id)).toMatchObject({ at: AT + 500 });
  });
});

describe('the tests to be looked at', () => {
  it('are those whose time has come, the longest waiting first, and no more than asked for', () => {
    const ids = [30, 10, 20, 40, null].map((after) => {
      const test = newTest();
      advance(test, {}, after === null ? null : after);
      return test.id;
    });
    const due = (now: number, limit: number) => {
      const { tests, nextAt } = dueTests(tenant.database, { now, limit });
      return { tests: tests.map(({ id }) => ids.indexOf(id)), nextAt };
    };
    expect(due(30, 10)).toEqual({ tests: [1, 2, 0], nextAt: 40 });
    expect(due(30, 2)).toEqual({ tests: [1, 2], nextAt: 30 });
    expect(due(9, 10)).toEqual({ tests: [], nextAt: 10 });
  });
});

describe('cancelling', () => {
  const cancel = (id: string, application = tenant.application): string | null =>
    codeOf(() => cancelTest(tenant.database, { application, id, at: AT + 7 }, onTestEnded));

  it.each<[string, Partial<TestState>]>([
    ['a test that waits', {}],
    ['a test under way', { status: 'IN_PROGRESS', phase: 'delivering' }],
    ['a delivered test', DELIVERED],
    ['a test of unknown delivery', { status: 'IN_PROGRESS', phase: 'delivering', unknownSince: AT }],
  ])('ends %s for good', (_which, before) => {
    const test = newTest();
    advance(test, before, AT + 9_000);
    expect(cancel(test.id)).toBeNull();
    expect(living(test.id)).toMatchObject({
      status: 'FAILED',
      phase: 'done',
      failure: { code: 'cancelled' },
      unknownSince: null,
    });
    expect(checkAt(test.id)).toEqual({ at: null, modified: AT + 7 });
    expect(details(test.id).at(-1)).toBe('done: cancelled: The test was cancelled.');
    expect(count('job')).toBe(0);
  });

  it.each<[string, Partial<TestState>]>([
    ['a completed test', { status: 'COMPLETED', phase: 'done' }],
    ['a failed test', { status: 'FAILED', phase: 'done', failure: MISSING }],
  ])('is refused for %s', (_which, before) => {
    const test = newTest();
    advance(test, before, null);
    const events = details(test.id);
    expect(cancel(test.id)).toBe('conflict');
    expect(living(test.id)).toMatchObject(before);
    expect(details(test.id)).toEqual(events);
  });

  it("finds no unknown test, and no other application's", () => {
    const test = newTest();
    expect(cancel(uuid(0xdead))).toBe('not_found');
    expect(cancel(test.id, store.newTenant().application)).toBe('not_found');
    expect(living(test.id).status).toBe('PENDING');
  });
});

describe('the spans of a test', () => {
  const DELIVERY = { [DELIVERY_ATTRIBUTE]: 'attempt' };

  it.each<[string, (id: string) => SpanSpec[], { count: number; hasRoot: boolean }]>([
    ['none', () => [], { count: 0, hasRoot: false }],
    ['a root', (id) => [{ id: 1, attributes: { 'service.test.id': id } }], { count: 1, hasRoot: true }],
    [
      'a root and its child, which need not name the test',
      (id) => [
        { id: 1, attributes: { 'service.test.id': id } },
        { id: 2, parent: 1 },
      ],
      { count: 2, hasRoot: true },
    ],
    [
      'an orphan',
      (id) => [{ id: 2, parent: 1, attributes: { 'service.test.id': id } }],
      { count: 1, hasRoot: false },
    ],
    [
      'an orphan with a parent in another process',
      (id) => [{ id: 2, parent: 1, flags: 0x300, attributes: { 'service.test.id': id } }],
      { count: 1, hasRoot: true },
    ],
    [
      'our delivery alone, which is no sign of the app',
      (id) => [{ id: 9, attributes: { 'service.test.id': id, ...DELIVERY } }],
      { count: 0, hasRoot: false },
    ],
    [
      'our delivery and what the app did below it',
      (id) => [
        { id: 9, attributes: { 'service.test.id': id, ...DELIVERY } },
        { id: 1, parent: 9 },
        { id: 2, parent: 1 },
      ],
      { count: 2, hasRoot: true },
    ],
    [
      'spans of another test in the same trace',
      (id) => [
        { id: 1, attributes: { 'service.test.id': uuid(5) } },
        { id: 2, parent: 1, attributes: { 'service.test.id': id } },
        { id: 3, start: MS, attributes: { 'service.test.id': uuid(5) } },
      ],
      { count: 1, hasRoot: false },
    ],
    [
      'spans in two traces',
      (id) => [
        { trace: 1, id: 1, attributes: { 'service.test.id': id } },
        { trace: 2, id: 1, attributes: { 'service.test.id': id } },
      ],
      { count: 2, hasRoot: true },
    ],
  ])('are counted: %s', (_which, specs, expected) => {
    const { id } = newTest();
    tenant.store(specs(id), { at: AT + 500 });
    const spans = testSpans(tenant.database, { test: living(id) });
    expect(spans).toEqual({ ...expected, lastAt: expected.count === 0 ? null : AT + 500 });
  });

  it("are not another application's, though they name the test", () => {
    const test = newTest();
    const other = store.newTenant();
    other.store([{ id: 1, attributes: { 'service.test.id': test.id } }], { at: AT + 500 });
    expect(testSpans(tenant.database, { test: living(test.id) })).toEqual({
      count: 0,
      hasRoot: false,
      lastAt: null,
    });
    expect(living(test.id).lastSpanAt).toBeNull();
    expect(checkAt(test.id)).toMatchObject({ at: null });
  });
});
