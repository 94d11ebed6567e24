import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import type { Decision } from '../../src/api/generated/schema.ts';
import { rejudgeBaseline } from '../../src/cli/test-rejudge.ts';
import { createRule, createTaskOf } from '../resources/run-set-support.ts';
import { besideServer } from '../support/beside-store.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { applicationKey, storeRun, storeTest } from '../support/stored-tests.ts';

/** More than two calls judge again. */
const TESTS = 203;

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

it('all tests of a baseline are judged again, however many they are', async () => {
  const taskId = await createTaskOf(server, ['Many?'], [await createRule(server)]);
  const run = { id: randomUUID(), taskId, createdAt: Date.now() };
  besideServer(server.folder, (database) => {
    const application = applicationKey(database, server.applicationId);
    database.transaction(() => {
      storeRun(database, application, run);
      for (let n = 0; n < TESTS; n += 1) {
        // Of some, only the ids tell the order.
        const createdAt = run.createdAt - Math.floor(n / 10);
        storeTest(database, application, {
          id: randomUUID(),
          run,
          status: 'COMPLETED',
          phase: 'done',
          createdAt,
        });
      }
    });
  });
  let out = '';
  let judgedOtherwise = 1;
  await rejudgeBaseline(
    {
      api: createClient({
        baseUrl: server.url,
        apiKey: server.apiKey,
        applicationId: server.applicationId,
      }),
      url: server.url,
      signal: new AbortController().signal,
      onTrouble: () => {},
    },
    async () =>
      ({
        baselineRunIds: [run.id],
        comparison: { candidates: [{ judgedOtherwise: judgedOtherwise-- }] },
      }) as unknown as Decision,
    { out: (text: string) => Boolean((out += text)), err: () => true, isTerminal: false } as never,
  );
  expect(out).toMatch(/^Judges the baseline again/);
  const { pagination } = await server.ok('GET', `/v0/evals?runId=${run.id}&limit=1`);
  expect(pagination.total).toBe(TESTS);
});
