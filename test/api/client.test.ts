import { afterAll, beforeAll, expect, it } from 'vitest';
import { answerOf, ApiError, createClient } from '../../src/api/client.ts';
import { sharedServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let api: ReturnType<typeof createClient>;
beforeAll(async () => {
  server = await sharedServer();
  api = createClient({ baseUrl: server.url, apiKey: server.apiKey, applicationId: server.applicationId });
});
afterAll(() => server.close());

const newTask = async (title: string): Promise<string> => {
  const body = { title, type: 'STATIC', inputExamples: ['Of France?', 'Of Peru?'] } as const;
  const { task } = await answerOf(
    api.POST('/v0/tasks', { body: { ...body, inputExamples: [...body.inputExamples] } }),
  );
  return task.id;
};

it('makes a task, triggers it and lists its tests', async () => {
  const taskId = await newTask('Capitals');
  const triggered = await answerOf(
    api.POST('/v0/tasks/trigger', {
      body: { taskIds: [taskId], repeat: 2 },
      params: { header: { prefer: 'return=representation' } },
    }),
  );
  const started = triggered?.data[0];
  const { data, pagination } = await answerOf(
    api.GET('/v0/tests', { params: { query: { runId: [String(started?.runId)], orderBy: 'id' } } }),
  );
  expect(pagination.total).toBe(2);
  expect(data.map(({ id }) => id).toSorted()).toEqual(started?.testIds.toSorted());
  expect(data.every((test) => test.taskId === taskId)).toBe(true);
});

it('returns nothing where there is nothing', async () => {
  const id = await newTask('To delete');
  expect(await answerOf(api.DELETE('/v0/tasks/{id}', { params: { path: { id } } }))).toBeUndefined();
});

it('gives several values of a filter', async () => {
  const ids = await Promise.all(['One', 'Two'].map(newTask));
  await answerOf(api.POST('/v0/tasks/trigger', { body: { taskIds: ids } }));
  const query = { taskId: ids };
  const { pagination } = await answerOf(api.GET('/v0/runs', { params: { query } }));
  expect(pagination.total).toBe(2);
});

it('throws what the server says', async () => {
  const rejected = answerOf(api.GET('/v0/tasks/{id}', { params: { path: { id: 'x' } } }));
  const error = await rejected.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({
    status: 422,
    retryAfter: null,
    issues: [{ code: 'invalid_string', path: ['id'] }],
  });
  expect((error as ApiError).requestId).toMatch(/^[\w.-]+$/);
});

it('leaves it to callers to look at an error themselves', async () => {
  const stranger = createClient({ baseUrl: server.url, apiKey: 'sk_x', applicationId: server.applicationId });
  const { data, error, response } = await stranger.GET('/v0/tasks');
  expect([data, error, response.status]).toEqual([undefined, { message: 'The API key is not valid' }, 401]);
});
