import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testHttp } from '../support/http-cases.ts';
import { sharedServer, type Tenant, type TestServer } from '../support/server.ts';
import { annotating, PAST, type Queue } from './annotation-support.ts';

let server: TestServer;
let other: Tenant;
let ours: ReturnType<typeof annotating>;
let topicId: string;
beforeAll(async () => {
  server = await sharedServer();
  other = await server.newTenant();
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
    ['a title', {}, 'invalid_type', 'title'],
    ['a title in letters', { title: ' ' }, 'too_small', 'title'],
    ['a title of 256 characters at most', { title: 'x'.repeat(257) }, 'too_big', 'title'],
    ['a topic by its uuid', { title: 'x', topicId: 'x' }, 'invalid_string', 'topicId'],
    ['an assignee in text', { title: 'x', assigneeId: 7 }, 'invalid_type', 'assigneeId'],
    ['an assignee or null', { title: 'x', assigneeId: ' ' }, 'too_small', 'assigneeId'],
    ['a short assignee', { title: 'x', assigneeId: 'x'.repeat(257) }, 'too_big', 'assigneeId'],
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
    const { data } = await ours.list<Queue>(PATH);
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

  it.each([
    ['GET', undefined],
    ['PUT', { title: 'theirs' }],
  ])('is not there for %s of another application', async (method, body) => {
    const { id } = await ours.queue({ title: 'ours' });
    const call = { headers: other.headers, ...(body ? { body } : {}) };
    const reply = await server.call(method, `${PATH}/${id}`, call);
    const unknown = await server.call(method, `${PATH}/${UNKNOWN}`, call);
    expect([reply.status, reply.json]).toEqual([404, { message: 'annotation queue not found' }]);
    expect([unknown.status, unknown.text]).toEqual([reply.status, reply.text]);
    expect((await server.call('GET', `${PATH}/${id}`)).json).toMatchObject({ data: { title: 'ours' } });
  });

  testHttp(
    () => server,
    [
      { name: 'has a uuid', request: `GET ${PATH}/x`, status: 422, mustContain: ['"path":["id"]'] },
      { name: 'keeps a title', request: `PUT ${PATH}/${UNKNOWN}`, body: { title: null }, status: 422 },
      { name: 'is changed by a body', request: `PUT ${PATH}/${UNKNOWN}`, status: 400 },
    ],
  );
});

describe('GET /v0/human-annotation-queues', () => {
  let theirs: ReturnType<typeof annotating>;
  beforeAll(async () => {
    theirs = annotating(server, other.headers);
    for (const title of ['b', 'a', 'a', 'c']) await theirs.queue({ title });
  });

  it.each(['createdAt', 'modifiedAt', 'title', 'id'])(
    'pages by %s without a gap or a repetition',
    async (orderBy) => {
      for (const orderDir of ['asc', 'desc']) {
        const order = `orderBy=${orderBy}&orderDir=${orderDir}`;
        const pages = [
          await theirs.list<Queue>(`${PATH}?${order}&limit=3`),
          await theirs.list<Queue>(`${PATH}?${order}&skip=3`),
        ];
        expect(pages.map(({ pagination }) => pagination)).toEqual([
          { skip: 0, limit: 3, total: 4, totalPages: 2 },
          { skip: 3, limit: 25, total: 4, totalPages: 1 },
        ]);
        const { data } = await theirs.list<Queue>(`${PATH}?${order}`);
        expect(pages.flatMap((page) => page.data)).toEqual(data);
        const values = data.map((queue) => queue[orderBy as keyof Queue] as string);
        expect(values).toEqual(orderDir === 'asc' ? values.toSorted() : values.toSorted().reverse());
      }
    },
  );

  testHttp(
    () => server,
    [{ name: 'orders by no other field', request: `GET ${PATH}?orderBy=topicId`, status: 422 }],
  );
});
