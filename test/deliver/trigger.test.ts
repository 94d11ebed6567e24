import { beforeEach, describe, expect, it } from 'vitest';
import { type TriggerTasks, triggerTasks } from '../../src/deliver/trigger.ts';
import { AppError } from '../../src/errors.ts';
import type { SqlValue } from '../../src/storage/database.ts';
import { uuid } from '../support/spans.ts';
import { storeExamples } from '../support/stored-examples.ts';
import { type Tenant, useStore } from '../support/storage.ts';

const AT = 1_800_000_000_000;

const store = useStore();
let tenant: Tenant;
let tasks = 0;
beforeEach(() => {
  tenant = store.newTenant();
});

interface TaskSpec {
  title?: string;
  description?: string;
  status?: string;
  type?: string;
  inputExamples?: readonly string[];
  metadata?: unknown;
  promptSchema?: unknown;
}

/** The id of a new task. */
function newTask(spec: TaskSpec = {}, owner = tenant): string {
  const id = uuid(0x7a5c_0000 + tasks++);
  const { title = 'Task', description = '', status = 'ACTIVE', type = 'STATIC' } = spec;
  const { inputExamples = ['a', 'b', 'c'] } = spec;
  owner.database.run(
    `INSERT INTO task (id, application, title, description, type, status, metadata, simulated_prompt_schema,
       is_verified, created_at, modified_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0)`,
    id,
    owner.application,
    title,
    description,
    type,
    status,
    spec.metadata === undefined ? null : JSON.stringify(spec.metadata),
    spec.promptSchema === undefined ? null : JSON.stringify(spec.promptSchema),
  );
  storeExamples(owner.database, owner.application, id, inputExamples);
  return id;
}

const trigger = (taskIds: readonly string[], more: Partial<TriggerTasks> = {}) =>
  triggerTasks(tenant.database, {
    application: tenant.application,
    taskIds,
    repeat: 1,
    type: 'MANUAL',
    experiment: null,
    promptSeed: null,
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
    ['a task without examples', () => newTask({ description: 'Ask it.', inputExamples: [] }), 'conflict'],
    ['a task whose prompts a model writes', () => newTask({ type: 'NORMAL' }), 'conflict'],
    ['an archived task', () => newTask({ status: 'ARCHIVED' }), 'conflict'],
    ['a draft, which may be tried by hand', () => newTask({ status: 'DRAFT' }), null],
  ])('with %s starts all or nothing', (_what, other, code) => {
    const [good, questionable] = [newTask(), other()];
    expect(codeOf(() => trigger([good, questionable]))).toBe(code);
    const expected = code === null ? 2 : 0;
    for (const table of ['run', 'test', 'job', 'test_event']) expect(count(table)).toBe(expected);
  });

  it('tests each chosen example as often as requested', () => {
    const id = newTask();
    const ids = rows<{ id: string }>('SELECT id FROM example WHERE task_id = ? ORDER BY position', id);
    const [first, , last] = ids.map((row) => row.id);
    trigger([id], { repeat: 2, examples: { ids: [last ?? '', first ?? ''] } });
    expect(ofTenantTests("example_index || prompt || (example_id <> '') AS sent")).toEqual(
      ['0a1', '0a1', '2c1', '2c1'].map((sent) => ({ sent })),
    );
    expect(codeOf(() => trigger([id], { examples: { ids: [first ?? '', uuid(0xdead)] } }))).toBe('not_found');
    expect(codeOf(() => trigger([id], { examples: { splits: ['none'] } }))).toBe('conflict');
    expect(codeOf(() => trigger([id], { repeat: 5_000, examples: {} }))).toBe('bad_request');
  });

  it('starts ten thousand tests at most', () => {
    const taskIds = Array.from({ length: 101 }, () => newTask());
    expect(codeOf(() => trigger(taskIds, { repeat: 100 }))).toBe('bad_request');
    expect(count('run')).toBe(0);
  });
});

function ofTenantTests(columns: string): unknown[] {
  return rows(`SELECT ${columns} FROM test WHERE application = ? ORDER BY example_index`, tenant.application);
}
