import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertDelivery, interruptedDeliveries } from '../../src/deliver/delivery-store.ts';
import { STEP_TESTS } from '../../src/deliver/trigger.ts';
import { triggerInSteps } from '../../src/deliver/trigger-in-steps.ts';
import { rewriteTrace } from '../../src/ingest/rewrite-trace.ts';
import { enqueueJob } from '../../src/jobs/store.ts';
import type { SqliteDatabase } from '../../src/storage/sqlite/database.ts';
import { CommandMeter } from '../support/command-meter.ts';
import { BASE_MS, PRICES, traceBytes, uuid } from '../support/spans.ts';
import { storeExamples } from '../support/stored-examples.ts';
import { type Folder, openDatabase, temporaryFolder, Tenant } from '../support/storage.ts';

/** No command changes more rows, whatever the store holds. A row takes the writer about 20 µs. */
const MAX_ROWS = 6_000;
/** One command must not change all of them, nor all spans of a trace. */
const ROWS = MAX_ROWS + 1_000;

const [application, applicationId, orgId] = [1, randomUUID(), randomUUID()];
const owner = { application, applicationId, orgId };
const topicId = randomUUID();
const taskIds = Array.from({ length: ROWS }, () => randomUUID());

let folder: Folder;
let database: SqliteDatabase;
let meter: CommandMeter;

beforeAll(() => {
  folder = temporaryFolder();
  database = openDatabase(folder.file('store.db'));
  meter = new CommandMeter(database);
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
    for (const id of taskIds) {
      database.run(
        `INSERT INTO task (id, application, title, description, type, status, topic_id, is_verified,
           created_at, modified_at) VALUES (?, 1, 'task', '', 'STATIC', 'ACTIVE', ?, 0, 1, 1)`,
        id,
        topicId,
      );
      storeExamples(database, 1, id, ['a', 'b', 'c']);
      database.run(`INSERT INTO task_schedule VALUES (?, 1, 'HIGH', NULL, 'UTC', 1, 1, NULL)`, id);
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
        const args = {
          application,
          type: 'MANUAL',
          experiment: null,
          promptSeed: null,
          at: BASE_MS,
        } as const;
        const many = { ...args, taskIds: taskIds.slice(0, 100), repeat: 50 };
        const runs = await triggerInSteps(meter.write, many);
        expect(runs.map(({ taskId }) => taskId)).toEqual(taskIds.slice(0, 100));
        const [one] = await triggerInSteps(meter.write, {
          ...args,
          taskIds: [taskIds[0] ?? ''],
          repeat: 1_300,
        });
        expect(new Set(one?.testIds).size).toBe(1_300);
        const ofRun = `SELECT count(*) AS n FROM test WHERE run_id = '${one?.runId}'`;
        expect(meter.count(ofRun)).toBe(1_300);
        // The examples of the task take turns over all steps.
        expect(meter.count(`${ofRun} AND example_index = 2`)).toBe(433);
        expect(Math.max(...meter.changed)).toBeLessThanOrEqual(STEP_TESTS * 3 + 100);
      },
    ],
    [
      'moving the jobs of a lane that the process does not have',
      () => {
        database.connection.transaction(() => {
          for (let key = 0; key < ROWS; key++)
            enqueueJob(database, { application, kind: 'judge:gone', key: `${key}`, dueAt: 1, at: 1 });
        })();
        meter.run('openLease', { now: BASE_MS, isShared: false });
        meter.repeat('leaveQueues', { kinds: ['judge', 'judge:kept'] });
        expect(meter.count(`SELECT count(*) AS n FROM job WHERE kind = 'judge'`)).toBe(ROWS);
        expect(meter.count(`SELECT count(*) AS n FROM job WHERE kind = 'judge:gone'`)).toBe(0);
      },
    ],
    [
      'closing deliveries that an earlier process left open',
      () => {
        database.connection.transaction(() => {
          for (let test = 0; test < 1_300; test++)
            insertDelivery(database, {
              id: randomUUID(),
              application,
              testId: `${test}`,
              attempt: 1,
              isSample: false,
              replayOf: null,
              url: 'http://app',
              spanId: Buffer.alloc(8),
              requestHeaders: {},
              requestBody: Buffer.alloc(1),
              sentAt: test,
            });
        })();
        let closed = 0;
        for (;;) {
          const interrupted = interruptedDeliveries(database, { isShared: false, at: BASE_MS });
          if (interrupted.length === 0) break;
          meter.run('recoverDeliveries', { interrupted, isShared: false, at: BASE_MS });
          closed += interrupted.length;
        }
        expect(closed).toBe(1_300);
        expect(meter.changed).toEqual([500, 500, 300]);
      },
    ],
    [
      'spreading missed schedules, and running those that are due',
      () => {
        meter.repeat('catchUpSchedules', { startedAt: BASE_MS });
        expect(meter.count(`SELECT count(*) AS n FROM task_schedule WHERE next_run_at <= ${BASE_MS}`)).toBe(
          0,
        );
        meter.run('runDueSchedules', { now: BASE_MS * 2 });
      },
    ],
    [
      'archiving a topic with many tasks',
      () => {
        meter.repeat('archiveTasksOfTopic', { owner, id: topicId, at: BASE_MS });
        meter.run('archiveTopic', { owner, id: topicId, at: BASE_MS });
        expect(meter.count(`SELECT count(*) AS n FROM task WHERE status <> 'ARCHIVED'`)).toBe(0);
        expect(meter.count('SELECT count(next_run_at) AS n FROM task_schedule')).toBe(0);
      },
    ],
    [
      'deleting a trace with many tests, annotations and items of queues',
      () => {
        const tenant = new Tenant(database, application);
        tenant.store([{ trace: 2, id: 1 }]);
        const tkey = tenant.tkey(2) ?? -1;
        const traceId = traceBytes(2);
        database.connection.transaction(() => {
          for (let row = 0; row < ROWS; row++) {
            database.run('INSERT INTO trace_test VALUES (1, ?, ?, 1, 0)', randomBytes(16), tkey);
            database.run(
              `INSERT INTO human_annotation (id, application, trace_id, verdict, annotator_id, source, created_at,
                 modified_at) VALUES (?, 1, ?, 1, 'me', 'TRACE_PAGE', 1, 1)`,
              randomUUID(),
              traceId,
            );
            database.run(
              `INSERT INTO annotation_queue_item (id, application, queue_id, trace_id, selection, expires_at, created_at)
               VALUES (?, 1, 'queue', ?, 'MANUAL', 2, 1)`,
              randomUUID(),
              traceId,
            );
          }
        })();
        meter.run('deleteTrace', { application, traceIds: [traceId], at: BASE_MS });
        expect(tenant.read(2)).toBeNull();
        meter.repeat('purgeTrace', { tkey });
        expect(tenant.count('trace_test', tkey) + tenant.count('purge', tkey)).toBe(0);
        for (const table of ['human_annotation', 'annotation_queue_item'])
          expect([table, meter.count(`SELECT count(*) AS n FROM ${table}`)]).toEqual([table, 0]);
      },
    ],
    [
      'rewriting and deleting a trace of many spans and tests',
      () => {
        const tenant = new Tenant(database, application);
        for (let batch = 0; batch < ROWS / 1_000; batch++) {
          tenant.store(
            Array.from({ length: 1_000 }, (_, i) => ({
              id: batch * 1_000 + i + 1,
              attributes: { 'service.test.id': uuid(batch * 1_000 + i + 1) },
            })),
          );
        }
        tenant.store([{ id: 1, name: 'replaced' }]);
        const tkey = tenant.tkey(1) ?? -1;
        const steps = rewriteTrace(tkey, PRICES, BASE_MS);
        let step = steps.next();
        while (!step.done) step = steps.next(meter.run(step.value.name, step.value.args));
        expect(step.value).toBe('done');
        expect(tenant.read(1)).toMatchObject({ spanCount: ROWS, flags: ['replaced'] });

        meter.run('deleteTrace', { application, traceIds: [traceBytes(1)], at: BASE_MS });
        expect(tenant.read(1)).toBeNull();
        meter.repeat('purgeTrace', { tkey });
        for (const table of ['span', 'chunk', 'purge', 'trace_test']) {
          expect([table, tenant.count(table, tkey)]).toEqual([table, 0]);
        }
      },
    ],
  ];
  it.each(cases)('%s', async (_name, work) => {
    meter.changed = [];
    await work();
    expect(meter.changed.length).toBeGreaterThan(1);
    expect(Math.max(...meter.changed)).toBeLessThanOrEqual(MAX_ROWS);
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
  meter.run('createDefinition', { owner, id, fields: { ...fields, quickstartId: null }, at: BASE_MS });
  meter.run('updateDefinition', {
    versions: null,
    owner,
    id,
    given: { globalConfig: { ...globalConfig, threshold: 1 } },
    at: BASE_MS,
  });
  expect(database.get('SELECT version FROM definition WHERE id = ?', id)).toEqual({ version: 2 });
});
