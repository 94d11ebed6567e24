import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { besideServer } from '../support/beside-store.ts';
import { type CustomerApp, startCustomerApp } from '../support/customer-app.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let app: CustomerApp;
beforeAll(async () => {
  server = await startServer({ config: { quietMs: 50, orphanQuietMs: 100 } });
  app = await startCustomerApp();
  app.behave(async ({ body }, response) => {
    const { prompt, testId } = JSON.parse(body) as { prompt: string; testId: string };
    const event = {
      type: 'trace',
      timestamp: new Date().toISOString(),
      testId,
      input: prompt,
      output: 'Paris',
    };
    await server.call('POST', '/v0/ingest', { body: { events: [event] } });
    response.writeHead(200).end();
  });
  await made('POST', '/v0/webhook', { url: app.url });
});
afterAll(async () => {
  await app.close();
  await server.close();
});

type Json = Record<string, unknown> & { id: string };

async function made(method: string, path: string, body?: object): Promise<Json> {
  const { status, json, text } = await server.call(method, path, body === undefined ? {} : { body });
  expect(status, text).toBeLessThan(300);
  const { data, task } = json as { data?: Json; task?: Json };
  return (data ?? task) as Json;
}

const list = async (path: string): Promise<Json[]> => (await made('GET', path)) as unknown as Json[];

const newTask = async (fields: object = {}): Promise<string> =>
  (await made('POST', '/v0/tasks', { title: 'Capitals', type: 'STATIC', ...fields })).id;

describe('an example', () => {
  it('is created, read, changed with its history, and deleted', async () => {
    const path = `/v0/tasks/${await newTask()}/examples`;
    const fields = { input: 'Capital of Peru?', expected: { city: 'Lima' }, tags: ['south'], split: 'test' };
    const created = await made('POST', path, fields);
    expect(created).toMatchObject({ ...fields, position: 0, version: 1, status: 'ACTIVE', key: null });
    const one = `${path}/${created.id}`;
    expect(await made('GET', one)).toEqual(created);
    const changed = await made('PUT', one, { expected: 'Lima', rubric: 'Names the city.' });
    expect(changed).toMatchObject({ expected: 'Lima', version: 2, input: 'Capital of Peru?' });
    expect(await made('PUT', one, { expected: 'Lima' })).toMatchObject({ version: 2 });
    expect((await list(`${one}/versions`)).map(({ version, expected }) => [version, expected])).toEqual([
      [2, 'Lima'],
      [1, { city: 'Lima' }],
    ]);
    expect(await list(`${path}?split=test&search=peru`)).toHaveLength(1);
    expect(await list(`${path}?split=train`)).toEqual([]);
    expect((await server.call('DELETE', one)).status).toBe(204);
    expect((await server.call('GET', one)).status).toBe(404);
  });

  it('swaps its place with the example that has it, without a new version', async () => {
    const path = `/v0/tasks/${await newTask({ inputExamples: ['a', 'b', 'c'] })}/examples`;
    const inputs = async (): Promise<unknown[]> => (await list(path)).map(({ input }) => input);
    const [first] = await list(path);
    expect(await made('PUT', `${path}/${first?.id}`, { position: 2 })).toMatchObject({
      position: 2,
      version: 1,
    });
    expect(await inputs()).toEqual(['c', 'b', 'a']);
    await made('PUT', `${path}/${first?.id}`, { position: 2 });
    expect(await inputs()).toEqual(['c', 'b', 'a']);
    const { status, text } = await server.call('PUT', `${path}/${first?.id}`, { body: { position: 3 } });
    expect([status, text.includes('no example of the task has the place 3')]).toEqual([422, true]);
  });

  it('has a key of its own in its task, and an object only with a schema', async () => {
    const path = `/v0/tasks/${await newTask()}/examples`;
    await made('POST', path, { input: 'a', key: 'one' });
    expect((await server.call('POST', path, { body: { input: 'b', key: 'one' } })).status).toBe(409);
    expect((await server.call('POST', path, { body: { input: { q: 1 } } })).status).toBe(422);
    const schema = { type: 'object', properties: { q: { type: 'integer' } } };
    const typed = `/v0/tasks/${await newTask({ simulatedPromptSchema: schema })}/examples`;
    const created = await made('POST', typed, { input: { q: 1 } });
    expect(created).toMatchObject({ input: { q: 1 } });
    for (const input of [{ q: 'x' }, '{"q":"x"}'])
      for (const reply of [
        await server.call('POST', typed, { body: { input } }),
        await server.call('PUT', `${typed}/${created.id}`, { body: { input } }),
      ])
        expect([reply.status, reply.text]).toEqual([422, expect.stringContaining('/q must be integer')]);
    const others = `/v0/tasks/${await newTask()}/examples/${(await list(path))[0]?.id}`;
    expect((await server.call('GET', others)).status).toBe(404);
  });

  it('is rejected among the input examples of a task when it does not match the schema', async () => {
    const simulatedPromptSchema = { type: 'object', properties: { q: { type: 'integer' } } };
    const bad = {
      title: 'Typed',
      type: 'STATIC',
      simulatedPromptSchema,
      inputExamples: ['{"q":1}', '{"q":"x"}'],
    };
    const rejected = await server.call('POST', '/v0/tasks', { body: bad });
    expect([rejected.status, rejected.json]).toMatchObject([
      422,
      {
        issues: [
          { path: ['inputExamples', '1'], message: expect.stringContaining('/q must be integer') as string },
        ],
      },
    ]);
    const path = `/v0/tasks/${await newTask({ simulatedPromptSchema, inputExamples: ['{"q":1}'] })}`;
    const changed = await server.call('PUT', path, { body: { inputExamples: ['{"q":1}', '{"q":"x"}'] } });
    expect([changed.status, changed.text]).toEqual([422, expect.stringContaining('/q must be integer')]);
    const other = { type: 'object', properties: { q: { type: 'string' } } };
    const body = { inputExamples: ['{"q":1}'], simulatedPromptSchema: other };
    expect((await server.call('PUT', path, { body })).status).toBe(422);
    // A record can be sent back as it was read, even if its examples are older than its schema.
    await made('PUT', path, { simulatedPromptSchema: other });
    await made('PUT', path, { simulatedPromptSchema: other, inputExamples: ['{"q":1}'], title: 'Other' });
  });

  it('is one of the input examples of its task', async () => {
    const id = await newTask({ inputExamples: ['a', 'b'] });
    const path = `/v0/tasks/${id}/examples`;
    const [a] = await list(path);
    await made('PUT', `${path}/${a?.id}`, { expected: 'A' });
    const task = await made('PUT', `/v0/tasks/${id}`, { inputExamples: ['c', 'a'] });
    expect(task).toMatchObject({ inputExamples: ['c', 'a'], exampleCount: 2 });
    expect((await list(path)).map(({ input, expected, position }) => [input, expected, position])).toEqual([
      ['c', null, 0],
      ['a', 'A', 1],
    ]);
  });

  it('is not lost by a list of input examples that shows only some', async () => {
    const id = await newTask({ inputExamples: Array.from({ length: 100 }, (_, index) => `${index}`) });
    await made('POST', `/v0/tasks/${id}/examples`, { input: 'one more' });
    const task = await made('GET', `/v0/tasks/${id}`);
    expect(task).toMatchObject({ exampleCount: 101 });
    expect(task['inputExamples']).toHaveLength(100);
    const put = (inputExamples: unknown) =>
      server.call('PUT', `/v0/tasks/${id}`, { body: { inputExamples } });
    expect((await put(task['inputExamples'])).status).toBe(200);
    expect((await put(['other'])).status).toBe(409);
  });
});

describe('a test of an example', () => {
  it('is judged by what the example expects, before what the link does', async () => {
    const definition = await made('POST', '/v0/definitions', {
      name: 'City',
      type: 'OUTPUT_MATCH',
      globalConfig: { type: 'string' },
    });
    const link = { evalDefinitionId: definition.id, config: { expected: 'Rome' } };
    const id = await newTask({ evalDefinitions: [link] });
    const path = `/v0/tasks/${id}/examples`;
    const right = await made('POST', path, { input: 'France?', expected: 'Paris', metadata: { a: 1 } });
    const wrong = await made('POST', path, { input: 'Peru?', expected: 'Lima' });
    const ofLink = await made('POST', path, { input: 'Italy?' });
    const body = { taskIds: [id], examples: {} };
    const { json } = await server.call('POST', '/v0/tasks/trigger', {
      body,
      headers: { prefer: 'return=representation' },
    });
    const [run] = (json as { data: { runId: string; testIds: string[] }[] }).data;
    const verdicts = async (): Promise<Record<string, unknown>> => {
      const evals = await list(`/v0/evals?runId=${run?.runId}`);
      return Object.fromEntries(
        evals.map(({ exampleId, passed }): [string, unknown] => [String(exampleId), passed]),
      );
    };
    const verdictsAre = async (wanted: Record<string, boolean>): Promise<void> => {
      await expect.poll(verdicts, { interval: 100 }).toEqual(wanted);
    };
    await verdictsAre({ [right.id]: true, [wrong.id]: false, [ofLink.id]: false });
    const [test] = await list(`/v0/tests?exampleId=${right.id}`);
    expect(await list(`/v0/evals?exampleId=${right.id}`)).toMatchObject([{ testId: test?.id }]);

    await made('PUT', `${path}/${wrong.id}`, { expected: 'Paris' });
    await made('PUT', `${path}/${right.id}`, { input: 'Spain?', expected: 'Madrid' });
    await made('POST', `/v0/runs/${run?.runId}/evaluate`, {});
    await verdictsAre({ [right.id]: true, [wrong.id]: true, [ofLink.id]: false });
    expect((await server.call('DELETE', `${path}/${right.id}`)).status).toBe(204);
    expect(await made('GET', `${path}/${right.id}`)).toMatchObject({ status: 'ARCHIVED' });
  });

  it('cannot be started without an example, nor for prompts that a model writes', async () => {
    const ids = [await newTask(), await newTask({ type: 'NORMAL', inputExamples: ['a'] })];
    for (const id of ids)
      expect((await server.call('POST', '/v0/tasks/trigger', { body: { taskIds: [id] } })).status).toBe(409);
  });
});

describe('an example of a trace', () => {
  async function traceOf(input: unknown): Promise<string> {
    const event = { type: 'trace', timestamp: new Date().toISOString(), input, output: 'Lyon' };
    const { json } = await server.call('POST', '/v0/ingest', { body: { events: [event] } });
    return (json as { data: { id: string }[] }).data[0]?.id ?? '';
  }

  it('gets a task of its own, once, and what a person expects', async () => {
    const id = await traceOf('Capital of France?');
    const path = `/v0/traces/${id}/example`;
    const first = await made('POST', path, {});
    expect(first).toMatchObject({
      input: 'Capital of France?',
      expected: null,
      traceId: id,
      key: `trace:${id}`,
    });
    expect(await made('POST', path, { useOutput: true })).toEqual(first);
    const corrected = await made('POST', path, { expected: 'Paris' });
    expect(corrected).toMatchObject({ id: first.id, expected: 'Paris', version: 2 });
    expect(await made('POST', path, { useOutput: true })).toEqual(corrected);
    const task = await made('GET', `/v0/tasks/${String(first['taskId'])}`);
    expect(task).toMatchObject({ title: 'Capital of France?', type: 'STATIC', exampleCount: 1 });
  });

  it('expects what a person corrected, unless something is expected already, and forgets a deleted trace', async () => {
    const id = await traceOf('Capital of Spain?');
    const path = `/v0/traces/${id}/example`;
    const annotation = {
      traceId: id,
      verdict: true,
      source: 'TRACE_PAGE',
      correctedOutput: { city: 'Madrid' },
    };
    expect(await made('POST', path, {})).toMatchObject({ expected: null });
    await made('POST', '/v0/human-annotations', annotation);
    const example = await made('POST', path, { useOutput: true });
    expect(example).toMatchObject({ expected: { city: 'Madrid' }, version: 2 });
    await made('POST', '/v0/human-annotations', { ...annotation, correctedOutput: 'Toledo' });
    expect(await made('POST', path, {})).toEqual(example);
    const taskId = await newTask();
    expect(await made('POST', path, { taskId })).toMatchObject({ expected: 'Toledo' });
    expect((await server.call('DELETE', `/v0/traces/${id}`)).status).toBe(204);
    const now = (): Promise<Json> =>
      made('GET', `/v0/tasks/${String(example['taskId'])}/examples/${example.id}`);
    await expect.poll(async () => (await now())['traceId']).toBe(null);
    expect(await now()).toMatchObject({ key: `trace:${id}`, expected: { city: 'Madrid' } });
  });

  it('is added to a task, with the output if that is wanted and an object if the task has a schema', async () => {
    const input = { question: 'Capital of France?' };
    const path = `/v0/traces/${await traceOf(input)}/example`;
    const taskId = await newTask();
    expect(await made('POST', path, { taskId, useOutput: true })).toMatchObject({
      taskId,
      input: JSON.stringify(input),
      expected: 'Lyon',
    });
    const typed = await newTask({ simulatedPromptSchema: { type: 'object' } });
    expect(await made('POST', path, { taskId: typed })).toMatchObject({ input });
  });

  it('needs an input, and a trace and a task of the application', async () => {
    const status = async (traceId: string, body: object, headers = server.headers): Promise<number> =>
      (await server.call('POST', `/v0/traces/${traceId}/example`, { body, headers })).status;
    const id = await traceOf('Capital of France?');
    const { headers } = await server.newTenant();
    expect(await status(await traceOf(null), {})).toBe(422);
    expect(await status(id, {}, headers)).toBe(404);
    const others = await server.call('POST', '/v0/tasks', { body: { title: 'A', type: 'STATIC' }, headers });
    const { task } = others.json as { task: { id: string } };
    expect(await status(id, { taskId: task.id })).toBe(404);
  });
});

it('deletes a task with all of its examples', async () => {
  const id = await newTask({ inputExamples: ['a'] });
  expect((await server.call('DELETE', `/v0/tasks/${id}`)).status).toBe(204);
  const count = besideServer(server.folder, (database) =>
    database.get('SELECT count(*) AS n FROM example WHERE task_id = ?', id),
  );
  expect(count).toEqual({ n: 0 });
});
