import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CreateTaskBody, CreateTopicBody, Task, Topic } from '../../src/api/generated/schema.ts';
import { testHttp } from '../support/http-cases.ts';
import { sharedServer, type Tenant, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

const UNKNOWN = '7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60';
type Headers = Readonly<Record<string, string>>;

async function create(given: object, headers: Headers = {}): Promise<Topic> {
  const body = given as CreateTopicBody;
  return (await server.ok('POST', '/v0/topics', { body, headers })).data;
}

async function createTask(more: Partial<CreateTaskBody>): Promise<Task> {
  const body: CreateTaskBody = { title: 'Task', type: 'STATIC', ...more };
  return (await server.ok('POST', '/v0/tasks', { body })).task;
}

const task = async ({ id }: { id: string }): Promise<Task> =>
  (await server.ok('GET', `/v0/tasks/${id}`)).task;

async function list(query: string, headers: Headers = {}): Promise<{ data: Topic[]; pagination: unknown }> {
  return server.ok('GET', `/v0/topics?${query}`, { headers });
}

const FIELDS = {
  description: 'Polite answers',
  baseline: 87.5,
  status: 'DRAFT',
  assignedTo: 'ada@example.org',
  isInScope: false,
  isTasksVerified: true,
  isDocumentsVerified: true,
  isKnowledgeBaseVerified: true,
  isPoliciesVerified: true,
};

describe('POST /v0/topics', () => {
  it('fills in defaults', async () => {
    const topic = await create({ title: ' Rückgabe 🙂 ' });
    expect(topic).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/) as string,
      orgId: 'org-1',
      applicationId: server.applicationId,
      createdAt: expect.stringMatching(/Z$/) as string,
      modifiedAt: topic.createdAt,
      title: 'Rückgabe 🙂',
      description: null,
      baseline: null,
      status: 'ACTIVE',
      quickstartId: null,
      assignedTo: null,
      isInScope: true,
      isTasksVerified: false,
      isDocumentsVerified: false,
      isKnowledgeBaseVerified: false,
      isPoliciesVerified: false,
      evalDefinitions: [],
    });
    expect((await server.call('GET', `/v0/topics/${topic.id}`)).json).toEqual({ data: topic });
  });

  it('takes all fields', async () => {
    const body = { title: 'x', ...FIELDS, quickstartId: null, evalDefinitions: [] };
    expect(await create(body)).toMatchObject(body);
  });

  const rejected: [rule: string, body: unknown, code: string, field: string][] = [
    ['a title in letters', { title: ' ' }, 'too_small', 'title'],

    ...['isTasksVerified', 'isDocumentsVerified', 'isKnowledgeBaseVerified', 'isPoliciesVerified'].map(
      (flag): [string, unknown, string, string] => [
        `${flag} to be true or false`,
        { title: 'x', [flag]: 'yes' },
        'invalid_type',
        flag,
      ],
    ),
  ];
  testHttp(
    () => server,
    rejected.map(([rule, body, code, field]) => ({
      name: `needs ${rule}`,
      request: 'POST /v0/topics',
      body,
      status: 422,
      mustContain: [`"code":"${code}"`, `"path":["${field}"]`],
    })),
  );
});

describe('one topic', () => {
  it('is changed in part', async () => {
    const topic = await create({ title: 'before', ...FIELDS });
    const path = `/v0/topics/${topic.id}` as const;
    const body = { title: 'after', baseline: null, isTasksVerified: false, id: UNKNOWN, evalDefinitions: [] };
    const { data } = await server.ok('PUT', path, { body });
    const changes = { title: 'after', baseline: null, isTasksVerified: false, modifiedAt: data.modifiedAt };
    expect(data).toEqual({ ...topic, ...changes });
    expect((await server.call('GET', path)).json).toEqual({ data });
    const unknown = { evalDefinitions: [{ evalDefinitionId: UNKNOWN }], title: 'never' };
    expect((await server.call('PUT', path, { body: unknown })).status).toBe(404);
    expect((await server.call('GET', path)).json).toEqual({ data });
  });

  testHttp(
    () => server,
    [{ name: 'is changed by a body', request: `PUT /v0/topics/${UNKNOWN}`, status: 400 }],
  );
});

describe('archiving a topic', () => {
  const archive = async ({ id }: Topic, body?: object): Promise<Topic> => {
    const call = body ? { body } : {};
    return (await server.ok('POST', `/v0/topics/${id}/archive`, call)).data;
  };

  it.each([[undefined], [{}], [{ cascade: false }]])('leaves its tasks alone with %j', async (body) => {
    const topic = await create({ title: 'x' });
    const inside = await createTask({ topicId: topic.id });
    expect(await archive(topic, body)).toMatchObject({ id: topic.id, status: 'ARCHIVED' });
    expect(await task(inside)).toEqual(inside);
  });

  it('archives its tasks, and no others, with cascade', async () => {
    const topic = await create({ title: 'x' });
    const [active, draft, outside, elsewhere] = [
      await createTask({ topicId: topic.id }),
      await createTask({ topicId: topic.id, status: 'DRAFT' }),
      await createTask({}),
      await createTask({ topicId: (await create({ title: 'y' })).id }),
    ];
    for (const { id } of [active, elsewhere])
      await server.call('PUT', `/v0/tasks/${id}/schedule`, { body: { criticality: 'HIGH' } });
    await archive(topic, { cascade: true });
    expect(await task(active)).toMatchObject({ status: 'ARCHIVED', taskSchedule: { nextRunAt: null } });
    expect(await task(draft)).toMatchObject({ status: 'ARCHIVED' });
    expect(await task(outside)).toEqual(outside);
    const kept = await task(elsewhere);
    expect(kept.status).toBe('ACTIVE');
    expect(kept.taskSchedule?.nextRunAt).toMatch(/Z$/);
    expect((await server.call('GET', `/v0/tasks/ids?topicId=${topic.id}`)).json).toEqual({ taskIds: [] });
  });

  it('may be done again, to archive the tasks that are left', async () => {
    const topic = await create({ title: 'x' });
    const inside = await createTask({ topicId: topic.id });
    const once = await archive(topic);
    expect(await archive(topic)).toEqual(once);
    expect((await task(inside)).status).toBe('ACTIVE');
    await archive(topic, { cascade: true });
    expect((await task(inside)).status).toBe('ARCHIVED');
  });

  it('can be undone', async () => {
    const topic = await create({ title: 'x' });
    await archive(topic);
    const body = { status: 'ACTIVE' };
    expect((await server.call('PUT', `/v0/topics/${topic.id}`, { body })).text).toContain(
      '"status":"ACTIVE"',
    );
  });
});

describe('GET /v0/topics', () => {
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await server.newTenant();
    for (const [title, status] of [
      ['b', 'ACTIVE'],
      ['c', 'DRAFT'],
      ['a', 'ACTIVE'],
      ['a', 'ACTIVE'],
      ['z', 'ARCHIVED'],
    ])
      await create({ title, status }, tenant.headers);
  });

  it.each([
    ['orderBy=title&orderDir=asc', 'aabc'],
    ['orderBy=title&orderDir=asc&skip=1&limit=2', 'ab'],
    ['orderBy=status&limit=1', 'c'],
    ['skip=4', ''],
    ['status=ARCHIVED', 'z'],
    ['status=DRAFT,ARCHIVED&orderBy=title', 'zc'],
    ['status=DRAFT&status=ACTIVE&orderBy=title', 'cbaa'],
  ])('takes ?%s', async (query, expected) => {
    expect((await list(query, tenant.headers)).data.map(({ title }) => title).join('')).toBe(expected);
  });
});
