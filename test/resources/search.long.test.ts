/** Records found by the words of their names. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RefundScenario, storeRefunds } from '../dashboard/support/refund-scenario.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let scenario: RefundScenario;
beforeAll(async () => {
  server = await startServer();
  scenario = await storeRefunds(server);
});
afterAll(() => server.close());

const find = async (q: string, more = '') =>
  (await server.ok('GET', `/v0/search?q=${encodeURIComponent(q)}${more}`)).data;

it.each([
  ['refund', ['task Refund requests', 'run Refund requests', 'run Refund requests']],
  ['REQ ref', ['task Refund requests', 'run Refund requests', 'run Refund requests']],
  ['fund', []],
  ['order', ['evaluator Asks for the order number']],
  ['%', []],
])('finds by %s the names of which words begin so', async (q, expected) => {
  expect((await find(q)).map(({ kind, title }) => `${kind} ${title}`)).toEqual(expected);
});

it('names the page of each, and runs with their start, the newest first', async () => {
  const [task, newest] = await find('refund');
  expect(task).toEqual({
    kind: 'task',
    id: scenario.taskId,
    title: 'Refund requests',
    detail: 'task',
    href: `/tasks/${scenario.taskId}`,
  });
  expect(newest?.href).toBe(`/runs/${scenario.runId}`);
  expect(newest?.detail).toMatch(/^started \d{4}-/);
});

it('finds the wanted kinds alone, and at most as many as wanted', async () => {
  expect((await find('refund', '&kinds=run')).map(({ kind }) => kind)).toEqual(['run', 'run']);
  expect(await find('refund', '&limit=1')).toHaveLength(1);
});

it('leaves out archived records', async () => {
  const { task } = await server.ok('POST', '/v0/tasks', {
    body: { title: 'Zebra crossing', type: 'STATIC' },
  });
  expect(await find('zebra')).toHaveLength(1);
  await server.ok('PUT', `/v0/tasks/${task.id}` as '/v0/tasks/{id}', { body: { status: 'ARCHIVED' } });
  expect(await find('zebra')).toEqual([]);
});

it('finds issues, whose pages are named by their numbers, but none that was merged', async () => {
  const issue = async (title: string) =>
    (await server.ok('POST', '/v0/issues', { body: { source: 'API', title } })).data;
  const { id, number } = await issue('Walrus promises');
  const { number: merged } = await issue('Walrus refunds');
  await server.ok('POST', `/v0/issues/${merged}/merge` as '/v0/issues/{id}/merge', { body: { into: id } });
  expect(await find('walrus')).toEqual([
    { kind: 'issue', id, title: 'Walrus promises', detail: `#${number}`, href: `/issues/${number}` },
  ]);
});
