import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { apiRoutes, type RouteDeps } from '../../src/api/routes.ts';
import { COPYING_ACTIONS } from '../../src/people/audit-store.ts';
import { run } from '../support/process.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type Folder, temporaryFolder } from '../support/storage.ts';
import { erasing } from './erasure-support.ts';

let server: TestServer;
let elsewhere: Folder;
beforeAll(async () => {
  server = await startServer({});
  elsewhere = temporaryFolder();
});
afterAll(async () => {
  await server.close();
  elsewhere[Symbol.dispose]();
});
const { send, erase } = erasing(() => server);

it('names the backups, exports and snapshots that were made before, and what it cannot know', async () => {
  await send(1, { 'user.id': 'hana', 'input.value': 'a private question' });
  const file = join(elsewhere.path, 'monday.backup');
  expect(await run(['backup', file, '--data-dir', server.folder])).toMatchObject({ code: 0, stderr: '' });
  for (const path of ['/v0/traces/export', '/v0/tests/export'])
    expect((await server.call('GET', path)).status).toBe(200);
  writeFileSync(join(server.folder, 'touchstone.db.before-34'), 'as a migration leaves it');

  const { copies, completedAt } = await erase({ userId: 'hana' });
  expect(copies?.total).toBe(4);
  expect(copies?.data.map(({ kind, name }) => `${kind} ${name}`).toSorted()).toEqual([
    'BACKUP monday.backup',
    'EXPORT downloadTests',
    'EXPORT downloadTraces',
    'SNAPSHOT touchstone.db.before-34',
  ]);
  expect(copies?.data.find(({ kind }) => kind === 'BACKUP')).toMatchObject({ createdBy: 'Command line' });
  for (const { createdAt } of copies?.data ?? []) expect(createdAt <= String(completedAt)).toBe(true);
  expect(copies?.notListed).toContain('Not known');
});

it('does not name what was made after it, or by another application', async () => {
  const { headers } = await server.newTenant();
  expect((await server.call('GET', '/v0/traces/export', { headers })).status).toBe(200);
  const before = await erase({ userId: 'nobody' });
  expect((await server.call('GET', '/v0/traces/export')).status).toBe(200);
  const after = await erase({ userId: 'nobody' });
  expect(after.copies?.total).toBe((before.copies?.total ?? 0) + 1);
  const { json } = await server.call('GET', `/v0/erasures/${before.id}`);
  expect(json).toMatchObject({ data: { copies: { total: before.copies?.total } } });
});

it('has an entry in the audit log for each export and backup', async () => {
  const { text } = await server.call('GET', '/v0/audit?action=downloadTraces&action=backup');
  expect(text).toContain('"downloadTraces"');
  expect(text).toContain('"monday.backup"');
});

it('is printed by the command with the copies that were made before', async () => {
  const ended = await run([
    'erase',
    '--user',
    'nobody',
    '--application-id',
    server.applicationId,
    '--data-dir',
    server.folder,
  ]);
  expect(ended).toMatchObject({ code: 0 });
  expect(ended.stdout).toContain('monday.backup');
  expect(ended.stdout).toContain('touchstone.db.before-34');
});

it('counts every route that streams a file as an export', () => {
  const routes = apiRoutes({ config: {} } as RouteDeps).filter(({ response }) => response === 'stream');
  const exports = Object.entries(COPYING_ACTIONS).filter(([, kind]) => kind === 'EXPORT');
  expect(exports.map(([action]) => action).toSorted()).toEqual(
    routes.map(({ operationId }) => operationId).toSorted(),
  );
});
