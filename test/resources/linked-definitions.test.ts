import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { besideServer } from '../support/beside-store.ts';
import { sharedServer, type Tenant, type TestServer } from '../support/server.ts';
import { applicationKey, storeTask } from '../support/stored-tests.ts';
import { defining, storeQuickstart, UNKNOWN } from './definition-support.ts';

let server: TestServer;
let other: Tenant;
let ours: ReturnType<typeof defining>;
beforeAll(async () => {
  server = await sharedServer();
  other = await server.newTenant();
  ours = defining(server);
});
afterAll(() => server.close());

interface Linked {
  id: string;
  quickstartId: string | null;
  evalDefinitions: { evalDefinition: { id: string; topics: string[] }; config: object }[];
}

describe.each([
  ['tasks', { title: 'T', type: 'STATIC' }],
  ['topics', { title: 'T' }],
])('%s', (kind, base) => {
  const answered = (json: unknown): Linked => {
    const { data, task } = json as { data?: Linked; task?: Linked };
    return (data ?? task) as Linked;
  };
  const send = async (method: string, path: string, body?: object) => {
    const call = body ? { body } : {};
    const { status, text, json } = await server.call(method, `/v0/${kind}${path}`, call);
    return { status, text, json };
  };
  const create = async (more: object): Promise<Linked> => {
    const { status, text, json } = await send('POST', '', { ...base, ...more });
    expect(status, text).toBe(201);
    return answered(json);
  };
  const get = async (id: string): Promise<Linked> => answered((await send('GET', `/${id}`)).json);
  const ofTopic = ({ id }: Linked) => (kind === 'topics' ? { topicId: id } : {});
  const linksOf = ({ evalDefinitions }: Linked): [string, object | null][] =>
    evalDefinitions.map(({ evalDefinition, config }) => [evalDefinition.id, config]);
  const definitions = async (count: number): Promise<string[]> => {
    const made = [];
    for (let i = 0; i < count; i++) made.push((await ours.definition()).id);
    return made;
  };

  it('show the definitions they are made with, in the order of the list', async () => {
    const [first = '', second = ''] = await definitions(2);
    const made = await create({
      evalDefinitions: [
        { evalDefinitionId: second.toUpperCase(), config: { expected: ['x'] } },
        { evalDefinitionId: first },
      ],
    });
    expect(made.evalDefinitions).toEqual([
      { evalDefinition: await ours.get(second), config: { expected: ['x'] }, ...ofTopic(made) },
      { evalDefinition: await ours.get(first), config: null, ...ofTopic(made) },
    ]);
    expect(made.evalDefinitions[0]?.evalDefinition.topics).toEqual(kind === 'topics' ? [made.id] : []);
    expect(await get(made.id)).toEqual(made);
  });

  it('have the list replaced, and keep it when it is left out', async () => {
    const [first, second, third] = await definitions(3);
    const { id } = await create({ evalDefinitions: [first, second].map((d) => ({ evalDefinitionId: d })) });
    const put = async (body: object) => linksOf(answered((await send('PUT', `/${id}`, body)).json));
    expect(await put({ title: 'y' })).toEqual([
      [first, null],
      [second, null],
    ]);
    const evalDefinitions = [
      { evalDefinitionId: third, config: { expected: 3 } },
      { evalDefinitionId: first },
      { evalDefinitionId: third, config: { expected: 'the last counts' } },
    ];
    expect(await put({ evalDefinitions })).toEqual([
      [third, { expected: 'the last counts' }],
      [first, null],
    ]);
    expect(await put({ evalDefinitions: [] })).toEqual([]);
  });

  it('are in lists as one by one, also where they share a definition', async () => {
    const [first, second] = await definitions(2);
    const made = [];
    for (const ids of [[first, second], [], [second]])
      made.push(await create({ evalDefinitions: ids.map((id) => ({ evalDefinitionId: id })) }));
    const { json } = await send('GET', '?limit=3&orderDir=desc');
    const listed = new Map((json as { data: Linked[] }).data.map((row) => [row.id, row]));
    expect(listed.size).toBe(3);
    for (const { id } of made) expect(listed.get(id)).toEqual(await get(id));
  });

  it('are made and changed with definitions that are there, or not at all', async () => {
    const [known] = await definitions(1);
    const foreign = (await defining(server, other.headers).definition()).id;
    const made = await create({ evalDefinitions: [{ evalDefinitionId: known }] });
    const { json } = await send('GET', '?limit=1');
    for (const unknown of [UNKNOWN, foreign]) {
      const evalDefinitions = [{ evalDefinitionId: known }, { evalDefinitionId: unknown }];
      const body = { ...base, title: 'never', evalDefinitions };
      for (const reply of [await send('POST', '', body), await send('PUT', `/${made.id}`, body)])
        expect([reply.status, reply.json]).toEqual([404, { message: 'evaluation definition not found' }]);
    }
    expect(await get(made.id)).toEqual(made);
    expect((await send('GET', '?limit=1')).json).toEqual(json);
  });

  it.each<[what: string, links: unknown, path: string[]]>([
    ['a list', {}, ['evalDefinitions']],
    [
      '100 links at most',
      Array.from({ length: 101 }, () => ({ evalDefinitionId: UNKNOWN })),
      ['evalDefinitions'],
    ],
    ['ids', [{}], ['evalDefinitions', '0', 'evalDefinitionId']],
    ['uuids', [{ evalDefinitionId: 'x' }], ['evalDefinitions', '0', 'evalDefinitionId']],
    ['a config in an object', [{ evalDefinitionId: UNKNOWN, config: 1 }], ['evalDefinitions', '0', 'config']],
    [
      'a short config',
      [{ evalDefinitionId: UNKNOWN, config: { expected: 'x'.repeat(20_000) } }],
      ['evalDefinitions', '0', 'config', 'expected'],
    ],
  ])('need %s', async (_what, evalDefinitions, path) => {
    for (const reply of [
      await send('POST', '', { ...base, evalDefinitions }),
      await send('PUT', `/${UNKNOWN}`, { evalDefinitions }),
    ]) {
      expect(reply.status).toBe(422);
      expect(reply.json).toMatchObject({ issues: [{ path }] });
    }
  });

  it('belong to the quickstart they are made with for good', async () => {
    const quickstartId = storeQuickstart(server, server.applicationId);
    const made = await create({ quickstartId: quickstartId.toUpperCase() });
    expect(made.quickstartId).toBe(quickstartId);
    await send('PUT', `/${made.id}`, { title: 'y', quickstartId: null });
    expect((await get(made.id)).quickstartId).toBe(quickstartId);
    const body = { ...base, quickstartId: storeQuickstart(server, other.applicationId) };
    const { status, json } = await send('POST', '', body);
    expect([status, json]).toEqual([404, { message: 'quickstart not found' }]);
  });
});

describe('tasks', () => {
  it('are found by definitions linked to them directly', async () => {
    const { definition, task, topic, link } = ours;
    const [one, two, three] = [await definition(), await definition(), await definition()];
    const { id: topicId } = await topic({ evalDefinitions: [{ evalDefinitionId: three.id }] });
    const first = await task({ topicId, evalDefinitions: [{ evalDefinitionId: one.id }] });
    const second = await task({ evalDefinitions: [{ evalDefinitionId: two.id }] });
    await link('link-application', { evalIds: [three.id] });
    const found = async (query: string) =>
      new Set((await server.ok('GET', `/v0/tasks/ids?evalDefinitionId=${query}`)).taskIds);
    expect(await found(one.id)).toEqual(new Set([first.id]));
    expect(await found(`${one.id},${two.id}`)).toEqual(new Set([first.id, second.id]));
    expect(await found(`${one.id}&topicId=${topicId}`)).toEqual(new Set([first.id]));
    expect(await found(`${two.id}&topicId=${topicId}`)).toEqual(new Set());
    expect(await found(three.id)).toEqual(new Set());
    const { headers } = other;
    const theirs = await server.call('GET', `/v0/tasks?evalDefinitionId=${one.id}`, { headers });
    expect(theirs.json).toMatchObject({ data: [] });
  });

  it('leave no links behind', async () => {
    const { id: evalDefinitionId } = await ours.definition();
    const { id } = await ours.task({ evalDefinitions: [{ evalDefinitionId }] });
    const links = () =>
      besideServer(server.folder, (database) =>
        database.get('SELECT count(*) AS n FROM definition_link WHERE definition_id = ?', evalDefinitionId),
      );
    expect(links()).toEqual({ n: 1 });
    expect((await server.call('DELETE', `/v0/tasks/${id}`)).status).toBe(204);
    expect(links()).toEqual({ n: 0 });
    expect((await ours.get(evalDefinitionId)).id).toBe(evalDefinitionId);
  });

  it('are not listed when their definitions would be too long for one answer', async () => {
    const tenant = await server.newTenant();
    const { headers } = tenant;
    const calls = defining(server, headers);
    const evalIds: string[] = [];
    for (let i = 0; i < 7; i++)
      evalIds.push((await calls.definition({ globalConfig: { own: 'x'.repeat(49_900) } })).id);
    const taskIds = Array.from({ length: 100 }, () => randomUUID());
    besideServer(server.folder, (database) => {
      const application = applicationKey(database, tenant.applicationId);
      for (const id of taskIds) storeTask(database, application, id);
    });
    await calls.link('link', { evalIds, taskIds });
    const { status, json } = await server.call('GET', '/v0/tasks?limit=100', { headers });
    expect([status, json]).toEqual([
      413,
      { message: 'The evaluation definitions of this page are too long; request fewer entries with limit' },
    ]);
    expect((await server.call('GET', '/v0/tasks?limit=5', { headers })).status).toBe(200);
  });
});

it('a topic that is archived keeps its definitions', async () => {
  const { id: evalDefinitionId } = await ours.definition();
  const topic = await ours.topic({ evalDefinitions: [{ evalDefinitionId }] });
  const { json } = await server.call('POST', `/v0/topics/${topic.id}/archive`, { body: {} });
  expect(json).toMatchObject({ data: { status: 'ARCHIVED', evalDefinitions: topic.evalDefinitions } });
});
