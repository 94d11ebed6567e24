import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ImportReport } from '../../src/resources/examples/import-contract.ts';
import { addPerson } from '../support/people.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { otelTraceUuid } from '../../src/traces/ids.ts';
import { erasing } from './erasure-support.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());
const { send, erase } = erasing(() => server);

const newTask = async (): Promise<string> =>
  (await server.ok('POST', '/v0/tasks', { body: { title: 'Questions', type: 'STATIC' } })).task.id;
const countOf = async (taskId: string): Promise<number> =>
  (await server.ok('GET', `/v0/tasks/${taskId}/examples?limit=1`)).pagination.total;

const ROWS = 400;
const MANY_ROWS = 5_000;
const rows = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => `k${from + index},question ${from + index},answer\n`).join(
    '',
  );

/** Imports rows enough for many commands; calls `between` when the first ones are stored. */
async function importAround(
  taskId: string,
  between: () => Promise<unknown>,
  last = '',
): Promise<{ status: number; data?: ImportReport; message?: string }> {
  const importing = fetch(`${server.url}/v0/tasks/${taskId}/examples/import`, {
    method: 'POST',
    headers: { ...server.headers, 'content-type': 'text/csv' },
    body: `key,input,expected\n${rows(0, MANY_ROWS)}${last}`,
  });
  await until(async () => (await countOf(taskId)) > 0);
  await between();
  const response = await importing;
  return { status: response.status, ...((await response.json()) as object) };
}

it('the deletion of the task ends an import, and nothing of it remains', async () => {
  const taskId = await newTask();
  const found = await importAround(taskId, () => server.ok('DELETE', `/v0/tasks/${taskId}`));
  expect(found).toMatchObject({ status: 404, message: expect.stringContaining('not found') as string });
  expect((await server.call('GET', `/v0/tasks/${taskId}/examples`)).status).toBe(404);
});

it('an erasure during an import leaves no copy of its traces', async () => {
  const taskId = await newTask();
  const userId = 'someone@example.com';
  const traceId = await send(4711, { 'user.id': userId });
  const key = `trace:${otelTraceUuid(Buffer.from(traceId, 'hex'))}`;
  const found = await importAround(taskId, () => erase({ userId }), `${key},a secret question,answer\n`);
  expect(found.status).toBe(200);
  expect(await countOf(taskId)).toBe(MANY_ROWS);
  expect((await server.ok('GET', `/v0/tasks/${taskId}/examples?search=secret`)).data).toEqual([]);
});

it('the same file imported twice at once makes each example once', async () => {
  const taskId = await newTask();
  const file = `key,input,expected\n${rows(0, ROWS)}`;
  const importFile = async (): Promise<ImportReport> => {
    const path = `${server.url}/v0/tasks/${taskId}/examples/import`;
    const headers = { ...server.headers, 'content-type': 'text/csv' };
    const response = await fetch(path, { method: 'POST', headers, body: file });
    return ((await response.json()) as { data: ImportReport }).data;
  };
  const reports = await Promise.all([importFile(), importFile(), importFile()]);
  const sum = (field: 'created' | 'updated' | 'unchanged'): number =>
    reports.reduce((total, report) => total + report[field], 0);
  expect([sum('created'), sum('updated'), sum('unchanged')]).toEqual([ROWS, 0, 2 * ROWS]);
  expect(reports.flatMap(({ rejected }) => rejected)).toEqual([]);
  expect(await countOf(taskId)).toBe(ROWS);
});

it('the same file of promptfoo imported twice at once makes each definition once', async () => {
  const tenant = await server.newTenant();
  const body = { title: 'Suite', type: 'STATIC' };
  const created = (await server.call('POST', '/v0/tasks', { body, headers: tenant.headers })).json as {
    task: { id: string };
  };
  const file = 'q,__expected,__expected2\na,contains: x,similar(0.9): y\nb,llm-rubric: is short,\n';
  const importFile = async (): Promise<ImportReport> => {
    const path = `${server.url}/v0/tasks/${created.task.id}/examples/import`;
    const headers = { ...tenant.headers, 'content-type': 'text/csv' };
    const response = await fetch(path, { method: 'POST', headers, body: file });
    return ((await response.json()) as { data: ImportReport }).data;
  };
  const reports = await Promise.all([importFile(), importFile(), importFile()]);
  const actions = reports.flatMap(({ definitions }) => definitions.map(({ action }) => action));
  expect(actions.toSorted()).toEqual([
    ...Array.from({ length: 3 }, () => 'CREATED'),
    ...Array.from({ length: 6 }, () => 'KEPT'),
  ]);
  const { json } = await server.call('GET', '/v0/definitions', { headers: tenant.headers });
  expect((json as { data: object[] }).data).toHaveLength(3);
});

it.each(['viewer', 'annotator'] as const)('a person with the role %s cannot import', async (role) => {
  const taskId = await newTask();
  const { headers } = addPerson(server, server, { role });
  const response = await fetch(`${server.url}/v0/tasks/${taskId}/examples/import`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'text/csv' },
    body: 'input\na\n',
  });
  expect(response.status).toBe(403);
  expect(await countOf(taskId)).toBe(0);
});
