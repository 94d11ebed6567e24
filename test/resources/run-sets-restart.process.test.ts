import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
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
  await first.ok('POST', '/v0/webhook', { body: { url: app.url } });
  const { task } = await first.ok('POST', '/v0/tasks', { body: { title: 'Many', type: 'STATIC' } });
  const lines = Array.from({ length: 1_000 }, (_, index) => `Question ${index}?\n`);
  const imported = await fetch(`${first.url}/v0/tasks/${task.id}/examples/import`, {
    method: 'POST',
    headers: { ...first.headers, 'content-type': 'text/csv' },
    body: `input\n${lines.join('')}`,
  });
  expect(imported.status, await imported.text()).toBe(200);
  const { data } = await first.ok('POST', '/v0/run-sets', {
    body: { taskIds: [task.id], examples: {}, repeat: 3 },
  });
  expect(data.tests).toEqual({ total: 3_000, open: 3_000 });
  await first.stop('SIGKILL');

  const second = await start();
  const count = async (): Promise<number> =>
    (await second.ok('GET', `/v0/tests?runId=${data.runIds.join(',')}&limit=1`)).pagination.total;
  await expect.poll(count, { timeout: 120_000 }).toBe(3_000);
  const cancelled = await second.ok('POST', `/v0/run-sets/${data.id}/cancel`);
  expect(cancelled.data).toMatchObject({ status: 'CANCELLED', tests: { total: 3_000, open: 0 } });
  await app.close();
}, 240_000);
