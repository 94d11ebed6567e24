import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STEP_TESTS, triggerInSteps } from '../../src/deliver/trigger-in-steps.ts';
import { rewriteTrace } from '../../src/ingest/rewrite-trace.ts';
import { commands } from '../../src/operations.ts';
import type { Database } from '../../src/storage/sqlite/database.ts';
import { BASE_MS, PRICES, traceBytes, uuid } from '../support/spans.ts';
import { type Folder, openDatabase, temporaryFolder, Tenant } from '../support/storage.ts';

/** No command changes more rows, whatever the store holds. A row takes the writer about 20 µs. */
const MAX_ROWS = 6_000;
const ROWS = 13_000;

const [application, applicationId, orgId] = [1, randomUUID(), randomUUID()];
const owner = { application, applicationId, orgId };
const [topicId, tagId] = [randomUUID(), randomUUID()];
const taskIds = Array.from({ length: ROWS }, () => randomUUID());

let folder: Folder;
let database: Database;
let changed: number[] = [];

/** Runs a command as the writer does, and notes how many rows it changed. */
function run(name: keyof typeof commands, args: unknown): unknown {
  const changes = (): number => database.get<{ n: number }>('SELECT total_changes() AS n')?.n ?? Number.NaN;
  const before = changes();
  const command = commands[name] as unknown as (database: Database, args: unknown) => unknown;
  const result = database.connection.transaction(() => command(database, args))();
  changed.push(changes() - before);
  return result;
}

function repeat(name: keyof typeof commands, args: unknown): void {
  while (run(name, args));
}

const count = (sql: string): number => database.get<{ n: number }>(sql)?.n ?? Number.NaN;

beforeAll(() => {
  folder = temporaryFolder();
  database = openDatabase(folder.file('store.db'));
  database.connection.transaction(() => {
    database.run('INSERT INTO organisation VALUES (?, 1)', orgId);
    database.run(
      `INSERT INTO application (application, id, org_id, title, slug, description, context, language, type, environment,
         human_annotation_enabled, created_at, modified_at) VALUES (1, ?, ?, '', 'one', '', '', '', '', '', 1, 1, 1)`,
      applicationId,
      orgId,
    );
    database.run(
      `INSERT INTO topic (id, application, title, status, is_tasks_verified, is_documents_verified,
         is_knowledge_base_verified, is_policies_verified, created_at, modified_at)
       VALUES (?, 1, 'topic', 'ACTIVE', 0, 0, 0, 0, 1, 1)`,
      topicId,
    );
    database.run(`INSERT INTO tag VALUES (?, 1, 'tag', '#fff', NULL, 'ACTIVE', 1, 1)`, tagId);
    for (const id of taskIds) {
      database.run(
        `INSERT INTO task (id, application, title, description, type, status, input_examples, topic_id, is_verified,
           created_at, modified_at) VALUES (?, 1, 'task', '', 'STATIC', 'ACTIVE', '["a","b","c"]', ?, 0, 1, 1)`,
        id,
        topicId,
      );
      database.run(`INSERT INTO task_schedule VALUES (?, 1, 'HIGH', NULL, 'UTC', 1, 1, NULL)`, id);
      database.run('INSERT INTO task_tag VALUES (1, ?, ?)', id, tagId);
    }
  })();
});

afterAll(() => {
  database.connection.close();
  folder[Symbol.dispose]();
});

describe('no command changes more than a bounded number of rows', () => {
  const cases: [name: string, work: () => Promise<void> | void][] = [
    [
      'starting as many tests as one request may',
      async () => {
        const write = async (name: 'triggerTasks' | 'checkTrigger', args: unknown) => run(name, args);
        const args = { application, type: 'MANUAL', experiment: null, at: BASE_MS } as const;
        const many = { ...args, taskIds: taskIds.slice(0, 100), repeat: 50 };
        const runs = await triggerInSteps(write as never, many);
        expect(runs.map(({ taskId }) => taskId)).toEqual(taskIds.slice(0, 100));
        const [one] = await triggerInSteps(write as never, {
          ...args,
          taskIds: [taskIds[0] ?? ''],
          repeat: 1_300,
        });
        expect(new Set(one?.testIds).size).toBe(1_300);
        const ofRun = `SELECT count(*) AS n FROM test WHERE run_id = '${one?.runId}'`;
        expect(count(ofRun)).toBe(1_300);
        // The examples of the task take turns over all steps.
        expect(count(`${ofRun} AND example_index = 2`)).toBe(433);
        expect(Math.max(...changed)).toBeLessThanOrEqual(STEP_TESTS * 3 + 100);
      },
    ],
    [
      'spreading missed schedules, and running those that are due',
      () => {
        repeat('catchUpSchedules', { startedAt: BASE_MS });
        expect(count(`SELECT count(*) AS n FROM task_schedule WHERE next_run_at <= ${BASE_MS}`)).toBe(0);
        run('runDueSchedules', { now: BASE_MS * 2 });
      },
    ],
    [
      'deleting a tag of many tasks',
      () => {
        repeat('removeTagFromTasks', { application, id: tagId });
        run('deleteTag', { application, id: tagId });
        expect(count('SELECT count(*) AS n FROM task_tag')).toBe(0);
      },
    ],
    [
      'archiving a topic with many tasks',
      () => {
        repeat('archiveTasksOfTopic', { owner, id: topicId, at: BASE_MS });
        run('archiveTopic', { owner, id: topicId, at: BASE_MS });
        expect(count(`SELECT count(*) AS n FROM task WHERE status <> 'ARCHIVED'`)).toBe(0);
        expect(count('SELECT count(next_run_at) AS n FROM task_schedule')).toBe(0);
      },
    ],
    [
      'rewriting and deleting a trace of many spans and tests',
      () => {
        const tenant = new Tenant(database, application);
        for (let batch = 0; batch < 14; batch++) {
          tenant.store(
            Array.from({ length: 1_000 }, (_, i) => ({
              id: batch * 1_000 + i + 1,
              attributes: i === 0 ? { 'service.test.id': uuid(batch + 1) } : {},
            })),
          );
        }
        tenant.store([{ id: 1, name: 'replaced' }]);
        const tkey = tenant.tkey(1) ?? -1;
        const steps = rewriteTrace(tkey, PRICES, BASE_MS);
        let step = steps.next();
        while (!step.done) step = steps.next(run(step.value.name, step.value.args));
        expect(step.value).toBe('done');
        expect(tenant.read(1)).toMatchObject({ spanCount: 14_000, flags: ['replaced'] });

        run('deleteTrace', { application, traceIds: [traceBytes(1)], at: BASE_MS });
        expect(tenant.read(1)).toBeNull();
        repeat('purgeTrace', { tkey });
        for (const table of ['span', 'chunk', 'purge', 'purge_test']) {
          expect([table, tenant.count(table, tkey)]).toEqual([table, 0]);
        }
      },
    ],
  ];
  it.each(cases)('%s', async (_name, work) => {
    changed = [];
    await work();
    expect(changed.length).toBeGreaterThan(1);
    expect(Math.max(...changed)).toBeLessThanOrEqual(MAX_ROWS);
  });
});

it('no command compiles the JSON Schemas of a definition', () => {
  const value = { type: 'a schema that cannot be compiled' };
  const globalConfig = { assertions: [{ type: 'is-json', value }] };
  const fields = {
    name: 'x',
    type: 'ASSERT',
    status: 'ACTIVE',
    globalConfig,
    styleGuideId: null,
    repeats: 1,
  };
  const id = randomUUID();
  run('createDefinition', { owner, id, fields: { ...fields, quickstartId: null }, at: BASE_MS });
  run('updateDefinition', {
    owner,
    id,
    given: { globalConfig: { ...globalConfig, threshold: 1 } },
    at: BASE_MS,
  });
  expect(count(`SELECT version AS n FROM definition WHERE id = '${id}'`)).toBe(2);
});
