import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RunSet } from '../../src/api/generated/schema.ts';
import { ChildServer, newPresets } from '../support/child-server.ts';
import { hang, startCustomerApp } from '../support/customer-app.ts';

let dataDir: string;
const servers: ChildServer[] = [];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'touchstone-'));
});
afterEach(async () => {
  for (const server of servers) await server.stop('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

it('a run set of more tests than one command starts continues after a kill, with what it has fixed', async () => {
  const presets = newPresets();
  const start = async (): Promise<ChildServer> => {
    const server = await ChildServer.start({ dataDir, presets });
    servers.push(server);
    return server;
  };
  const app = await startCustomerApp();
  app.behave(hang);
  const first = await start();
  const call = async <T>(server: ChildServer, method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(server.url + path, {
      method,
      headers: { ...server.headers, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await response.json()) as T;
  };
  await call(first, 'POST', '/v0/webhook', { url: app.url });
  const inputExamples = Array.from({ length: 1_000 }, (_, index) => `Question ${index}?`);
  const { task } = await call<{ task: { id: string } }>(first, 'POST', '/v0/tasks', {
    title: 'Many',
    type: 'STATIC',
    inputExamples,
  });
  const { data } = await call<{ data: RunSet }>(first, 'POST', '/v0/run-sets', {
    taskIds: [task.id],
    examples: {},
    repeat: 3,
  });
  expect(data.tests).toEqual({ total: 3_000, open: 3_000 });
  await first.stop('SIGKILL');

  const second = await start();
  const count = async (): Promise<number> =>
    (
      await call<{ pagination: { total: number } }>(
        second,
        'GET',
        `/v0/tests?runId=${data.runIds.join(',')}&limit=1`,
      )
    ).pagination.total;
  await expect.poll(count, { timeout: 120_000 }).toBe(3_000);
  const cancelled = await call<{ data: RunSet }>(second, 'POST', `/v0/run-sets/${data.id}/cancel`);
  expect(cancelled.data).toMatchObject({ status: 'CANCELLED', tests: { total: 3_000, open: 0 } });
  await app.close();
}, 240_000);
