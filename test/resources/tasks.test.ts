import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { besideServer } from '../support/beside-store.ts';
import { testHttp } from '../support/http-cases.ts';
import { type Call, sharedServer, type Tenant, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

const UNKNOWN = '7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60';
/** What is rejected wherever it would go into a webhook payload. */
const HALF_PAIR = '"\\ud83d"';
interface Task {
  id: string;
  title: string;
  status: string;
  createdAt: string;
  modifiedAt: string;
}
type Headers = Readonly<Record<string, string>>;

async function create(body: object | string, headers: Headers = {}): Promise<Task> {
  const { status, text, json } = await server.call('POST', '/v0/tasks', { body, headers });
  expect(status, text).toBe(201);
  return (json as { task: Task }).task;
}

async function createOther(path: string, body: object, headers: Headers = {}): Promise<string> {
  const { status, text, json } = await server.call('POST', path, { body, headers });
  expect(status, text).toBe(201);
  return (json as { data: { id: string } }).data.id;
}

async function change(method: string, path: string, call: Call): Promise<void> {
  const { status, text } = await server.call(method, path, call);
  expect(status, text).toBeLessThan(300);
}

const get = async (id: string): Promise<Task> =>
  ((await server.call('GET', `/v0/tasks/${id}`)).json as { task: Task }).task;

async function list(query: string, headers: Headers = {}): Promise<{ data: Task[]; pagination: unknown }> {
  const { status, text, json } = await server.call('GET', `/v0/tasks?${query}`, { headers });
  expect(status, text).toBe(200);
  return json as { data: Task[]; pagination: unknown };
}

async function listIds(query: string, headers: Headers = {}): Promise<string[]> {
  const { status, text, json } = await server.call('GET', `/v0/tasks/ids?${query}`, { headers });
  expect(status, text).toBe(200);
  expect(Object.keys(json as object)).toEqual(['taskIds']);
  return (json as { taskIds: string[] }).taskIds;
}

const FIELDS = {
  description: 'Über alles: 100 %',
  status: 'DRAFT',
  inputExamples: ['Wo ist mein Paket?', '🙂', ' kept as it is '],
  metadata: {
    plan: 'pro',
    deep: { list: [1, 'x', null, true, { constructor: 1, toString: 'x' }] },
    largest: Number.MAX_SAFE_INTEGER,
    small: -0.1,
    '': '',
    'ключ 🙂': '\u0000 \u2028',
  },
  simulatedPromptSchema: { type: 'object', properties: { n: { type: 'integer', maximum: 2 ** 63 } } },
  isVerified: true,
};

const UNTESTED = {
  tests: 0,
  testsPassed: 0,
  evaluations: 0,
  passed: 0,
  passRate: null,
  healthScore: null,
  confidence: { level: 'LOW', halfWidth: 50, interval: { lower: 0, upper: 100 } },
  stability: { level: 'LOW', stddev: null },
  recommendedAdditionalEvaluations: 167,
};

describe('POST /v0/tasks', () => {
  it('fills in defaults', async () => {
    const task = await create({
      title: ' Größe ',
      type: 'NORMAL',
    });
    expect(task).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/) as string,
      orgId: 'org-1',
      applicationId: server.applicationId,
      createdAt: expect.stringMatching(/Z$/) as string,
      modifiedAt: task.createdAt,
      title: 'Größe',
      description: '',
      type: 'NORMAL',
      status: 'ACTIVE',
      inputExamples: [],
      exampleCount: 0,
      metadata: {},
      simulatedPromptSchema: null,
      topicId: null,
      quickstartId: null,
      isVerified: false,
      evalDefinitions: [],
      taskSchedule: null,
      tags: [],
      lastTest: null,
      latestTest: null,
      synthetic: UNTESTED,
      monitoring: UNTESTED,
      combined: UNTESTED,
      passRate: null,
      passRateInterval: null,
      errorRate: null,
      monitoringPassRate: null,
      health: null,
      confidence: null,
      stability: null,
    });
    expect((await server.call('GET', `/v0/tasks/${task.id.toUpperCase()}`)).json).toEqual({ task });
  });

  it('takes all fields', async () => {
    const topicId = await createOther('/v0/topics', { title: 'Topic' });
    const body = { title: 'x', type: 'STATIC', ...FIELDS, topicId, quickstartId: null, evalDefinitions: [] };
    const task = await create({ ...body, topicId: topicId.toUpperCase() });
    expect(task).toMatchObject(body);
    expect(await get(task.id)).toEqual(task);
  });

  it('takes a hundred examples of 200 000 characters together', async () => {
    const inputExamples = Array.from({ length: 100 }, () => 'x'.repeat(1_900));
    expect(await create({ title: 'x', type: 'STATIC', inputExamples })).toMatchObject({ inputExamples });
  });

  const base = { title: 'x', type: 'STATIC' };
  const baseText = '"title":"x","type":"STATIC"';
  const rejected: [rule: string, body: unknown, code: string, path: string[]][] = [
    ['a title in letters', { ...base, title: ' ' }, 'too_small', ['title']],
    ['a title without half a character', `{"type":"STATIC","title":${HALF_PAIR}}`, 'custom', ['title']],
    [
      'a description of whole characters',
      `{${baseText},"description":${HALF_PAIR}}`,
      'custom',
      ['description'],
    ],
    ['short examples', { ...base, inputExamples: ['x'.repeat(200_000)] }, 'too_big', ['inputExamples']],
    [
      'examples of whole characters',
      `{${baseText},"inputExamples":["x",${HALF_PAIR}]}`,
      'custom',
      ['inputExamples', '1'],
    ],
    [
      'numbers in examples that are objects to be exact',
      { ...base, inputExamples: ['{}', '{"a":[9007199254740993]}'], simulatedPromptSchema: {} },
      'custom',
      ['inputExamples', '1', 'a', '0'],
    ],
    ['short metadata', { ...base, metadata: { a: 'x'.repeat(200_000) } }, 'too_big', ['metadata']],
    [
      'exact numbers in metadata',
      `{${baseText},"metadata":{"a":{"b":[1,9007199254740992]}}}`,
      'custom',
      ['metadata', 'a', 'b', '1'],
    ],
    ['finite numbers in metadata', `{${baseText},"metadata":{"a":1e999}}`, 'custom', ['metadata', 'a']],
    [
      'whole characters in metadata',
      `{${baseText},"metadata":{"a":${HALF_PAIR}}}`,
      'custom',
      ['metadata', 'a'],
    ],
    [
      'whole characters in keys',
      `{${baseText},"metadata":{${HALF_PAIR}:1}}`,
      'custom',
      ['metadata', '\\ud83d'],
    ],
    [
      'a short schema',
      { ...base, simulatedPromptSchema: { title: 'x'.repeat(200_000) } },
      'too_big',
      ['simulatedPromptSchema'],
    ],
  ];
  testHttp(
    () => server,
    rejected.map(([rule, body, code, path]) => ({
      name: `needs ${rule}`,
      request: 'POST /v0/tasks',
      body,
      status: 422,
      mustContain: [`"code":"${code}"`, `"path":[${path.map((step) => `"${step}"`).join(',')}]`],
    })),
  );

  it('takes examples that are no objects, whatever their numbers, when no schema requests objects', async () => {
    const inputExamples = ['{"a":9007199254740993}', '9007199254740993'];
    expect(await create({ ...base, inputExamples })).toMatchObject({ inputExamples });
  });

  testHttp(
    () => server,
    [
      { name: 'needs a body', request: 'POST /v0/tasks', status: 400 },
      {
        name: 'takes no __proto__ in metadata',
        request: 'POST /v0/tasks',
        body: `{${baseText},"metadata":{"__proto__":{}}}`,
        status: 400,
      },
    ],
  );
});

describe('PUT /v0/tasks/{id}', () => {
  it('changes what is given', async () => {
    const topicId = await createOther('/v0/topics', { title: 'Topic' });
    const task = await create({ title: 'before', type: 'STATIC', ...FIELDS, topicId });
    const path = `/v0/tasks/${task.id}`;
    const changes = { title: 'after', metadata: null, topicId: null, inputExamples: [] };
    const { status, json } = await server.call('PUT', path, {
      body: { ...changes, id: UNKNOWN, quickstartId: UNKNOWN, evalDefinitions: [] },
    });
    const { task: changed } = json as { task: Task };
    expect(status).toBe(200);
    expect(changed).toEqual({
      ...task,
      ...changes,
      metadata: {},
      exampleCount: 0,
      modifiedAt: changed.modifiedAt,
    });
    expect(await get(task.id)).toEqual(changed);
  });

  it('changes nothing when something is wrong', async () => {
    const task = await create({ title: 'x', type: 'STATIC', simulatedPromptSchema: {} });
    for (const [body, status] of [
      [{ title: 'y', topicId: UNKNOWN }, 404],
      [{ title: 'y', evalDefinitions: [{ evalDefinitionId: UNKNOWN }] }, 404],
      [{ title: 'y', status: 'x' }, 422],
      [{ title: null }, 422],
      [{ title: 'y', metadata: { a: 2 ** 53 } }, 422],
      // The schema is there already.
      [{ title: 'y', inputExamples: ['{"a":9007199254740993}'] }, 422],
    ] as const) {
      const reply = await server.call('PUT', `/v0/tasks/${task.id}`, { body });
      expect(reply.status, reply.text).toBe(status);
      expect(await get(task.id)).toEqual(task);
    }
  });

  it('rejects a schema that examples which are there cannot be sent with', async () => {
    const { id } = await create({ title: 'x', type: 'STATIC', inputExamples: ['{"a":9007199254740993}'] });
    const { status, text } = await server.call('PUT', `/v0/tasks/${id}`, {
      body: { simulatedPromptSchema: {} },
    });
    expect(status).toBe(422);
    expect(text).toContain('"path":["inputExamples","0","a"]');
  });
});

describe('a task that changes its topic', () => {
  it.each([
    ['archives the topic it leaves empty', { deleteEmptySourceTopic: true }, [], 'ARCHIVED'],
    ['archives a topic with archived tasks only', { deleteEmptySourceTopic: true }, ['ARCHIVED'], 'ARCHIVED'],
    ['keeps a topic that has another task', { deleteEmptySourceTopic: true }, ['DRAFT'], 'ACTIVE'],
    ['keeps an empty topic by default', {}, [], 'ACTIVE'],
  ] as const)('%s', async (_what, more, others, status) => {
    const { id: topicId } = (await server.ok('POST', '/v0/topics', { body: { title: 'Topic' } })).data;
    const body = { title: 'Task', type: 'STATIC', topicId } as const;
    const { task } = await server.ok('POST', '/v0/tasks', { body });
    for (const other of others) await server.ok('POST', '/v0/tasks', { body: { ...body, status: other } });
    await server.ok('PUT', `/v0/tasks/${task.id}`, { body: { topicId: null, ...more } });
    expect((await server.ok('GET', `/v0/topics/${topicId}`)).data.status).toBe(status);
  });

  it('keeps its topic when it is changed in something else', async () => {
    const { id: topicId } = (await server.ok('POST', '/v0/topics', { body: { title: 'Topic' } })).data;
    const body = { title: 'Task', type: 'STATIC', topicId } as const;
    const { task } = await server.ok('POST', '/v0/tasks', { body });
    const given = { title: 'Renamed', deleteEmptySourceTopic: true };
    await server.ok('PUT', `/v0/tasks/${task.id}`, { body: given });
    expect((await server.ok('GET', `/v0/topics/${topicId}`)).data.status).toBe('ACTIVE');
  });
});

describe('DELETE /v0/tasks/{id}', () => {
  const startTest = (taskId: string): void =>
    besideServer(server.folder, (database) => {
      database.run(
        `INSERT INTO test (id, application, task_id, run_id, run_type, status, phase, prompt, trace_id, created_at, modified_at)
         SELECT ?, application, id, ?, 'MANUAL', 'COMPLETED', 'done', 'x', x'00', 0, 0 FROM task WHERE id = ?`,
        randomUUID(),
        randomUUID(),
        taskId,
      );
    });

  it('removes a task without tests', async () => {
    const tagId = await createOther('/v0/tags', { name: 'x' });
    const { id } = await create({ title: 'x', type: 'STATIC' });
    await server.call('POST', '/v0/tasks/tags', { body: { taskIds: [id], addTagIds: [tagId] } });
    const { status, text } = await server.call('DELETE', `/v0/tasks/${id}`);
    expect([status, text]).toEqual([204, '']);
    for (const method of ['GET', 'DELETE']) {
      const reply = await server.call(method, `/v0/tasks/${id}`);
      expect([reply.status, reply.json]).toEqual([404, { message: 'task not found' }]);
    }
    expect((await server.call('GET', `/v0/tags/${tagId}`)).status).toBe(200);
    expect(await listIds(`tagId=${tagId}`)).toEqual([]);
  });

  it('archives a task with tests', async () => {
    const task = await create({ title: 'x', type: 'STATIC' });
    await server.call('PUT', `/v0/tasks/${task.id}/schedule`, { body: { criticality: 'HIGH' } });
    startTest(task.id);
    for (let i = 0; i < 2; i++) {
      expect((await server.call('DELETE', `/v0/tasks/${task.id}`)).status).toBe(204);
      expect(await get(task.id)).toMatchObject({
        title: 'x',
        status: 'ARCHIVED',
        taskSchedule: { nextRunAt: null },
      });
    }
    expect(await listIds('')).not.toContain(task.id);
    expect(await listIds('taskStatus=ARCHIVED')).toContain(task.id);
  });
});

describe('one task', () => {
  it.each(['GET', 'PUT', 'DELETE'])('is found for %s by a uuid only', async (method) => {
    const { status, text } = await server.call(method, '/v0/tasks/x', method === 'PUT' ? { body: {} } : {});
    expect(status).toBe(422);
    expect(text).toContain('"path":["id"]');
  });
});

describe('GET /v0/tasks and /v0/tasks/ids', () => {
  let tenant: Tenant;
  const ids = new Map<string, string>();
  const named = (text: string): string =>
    text.replaceAll(/\{([\w-]+)\}/g, (_, name: string) => ids.get(name) ?? UNKNOWN);

  beforeAll(async () => {
    tenant = await server.newTenant();
    const { headers } = tenant;
    for (const title of ['topic-1', 'topic-2'])
      ids.set(title, await createOther('/v0/topics', { title }, headers));
    for (const name of ['tag-1', 'tag-2']) ids.set(name, await createOther('/v0/tags', { name }, headers));
    for (const [title, more, tag, criticality] of [
      ['a', { topicId: ids.get('topic-1'), description: 'Grüße, ΣΊΣΥΦΟΣ' }, 'tag-1', 'HIGH'],
      ['b', { topicId: ids.get('topic-2'), description: '100% of a_b\\c', type: 'NORMAL' }, 'tag-2', 'LOW'],
      ['c', { topicId: ids.get('topic-1'), status: 'DRAFT' }, 'tag-2', 'LOW'],
      ['d', { description: '1000 of axb c' }, null, null],
      ['e', { status: 'ARCHIVED', topicId: ids.get('topic-1'), description: 'grüße' }, 'tag-1', null],
    ] as const) {
      const { id } = await create({ title, type: 'STATIC', ...more }, headers);
      ids.set(title, id);
      if (tag) {
        const body = { taskIds: [id], addTagIds: [ids.get(tag)] };
        await change('POST', '/v0/tasks/tags', { headers, body });
      }
      if (criticality) {
        await change('PUT', `/v0/tasks/${id}/schedule`, { headers, body: { criticality } });
      }
    }
    const tags = { taskIds: [ids.get('a')], addTagIds: [ids.get('tag-2')] };
    await change('POST', '/v0/tasks/tags', { headers, body: tags });
  });

  it.each([
    ['', 'abcd'],
    ['topicId={topic-1}', 'ac'],
    ['topicId={topic-1},{topic-2}', 'abc'],
    ['topicId={topic-1}&topicId[]={topic-2}', 'abc'],
    ['topicId={unknown}', ''],
    ['tagId={tag-1}', 'a'],
    ['tagId={tag-1}&tagId={tag-2}', 'abc'],
    ['tagId={unknown}', ''],
    ['status=no-tests', 'abcd'],
    ['status=success,no-tests', 'abcd'],
    ['status=success,warning,error', ''],
    ['evalDefinitionId={unknown}', ''],
    ['confidence=HIGH,MEDIUM,LOW', ''],
    ['stability=LOW', ''],
    ['healthScore=HIGH', ''],
    ['scheduleCriticality=LOW', 'bc'],
    ['scheduleCriticality=HIGH&scheduleCriticality=LOW', 'abc'],
    ['scheduleCriticality=MEDIUM', ''],
    ['taskStatus=ARCHIVED', 'e'],
    ['taskStatus=DRAFT,ARCHIVED', 'ce'],
    ['search=GR%C3%9CSSE', 'a'],
    ['search=GR%C3%9C%C3%9FE', 'a'],
    ['search=%CF%83%CE%AF%CF%83%CF%85%CF%86%CE%BF%CF%82', 'a'],
    ['search=A', 'abd'],
    ['search=0%25', 'b'],
    ['search=a_b', 'b'],
    ['search=b%5Cc', 'b'],
    ['search=%27%20OR%201=1%20--', ''],
    ['search=gr%C3%BC%C3%9Fe&taskStatus=ARCHIVED', 'e'],
    ['topicId={topic-1}&tagId={tag-2}&scheduleCriticality=LOW', 'c'],
    ['topicId={topic-1},{topic-2}&tagId={tag-2}&status=no-tests&search=a', 'ab'],
    ['topicId={topic-1}&tagId={tag-2}&status=success', ''],
  ])('take ?%s', async (query, expected) => {
    const { headers } = tenant;
    const { data, pagination } = await list(`${named(query)}&orderBy=title&orderDir=asc`, headers);
    expect(data.map(({ title }) => title).join('')).toBe(expected);
    const total = expected.length;
    expect(pagination).toEqual({ skip: 0, limit: 25, total, totalPages: Math.min(total, 1) });
    const found = await listIds(named(query), headers);
    expect(new Set(found)).toEqual(new Set(expected.split('').map((title) => ids.get(title))));
    expect(found).toHaveLength(total);
  });

  it('answer the same tasks as one by one', async () => {
    const { data } = await list('taskStatus=DRAFT,ACTIVE,ARCHIVED', tenant.headers);
    expect(data).toHaveLength(5);
    for (const task of data) {
      const { json } = await server.call('GET', `/v0/tasks/${task.id}`, { headers: tenant.headers });
      expect(json).toEqual({ task });
    }
  });

  it('order ids by time, the newest first', async () => {
    const { data } = await list('', tenant.headers);
    expect(await listIds('', tenant.headers)).toEqual(data.map(({ id }) => id));
  });
});
