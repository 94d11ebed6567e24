import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { besideServer } from '../support/beside-store.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { erasing } from './erasure-support.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({});
});
afterAll(() => server.close());
const { send, erase, filesWith } = erasing(() => server);

/** Makes an example of a trace in a task of its own; returns that task and the example. */
async function exampleOf(traceId: string): Promise<{ taskId: string; id: string }> {
  const { json } = await server.call('POST', `/v0/traces/${traceId}/example`, { body: {} });
  return (json as { data: { taskId: string; id: string } }).data;
}

async function newTask(title: string): Promise<string> {
  const { json } = await server.call('POST', '/v0/tasks', { body: { title, type: 'STATIC' } });
  return (json as { task: { id: string } }).task.id;
}

describe('an erasure reaches the copies of a trace', () => {
  it.each([
    ['user', 'userId', 'user.id'],
    ['session', 'sessionId', 'session.id'],
  ])('that was deleted before, by its %s', async (name, field, attribute) => {
    const [subject, secret] = [`ida-${name}`, `The ${name} has a red kite`];
    const traceId = await send(name === 'user' ? 1 : 2, { [attribute]: subject, 'input.value': secret });
    const { taskId } = await exampleOf(traceId);
    expect((await server.call('DELETE', `/v0/traces/${traceId}`)).status).toBe(204);
    expect(filesWith(secret)).not.toEqual([]);

    expect(await erase({ [field]: subject })).toMatchObject({ counts: { traces: 0, examples: 1, tasks: 1 } });
    expect(filesWith(secret, subject)).toEqual([]);
    expect(await server.call('GET', `/v0/tasks/${taskId}`)).toMatchObject({
      json: { task: { title: 'Erased', exampleCount: 0 } },
    });
  });

  it('in another task, to which its example was exported and imported', async () => {
    const traceId = await send(3, { 'user.id': 'jon', 'input.value': 'The grey shrike of Jon' });
    const { taskId } = await exampleOf(traceId);
    const exported = await server.call('GET', `/v0/tasks/${taskId}/examples/export?format=jsonl`);
    const other = await newTask('Shrikes');
    const headers = { 'content-type': 'application/x-ndjson' };
    const imported = await server.call('POST', `/v0/tasks/${other}/examples/import`, {
      headers,
      body: exported.text,
    });
    expect(imported.text).toContain('"created":1');

    expect(await erase({ userId: 'jon' })).toMatchObject({ counts: { traces: 1, examples: 2 } });
    expect(filesWith('grey shrike of Jon')).toEqual([]);
  });

  it('whose title outlives a change of the example', async () => {
    const traceId = await send(4, { 'user.id': 'kim', 'input.value': 'The tawny owl of Kim' });
    const { taskId, id } = await exampleOf(traceId);
    await server.call('PUT', `/v0/tasks/${taskId}/examples/${id}`, { body: { input: 'An owl' } });
    expect(await erase({ userId: 'kim' })).toMatchObject({ counts: { tasks: 1, examples: 1 } });
    expect(filesWith('tawny owl of Kim')).toEqual([]);
  });

  it('that a model was shown, with what it wrote from them', async () => {
    const traceId = await send(6, { 'user.id': 'mia', 'input.value': 'The curlew of Mia' });
    const { taskId, id } = await exampleOf(traceId);
    // As the prompt model leaves them.
    insertWritten({ exampleId: id, taskId, text: 'Does the curlew of Mia sing?' });
    expect(filesWith('curlew of Mia sing')).not.toEqual([]);

    expect(await erase({ userId: 'mia' })).toMatchObject({ counts: { examples: 2 } });
    expect(filesWith('curlew of Mia')).toEqual([]);
  });
});

describe('an id that is written with other characters of the same meaning', () => {
  const composed = 'Zo\u00EB';
  const decomposed = 'Zoe\u0308';
  const total = async (query: string): Promise<number> => {
    const { json } = await server.call('GET', query);
    return (json as { pagination: { total: number } }).pagination.total;
  };

  it.each([
    ['composed', composed, decomposed, 20],
    ['decomposed', decomposed, composed, 30],
  ])('is found and erased when it is stored %s', async (_name, stored, asked, trace) => {
    const encoded = encodeURIComponent(asked);
    await send(trace, { 'user.id': stored, 'session.id': `${stored} 1`, 'input.value': 'a plover' });
    expect(await total(`/v0/traces?userId=${encoded}`)).toBe(1);
    expect(await total(`/v0/traces?sessionId=${encoded}%201`)).toBe(1);
    expect(await total(`/v0/sessions?userId=${encoded}`)).toBe(1);
    expect((await server.call('GET', `/v0/sessions/${encoded}%201`)).status).toBe(200);
    expect(await erase({ userId: asked })).toMatchObject({ counts: { traces: 1 } });
    await send(trace + 1, { 'session.id': stored, 'input.value': 'a plover' });
    expect(await erase({ sessionId: asked })).toMatchObject({ counts: { traces: 1 } });
  });
});

/** Inserts a written prompt and the call of its model. */
function insertWritten({
  exampleId,
  taskId,
  text,
}: {
  exampleId: string;
  taskId: string;
  text: string;
}): void {
  const sql = [
    `INSERT INTO example (id, application, task_id, position, key, prompt, status, created_at, modified_at)
     SELECT '${randomUUID()}', application, task_id, position + 1, 'written:0123456789abcdef:0:1', '${text}', 'WRITTEN',
       created_at, modified_at FROM example WHERE id = '${exampleId}'`,
    `INSERT INTO run (id, application, task_id, type, created_at, modified_at)
     SELECT 'run-1', application, id, 'MANUAL', created_at, modified_at FROM task WHERE id = '${taskId}'`,
    `INSERT INTO judge_call (application, subject_id, hash, repeat, judge, model, latency_ms, attempts, created_at, request, raw)
     SELECT application, id, 'hash', 0, 'judge', 'model', 1, 1, created_at, '${text}', '${text}' FROM run WHERE id = 'run-1'`,
  ];
  besideServer(server.folder, (database) => {
    for (const statement of sql) database.run(statement);
  });
}
