import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { withStore } from '../../src/cli/data-folder.ts';
import { ChildServer, newPresets, type Presets } from '../support/child-server.ts';

let dataDir: string;
let presets: Presets;
let server: ChildServer;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'touchstone-'));
  presets = newPresets();
  server = await ChildServer.start({ dataDir, presets });
});
afterEach(async () => {
  await server.stop('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

const ROWS = 5_000;
type Json = Record<string, unknown>;

async function killAndStartAgain(): Promise<void> {
  await server.stop('SIGKILL');
  server = await ChildServer.start({ dataDir, presets });
}

async function get<T>(path: string): Promise<T> {
  const { status, text, json } = await server.call('GET', path);
  expect(status, text).toBe(200);
  return (json as { data: T }).data;
}

async function createQuickstart(): Promise<string> {
  const { json } = await server.call('POST', '/v0/quickstarts', { name: 'x' });
  return (json as { data: { id: string } }).data.id;
}

async function upload(quickstartId: string, csv: string): Promise<string> {
  const form = new FormData();
  form.set('quickstartId', quickstartId);
  form.set('file', new Blob([csv]), 'material.csv');
  const response = await fetch(`${server.url}/v1/quickstarts/uploads`, {
    method: 'POST',
    headers: server.headers,
    body: form,
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as { data: { id: string } }).data.id;
}

/** Stores the first parts of a file, as when a process was killed while it came in. */
const beginFile = (quickstartId: string): void =>
  withStore(dataDir, (database) => {
    for (let seq = 0; seq < 10; seq++)
      database.run(
        'INSERT INTO upload_part VALUES (1, ?, ?, ?)',
        quickstartId,
        seq,
        Buffer.from('input\nHi'),
      );
  });

const count = (sql: string): number =>
  withStore(dataDir, (database) => database.get<{ n: number }>(`SELECT count(*) AS n FROM ${sql}`)?.n ?? 0);

it('makes each row of an upload once and completes a quickstart once, though it is killed on the way', async () => {
  const quickstartId = await createQuickstart();
  // A conversation that continues from the first row to the last one, among others.
  const rows = Array.from(
    { length: ROWS },
    (_, i) => `topic ${i % 7},task ${i},prompt ${i},${i % 10 === 0 ? 'long' + (i % 50) : ''}`,
  );
  const path = `/v1/quickstarts/uploads/${await upload(quickstartId, ['topic,task,input,conversation_id', ...rows].join('\n'))}`;
  const rowsDone = async (): Promise<number> => (await get<{ report: { rows: number } }>(path)).report.rows;
  await expect.poll(rowsDone, { interval: 10 }).toBeGreaterThan(0);
  await killAndStartAgain();
  await expect.poll(rowsDone, { interval: 10 }).toBeGreaterThan(ROWS / 4);
  await killAndStartAgain();
  await expect.poll(async () => (await get<Json>(path))['status']).toBe('COMPLETED');

  // Five conversations have 100 rows each, of which the first makes a task.
  const created = {
    topics: 7,
    tasks: ROWS - 500 + 5,
    inputExamples: ROWS - 500 + 5,
    conversations: ROWS - 500 + 5,
    documents: 0,
    definitions: 0,
  };
  expect(await get<Json>(path)).toMatchObject({
    report: { rows: ROWS, created, rejected: [], rejectedCount: 0 },
  });
  expect(count('topic')).toBe(created.topics);
  expect(count('task')).toBe(created.tasks);
  expect(count('conversation')).toBe(created.conversations);
  expect(count('conversation_turn')).toBe(ROWS);
  expect(count('conversation WHERE turn_count = 100')).toBe(5);
  await expect.poll(() => count('job') + count('upload_part')).toBe(0);

  const next = await createQuickstart();
  beginFile(next);
  for (const status of ['KNOWLEDGE_BASE_REVIEW', 'POLICIES_REVIEW', 'STYLE_REVIEW'])
    expect((await server.call('PUT', `/v0/quickstarts/${quickstartId}`, { status })).status).toBe(200);
  await server.call('POST', '/v0/quickstarts/confirm-style-scores', { quickstartId });
  await expect.poll(() => count(`task WHERE status = 'ACTIVE'`), { interval: 5 }).toBeGreaterThan(0);
  await killAndStartAgain();
  expect(count('upload_part'), 'what is left of a file that was coming in').toBe(0);
  expect(await get<Json>(`/v0/quickstarts/${next}`)).toMatchObject({ status: 'UPLOADING', uploads: [] });
  const status = async (): Promise<unknown> => (await get<Json>(`/v0/quickstarts/${quickstartId}`))['status'];
  await expect.poll(status).toBe('COMPLETE');
  expect(count(`task WHERE status = 'ACTIVE'`)).toBe(created.tasks);
  expect(count(`topic WHERE status = 'ACTIVE'`)).toBe(created.topics);
  expect(count('job')).toBe(0);
});
