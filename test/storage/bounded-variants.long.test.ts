import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StartedRun } from '../../src/deliver/trigger.ts';
import { START_VARIANT } from '../../src/resources/experiments/run-variant.ts';
import { startVariantsKind } from '../../src/resources/experiments/start-variants.ts';
import type { Variant } from '../../src/resources/experiments/variant-contract.ts';
import { getVariant } from '../../src/resources/experiments/variant-read.ts';
import { CommandMeter, storeOwner } from '../support/command-meter.ts';
import { type Folder, openDatabase, temporaryFolder } from '../support/storage.ts';
import { storeTask } from '../support/stored-tests.ts';

const TASKS = 40;
const REPEAT = 30;
const [experimentId, id] = [randomUUID(), randomUUID()];
const AT = 1_000_000;

let folder: Folder;
let meter: CommandMeter;
let owner: ReturnType<typeof storeOwner>;
let taskIds: string[];

beforeEach(() => {
  folder = temporaryFolder();
  meter = new CommandMeter(openDatabase(folder.file('store.db')));
  const { database } = meter;
  owner = storeOwner(database);
  taskIds = Array.from({ length: TASKS }, () => randomUUID());
  for (const taskId of taskIds) storeTask(database, 1, taskId);
  database.run(
    `INSERT INTO experiment (id, application, title, description, status, inference_step_ids, task_ids, created_at,
       modified_at) VALUES (?, 1, 'Experiment', '', 'BASELINE_PENDING', '[]', ?, 1, 1)`,
    experimentId,
    JSON.stringify(taskIds),
  );
  database.run(
    `INSERT INTO experiment_variant (id, application, experiment_id, title, status, config_patch, created_at, modified_at)
     VALUES (?, 1, ?, 'Variant', 'DRAFT', '{"step":{"model":"small"}}', 1, 1)`,
    id,
    experimentId,
  );
});
afterEach(() => {
  meter.database.connection.close();
  folder[Symbol.dispose]();
});

interface Step {
  runs: StartedRun[];
  hasMore: boolean;
}
const begin = (): Step & { variant: Variant } =>
  meter.run('runVariant', { owner, experimentId, id, repeat: REPEAT, at: AT }) as Step & { variant: Variant };
const goOn = (): Step => meter.run('startVariantTests', { application: 1, id, at: AT }) as Step;
const variant = (): Variant => getVariant(meter.database, { owner, experimentId, id });
const tests = (): number => meter.count('SELECT count(*) AS n FROM test');
const failAll = (): void => {
  for (const test of meter.database.all<{ id: string }>(`SELECT id FROM test WHERE status = 'PENDING'`))
    meter.run('cancelTest', { application: 1, id: test.id, at: AT });
};
/** Runs the job that a later process finds. */
const runJob = (attempt = 1): Promise<void> => {
  const kind = startVariantsKind({ write: meter.write, now: () => AT })[START_VARIANT];
  const progress = { waits: async () => undefined, begins: async () => undefined, ends: () => undefined };
  const job = { id: 1, application: 1, kind: START_VARIANT, key: id, attempt, cuts: 1 };
  return kind?.run(job, new AbortController().signal, progress) ?? Promise.reject(new Error('no such kind'));
};
const jobs = (): number => meter.count(`SELECT count(*) AS n FROM job WHERE kind = '${START_VARIANT}'`);

describe('running a variant with many tests', () => {
  it('starts them by bounded commands, and shows all of them from the first one on', () => {
    const first = begin();
    expect(first.variant).toMatchObject({ status: 'RUNNING', progress: { completed: 0, total: 1_200 } });
    expect([first.hasMore, jobs()]).toEqual([true, 1]);
    const runs = [...first.runs];
    for (let hasMore = true; hasMore; ) {
      expect(variant().progress.total).toBe(1_200);
      const step = goOn();
      runs.push(...step.runs);
      ({ hasMore } = step);
    }
    expect([tests(), jobs(), variant().progress.total]).toEqual([1_200, 0, 1_200]);
    expect(Math.max(...meter.changed)).toBeLessThanOrEqual(500 * 3 + TASKS + 4);
    // Each task has one run, with tests that take its two examples in turn, also where two commands started them.
    expect(new Set(runs.map(({ runId }) => runId)).size).toBe(TASKS);
    expect(
      meter.count(
        `SELECT count(*) AS n FROM (SELECT 1 FROM test GROUP BY run_id, task_id
           HAVING count(*) = ${REPEAT} AND sum(example_index) = ${REPEAT / 2})`,
      ),
    ).toBe(TASKS);
    expect(meter.count('SELECT count(DISTINCT experiment) AS n FROM test')).toBe(1);
  });

  it('ends it with the last test, not with those that are started so far', () => {
    begin();
    failAll();
    expect(variant()).toMatchObject({ status: 'RUNNING', progress: { completed: 500, total: 1_200 } });
    goOn();
    goOn();
    expect(variant().status).toBe('RUNNING');
    failAll();
    expect(variant()).toMatchObject({ status: 'FAILED', progress: { completed: 1_200, total: 1_200 } });
  });

  it('ends it when all tests were over before the last command', () => {
    begin();
    goOn();
    failAll();
    meter.database.run('DELETE FROM task WHERE id NOT IN (SELECT task_id FROM test)');
    goOn();
    meter.database.run(`UPDATE task SET status = 'ARCHIVED'`);
    failAll();
    expect(variant().status).toBe('FAILED');
  });

  it('is completed by a later process, also when a task was archived or deleted meanwhile', async () => {
    begin();
    meter.database.run(`UPDATE task SET status = 'ARCHIVED' WHERE id = ?`, taskIds[38] ?? '');
    meter.database.run('DELETE FROM task WHERE id = ?', taskIds[39] ?? '');
    await runJob();
    expect([tests(), variant().progress.total]).toEqual([1_170, 1_170]);
    failAll();
    expect(variant().status).toBe('FAILED');
  });

  it('does with the tests that were started after too many attempts', async () => {
    begin();
    await runJob(11);
    expect([tests(), variant().progress.total]).toEqual([500, 500]);
    failAll();
    expect(variant().status).toBe('FAILED');
  });

  it('stores few tests with each command when their texts are long', () => {
    meter.database.run(
      `UPDATE example SET status = CASE WHEN position = 0 THEN 'ACTIVE' ELSE 'ARCHIVED' END`,
    );
    meter.database.run('UPDATE example SET prompt = ?', 'x'.repeat(190_000));
    let { hasMore } = begin();
    for (let steps = 0; hasMore && steps < 5; steps++) ({ hasMore } = goOn());
    expect(hasMore).toBe(true);
    expect(Math.max(...meter.changed)).toBeLessThanOrEqual(80);
  });
});
