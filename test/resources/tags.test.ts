import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CreateTagBody, Tag } from '../../src/api/generated/schema.ts';
import { testHttp } from '../support/http-cases.ts';
import { sharedServer, type Tenant, type TestServer } from '../support/server.ts';

let server: TestServer;
let other: Tenant;
beforeAll(async () => {
  server = await sharedServer();
  other = await server.newTenant();
});
afterAll(() => server.close());

const UNKNOWN = '7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60';
interface Tags {
  data: Tag[];
  pagination: { total: number };
}
type Headers = Readonly<Record<string, string>>;

const create = async (body: CreateTagBody, headers: Headers = {}) =>
  (await server.ok('POST', '/v0/tags', { body, headers })).data;
const createTask = async (headers: Headers = {}) =>
  (await server.ok('POST', '/v0/tasks', { body: { title: 'Task', type: 'STATIC' }, headers })).task.id;

async function list(path: string, headers: Headers = {}): Promise<Tags> {
  return server.ok('GET', path, { headers });
}

const tagNames = async (taskId: string): Promise<string[]> =>
  (await list(`/v0/tasks/${taskId}/tags?orderBy=name&orderDir=asc`)).data.map(({ name }) => name);

describe('POST /v0/tags', () => {
  it('makes a tag with exactly the fields of the interface', async () => {
    const tag = await create({ name: ' Größe 🙂 ' });
    expect(tag).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/) as string,
      name: 'Größe 🙂',
      color: '#3B82F6',
      createdAt: expect.stringMatching(/Z$/) as string,
      modifiedAt: tag.createdAt,
      orgId: 'org-1',
      applicationId: server.applicationId,
      description: null,
      status: 'ACTIVE',
    });
    expect((await server.call('GET', `/v0/tags/${tag.id.toUpperCase()}`)).json).toEqual({ data: tag });
  });

  it('takes all fields', async () => {
    const fields = { name: 'x', color: '#fA0', description: 'd', status: 'ARCHIVED' } as const;
    expect(await create(fields)).toMatchObject(fields);
  });

  const rejected: [rule: string, body: unknown, code: string, field: string][] = [
    ['a name in letters', { name: '  ' }, 'too_small', 'name'],
  ];
  testHttp(
    () => server,
    rejected.map(([rule, body, code, field]) => ({
      name: `needs ${rule}`,
      request: 'POST /v0/tags',
      body,
      status: 422,
      mustContain: [`"code":"${code}"`, `"path":["${field}"]`],
    })),
  );
});

describe('one tag', () => {
  it('is changed in part', async () => {
    const tag = await create({ name: 'before', color: '#000000', description: 'kept' });
    const path = `/v0/tags/${tag.id}` as const;
    await expect.poll(() => Date.now(), { interval: 1 }).toBeGreaterThan(Date.parse(tag.createdAt));
    // The id is one of the fields that a caller may send back.
    const given = { name: 'after', status: 'ARCHIVED', id: UNKNOWN } as const;
    const { data } = await server.ok('PUT', path, { body: given });
    expect(data).toEqual({ ...tag, name: 'after', status: 'ARCHIVED', modifiedAt: data.modifiedAt });
    expect(Date.parse(data.modifiedAt)).toBeGreaterThan(Date.parse(tag.modifiedAt));
    await server.ok('PUT', path, { body: { description: null } });
    expect((await server.ok('GET', path)).data).toMatchObject({ name: 'after', description: null });
  });

  it('is taken off tasks when it is deleted', async () => {
    const [tag, kept, task] = [await create({ name: 'a' }), await create({ name: 'b' }), await createTask()];
    const body = { taskIds: [task], addTagIds: [tag.id, kept.id] };
    expect((await server.call('POST', '/v0/tasks/tags', { body })).status).toBe(204);
    const { status, text } = await server.call('DELETE', `/v0/tags/${tag.id}`);
    expect([status, text]).toEqual([204, '']);
    expect(await tagNames(task)).toEqual(['b']);
    expect((await server.call('GET', `/v0/tags/${tag.id}`)).status).toBe(404);
    expect((await server.call('DELETE', `/v0/tags/${tag.id}`)).status).toBe(404);
    expect((await server.call('GET', `/v0/tasks/ids?tagId=${tag.id}`)).json).toEqual({ taskIds: [] });
  });

  testHttp(() => server, [{ name: 'is changed by a body', request: `PUT /v0/tags/${UNKNOWN}`, status: 400 }]);
});

describe('GET /v0/tags', () => {
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await server.newTenant();
    for (const name of ['b', 'c', 'a', 'a'])
      await create({ name, description: name === 'c' ? null : name }, tenant.headers);
    await create({ name: 'old', status: 'ARCHIVED' }, tenant.headers);
  });

  it.each([
    ['orderBy=name&orderDir=asc', 'aabc'],
    ['orderBy=name', 'cbaa'],
    ['orderBy=name&orderDir=asc&skip=1&limit=2', 'ab'],
    ['skip=4', ''],
    ['skip=9007199254740991', ''],
    ['status=ARCHIVED', 'old'],
    ['status=ARCHIVED,ACTIVE&orderBy=status&orderDir=desc&limit=1', 'old'],
    ['status[]=ARCHIVED&status[]=ACTIVE&orderBy=name&limit=1', 'old'],
    ['orderBy=name&limit=1', 'c'],
  ])('takes ?%s', async (query, expected) => {
    const { data } = await list(`/v0/tags?${query}`, tenant.headers);
    expect(data.map(({ name }) => name).join('')).toBe(expected);
  });
});

describe('POST /v0/tasks/tags', () => {
  it('adds and removes tags of several tasks at once', async () => {
    const [one, two] = [await createTask(), await createTask()];
    const [a, b, c] = [await create({ name: 'a' }), await create({ name: 'b' }), await create({ name: 'c' })];
    const change = async (body: object): Promise<void> => {
      const { status, text } = await server.call('POST', '/v0/tasks/tags', { body });
      expect([status, text]).toEqual([204, '']);
    };
    await change({ taskIds: [one, two, one], addTagIds: [a.id, b.id.toUpperCase(), a.id] });
    expect([await tagNames(one), await tagNames(two)]).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
    await change({ taskIds: [one], addTagIds: [b.id, c.id], removeTagIds: [a.id] });
    expect([await tagNames(one), await tagNames(two)]).toEqual([
      ['b', 'c'],
      ['a', 'b'],
    ]);
    await change({ taskIds: [one, two], removeTagIds: [a.id, b.id, c.id] });
    expect([await tagNames(one), await tagNames(two)]).toEqual([[], []]);
  });

  it('does nothing when a task or tag is not there or not of the application', async () => {
    const [task, tag] = [await createTask(), await create({ name: 'a' })];
    const theirs = { task: await createTask(other.headers), tag: await create({ name: 'x' }, other.headers) };
    for (const [body, message] of [
      [{ taskIds: [task, UNKNOWN], addTagIds: [tag.id] }, 'task not found'],
      [{ taskIds: [theirs.task, task], addTagIds: [tag.id] }, 'task not found'],
      [{ taskIds: [task], addTagIds: [tag.id, UNKNOWN] }, 'tag not found'],
      [{ taskIds: [task], addTagIds: [tag.id, theirs.tag.id] }, 'tag not found'],
      [{ taskIds: [task], addTagIds: [tag.id], removeTagIds: [UNKNOWN] }, 'tag not found'],
    ] as const) {
      const { status, json } = await server.call('POST', '/v0/tasks/tags', { body });
      expect([status, json]).toEqual([404, { message }]);
      expect(await tagNames(task)).toEqual([]);
    }
    expect((await list(`/v0/tasks/${theirs.task}/tags`, other.headers)).data).toEqual([]);
  });

  testHttp(
    () => server,
    [
      {
        name: 'refuses a tag to add and to remove',
        request: 'POST /v0/tasks/tags',
        body: { taskIds: [UNKNOWN], addTagIds: [UNKNOWN], removeTagIds: [UNKNOWN.toUpperCase()] },
        status: 400,
        mustContain: ['{"message":'],
      },
      { name: 'needs a body', request: 'POST /v0/tasks/tags', status: 400 },
      {
        name: 'needs a tag at least',
        request: 'POST /v0/tasks/tags',
        body: { taskIds: [UNKNOWN] },
        status: 422,
        mustContain: ['"path":["addTagIds"]', 'too_small'],
      },
    ],
  );
});

describe.each(['tasks', 'documents'] as const)('the tags of %s', (kind) => {
  const tagged = async (): Promise<string> => {
    if (kind === 'tasks') return createTask();
    const body = { title: 'Document', content: 'Text' };
    return (await server.ok('POST', '/v0/documents', { body })).document.id;
  };

  it('are replaced, and paged through with archived ones', async () => {
    const id = await tagged();
    const tags = [await create({ name: 'a', status: 'ARCHIVED' }), await create({ name: 'b' })];
    const path = `/v0/${kind}/${id}/tags` as const;
    const replace = async (tagIds: string[]) => (await server.ok('PUT', path, { body: { tagIds } })).data;
    expect(await replace(tags.map((tag) => tag.id))).toEqual(tags.toReversed());
    expect(await server.ok('GET', `${path}?orderBy=name&limit=1`)).toEqual({
      data: [tags[1]],
      pagination: { skip: 0, limit: 1, total: 2, totalPages: 2 },
    });
    expect((await list(`${path}?orderBy=name&skip=1`)).data).toEqual([tags[0]]);
    const found = await list(`/v0/${kind}?tagId=${tags[0]?.id}`);
    expect(found.data.map((record) => record.id)).toEqual([id]);
    expect(await replace([])).toEqual([]);
    expect((await list(`/v0/${kind}?tagId=${tags[0]?.id}`)).data).toEqual([]);
  });

  it('are replaced for one record, and for no other one', async () => {
    const [one, two] = [await tagged(), await tagged()];
    const [first, second] = [await create({ name: 'first' }), await create({ name: 'second' })];
    const tag = (id: string, { id: tagId }: Tag) =>
      server.ok('PUT', `/v0/${kind}/${id}/tags`, { body: { tagIds: [tagId] } });
    for (const id of [one, two]) await tag(id, first);
    await tag(one, second);
    expect((await list(`/v0/${kind}/${one}/tags`)).data).toEqual([second]);
    expect((await list(`/v0/${kind}/${two}/tags`)).data).toEqual([first]);
    const { data } = await server.ok('GET', `/v0/${kind}?limit=100`);
    const shown = new Map(data.map(({ id, tags }) => [id, tags.map(({ name }) => name)]));
    expect([shown.get(one), shown.get(two)]).toEqual([['second'], ['first']]);
  });

  it('are gone when the tag is deleted', async () => {
    const id = await tagged();
    const [tag, kept] = [await create({ name: 'a' }), await create({ name: 'b' })];
    const path = `/v0/${kind}/${id}/tags` as const;
    await server.ok('PUT', path, { body: { tagIds: [tag.id, kept.id] } });
    await server.ok('DELETE', `/v0/tags/${tag.id}`);
    expect((await list(path)).data).toEqual([kept]);
    expect((await list(`/v0/${kind}?tagId=${tag.id}`)).data).toEqual([]);
  });
});
