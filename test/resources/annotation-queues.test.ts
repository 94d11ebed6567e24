import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testHttp } from '../support/http-cases.ts';
import { sharedServer, type TestServer } from '../support/server.ts';
import { annotating, PAST } from './annotation-support.ts';

let server: TestServer;
let ours: ReturnType<typeof annotating>;
let topicId: string;
beforeAll(async () => {
  server = await sharedServer();
  ours = annotating(server);
  const { json } = await server.call('POST', '/v0/topics', { body: { title: 'Prices' } });
  topicId = (json as { data: { id: string } }).data.id;
});
afterAll(() => server.close());

const UNKNOWN = '7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60';
const PATH = '/v0/human-annotation-queues';

describe('POST /v0/human-annotation-queues', () => {
  it('fills in defaults', async () => {
    const queue = await ours.queue({ title: ' Weekly review ' });
    expect(queue).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/) as string,
      orgId: 'org-1',
      applicationId: server.applicationId,
      createdAt: expect.stringMatching(/Z$/) as string,
      modifiedAt: queue.createdAt,
      topicId: null,
      title: 'Weekly review',
      assigneeId: null,
      reviewsPerItem: 1,
      isBlind: false,
      criteria: [],
      reviewerIds: [],
      reviewers: [],
      documentIds: [],
      disagreement: 'NONE',
      dueAt: null,
      progress: { items: 0, completed: 0, begun: 0, disputed: 0 },
      mine: 0,
      agreement: null,
      pendingCount: 0,
      completedCount: 0,
    });
    expect((await server.call('GET', `${PATH}/${queue.id}`)).json).toEqual({ data: queue });
  });

  it('takes all fields', async () => {
    const body = { title: 'x', topicId, assigneeId: 'ada@example.org' };
    expect(await ours.queue(body)).toMatchObject(body);
  });

  const rejected: [rule: string, body: unknown, code: string, field: string][] = [
    ['a title in letters', { title: ' ' }, 'too_small', 'title'],
    ['an assignee or null', { title: 'x', assigneeId: ' ' }, 'too_small', 'assigneeId'],
  ];
  testHttp(
    () => server,
    rejected.map(([rule, body, code, field]) => ({
      name: `needs ${rule}`,
      request: `POST ${PATH}`,
      body,
      status: 422,
      mustContain: [`"code":"${code}"`, `"path":["${field}"]`],
    })),
  );
});

describe('a queue', () => {
  it('counts what waits in it and what is completed, but not what has expired', async () => {
    const [queue, another] = [await ours.queue(), await ours.queue()];
    const [first, second, third, expired] = await ours.traces(4);
    await ours.item({ queueId: queue.id, traceId: first });
    await ours.item({ queueId: queue.id, traceId: expired, expiresAt: PAST });
    await ours.item({ queueId: another.id, traceId: first });
    for (const traceId of [second, third])
      await ours.complete(await ours.item({ queueId: queue.id, traceId }));

    const counts = { pendingCount: 1, completedCount: 2 };
    expect((await server.call('GET', `${PATH}/${queue.id}`)).json).toMatchObject({ data: counts });
    const { data } = await ours.list(PATH);
    expect(data.find(({ id }) => id === queue.id)).toMatchObject(counts);
    expect(data.find(({ id }) => id === another.id)).toMatchObject({ pendingCount: 1, completedCount: 0 });
  });

  it('changes in the fields that are given, and in no others', async () => {
    const queue = await ours.queue({ topicId, assigneeId: 'ada' });
    const put = async (body: object): Promise<unknown> => {
      return (await server.ok('PUT', `${PATH}/${queue.id}`, { body })).data;
    };
    expect(await put({ title: ' New ' })).toMatchObject({ title: 'New', topicId, assigneeId: 'ada' });
    expect(await put({ topicId: null })).toMatchObject({ title: 'New', topicId: null, assigneeId: 'ada' });
    expect(await put({ topicId, assigneeId: null })).toMatchObject({ topicId, assigneeId: null });
    const unknown = { body: { title: 'no', topicId: UNKNOWN } };
    expect((await server.call('PUT', `${PATH}/${queue.id}`, unknown)).status).toBe(404);
    expect(await put({})).toMatchObject({ title: 'New', createdAt: queue.createdAt });
  });

  testHttp(() => server, [{ name: 'is changed by a body', request: `PUT ${PATH}/${UNKNOWN}`, status: 400 }]);
});
