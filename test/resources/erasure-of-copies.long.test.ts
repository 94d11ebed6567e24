import { createHash } from 'node:crypto';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { judging, SETTINGS } from '../e2e/judging-support.ts';
import { type CustomerApp, startCustomerApp } from '../support/customer-app.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { erasing } from './erasure-support.ts';

let server: TestServer;
let app: CustomerApp;
beforeAll(async () => {
  server = await startServer({ config: SETTINGS });
  app = await startCustomerApp();
  await server.call('POST', '/v0/webhook', { body: { url: app.url } });
});
afterAll(async () => {
  await server.close();
  await app.close();
});
const { saying, trigger, over, read } = judging(() => server);
const { send, request, completed, erase, filesWith } = erasing(() => server);

it('leaves no text of a trace, of what was copied from it or of the id in any file, once it is completed', async () => {
  const [user, secret] = ['erin-4711', 'Where is the blue heron of Erin?'];
  const traceId = await send(1, {
    'user.id': user,
    'input.value': secret,
    'output.value': `${secret} There.`,
  });
  const made = await server.call('POST', `/v0/traces/${traceId}/example`, { body: {} });
  expect(made.text).toContain('taskId');
  const { taskId } = (made.json as { data: { taskId: string } }).data;
  await server.call('PUT', `/v0/tasks/${taskId}`, { body: { status: 'ACTIVE' } });
  app.behave(saying(secret));
  const test = await over(await trigger(taskId));
  for (const filter of [{ userId: [user] }, { q: [`user:${user} errors:yes`] }, { q: ['errors:yes'] }]) {
    const view = { screen: 'traces', name: JSON.stringify(filter), filter };
    expect((await server.call('POST', '/v0/views', { body: view })).status).toBe(201);
  }
  const issue = await server.ok('POST', '/v0/issues', {
    body: { source: 'API', title: 'Wrong place', match: `user:"${user}" errors:yes` },
  });
  expect(filesWith(secret)).not.toEqual([]);

  const receipt = await erase({ userId: user });
  expect(filesWith(secret, user)).toEqual([]);
  expect(receipt).toMatchObject({
    pendingFor: null,
    counts: { examples: 1, tests: 1, tasks: 1, views: 3 },
  });
  expect((await server.ok('GET', `/v0/issues/${issue.data.id}`)).data).toMatchObject({
    title: 'Wrong place',
    match: null,
  });
  expect(await read(test.id)).toMatchObject({ status: 'COMPLETED', prompt: '[erased]' });
});

it.each([
  {
    what: 'whose example was deleted',
    before: async (task: string, example: string) =>
      server.call('DELETE', `/v0/tasks/${task}/examples/${example}`),
  },
  {
    what: 'whose example has another input now',
    before: async (task: string, example: string) =>
      server.call('PUT', `/v0/tasks/${task}/examples/${example}`, { body: { input: 'Something else?' } }),
  },
])('erases the title of a task that was made of a trace and $what', async ({ what, before }) => {
  const [user, secret] = [`iris-${what}`, `Where does the grey wagtail ${what} live?`];
  const traceId = await send(what.length, { 'user.id': user, 'input.value': secret });
  const made = await server.call('POST', `/v0/traces/${traceId}/example`, { body: {} });
  const { id, taskId } = (made.json as { data: { id: string; taskId: string } }).data;
  expect((await before(taskId, id)).status).toBeLessThan(300);
  await erase({ userId: user });
  expect(filesWith(secret)).toEqual([]);
});

it.each(['userId', 'sessionId'] as const)(
  'erases what was copied from a trace that was deleted before its %s is erased',
  async (subject) => {
    const [id, secret] = [`hugo-${subject}`, `Where does the kingfisher of ${subject} nest?`];
    const attribute = subject === 'userId' ? 'user.id' : 'session.id';
    const traceId = await send(41 + subject.length, { [attribute]: id, 'input.value': secret });
    const made = await server.call('POST', `/v0/traces/${traceId}/example`, { body: {} });
    expect(made.status).toBe(200);
    expect((await server.call('DELETE', `/v0/traces/${traceId}`)).status).toBe(204);

    const receipt = await erase({ [subject]: id });
    expect(filesWith(secret)).toEqual([]);
    expect(receipt).toMatchObject({ counts: { traces: 0, examples: 1, tasks: 1 } });
    // Nothing is left to find.
    expect(await erase({ [subject]: id })).toMatchObject({
      counts: { examples: 0, tasks: 0 },
    });
  },
);

it('erases the masked form of an id with the raw one', async () => {
  await send(11, { 'user.id': 'frank@example.com', 'input.value': 'before the rule' });
  await server.call('PUT', '/v0/masking', { body: { detectors: ['email'] } });
  await send(12, { 'user.id': 'frank@example.com', 'input.value': 'after the rule' });
  await server.call('PUT', '/v0/masking', { body: { detectors: [] } });
  expect(await erase({ userId: 'frank@example.com' })).toMatchObject({
    counts: { traces: 2 },
  });
});

it('keeps a hash of a session in the audit log, not its id', async () => {
  await send(21, { 'session.id': 'heron-session', 'input.value': 'a turn' });
  await server.ok('POST', '/v0/sessions/heron-session/evaluate', { body: {} });
  const { text } = await server.call('GET', '/v0/audit?action=evaluateSession');
  expect(text).not.toContain('heron-session');
  expect(text).toContain(createHash('sha256').update('heron-session').digest('hex'));
});

it('waits for a program that reads an older state of the store, and says so', async () => {
  await send(31, { 'user.id': 'gina-4712', 'input.value': 'the green woodpecker' });
  const reader = new Sqlite(join(server.folder, 'touchstone.db'), { readonly: true });
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM trace').get();
  const receipt = await request({ userId: 'gina-4712' });
  expect(receipt).toMatchObject({ status: 'PENDING', pendingFor: 'READERS', counts: { traces: 1 } });
  reader.exec('COMMIT');
  reader.close();
  await completed(receipt);
  expect(filesWith('green woodpecker', 'gina-4712')).toEqual([]);
});

it('reaches every trace of a test that was sent a copied text, however many there are', async () => {
  const [user, secret] = ['lena-4713', 'Where does the nightjar of Lena sleep?'];
  const traceId = await send(41, { 'user.id': user, 'input.value': secret });
  const made = await server.call('POST', `/v0/traces/${traceId}/example`, { body: {} });
  const { taskId } = (made.json as { data: { taskId: string } }).data;
  await server.call('PUT', `/v0/tasks/${taskId}`, { body: { status: 'ACTIVE' } });
  app.behave(saying(secret));
  const test = await over(await trigger(taskId));
  for (let trace = 101; trace <= 160; trace++)
    await send(trace, { 'service.test.id': test.id, 'input.value': secret });
  await erase({ userId: user });
  expect(filesWith(secret)).toEqual([]);
});

it('of one user completes although another one waits for a reader', async () => {
  await send(51, { 'user.id': 'otto-4714' });
  await send(52, { 'user.id': 'paul-4715' });
  const reader = new Sqlite(join(server.folder, 'touchstone.db'), { readonly: true });
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM trace').get();
  const [first, second] = [await request({ userId: 'otto-4714' }), await request({ userId: 'paul-4715' })];
  expect([first, second]).toEqual(Array(2).fill(expect.objectContaining({ pendingFor: 'READERS' })));
  reader.exec('COMMIT');
  reader.close();
  await completed(first);
  await completed(second);
});
