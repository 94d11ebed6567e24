import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { besideServer } from '../support/beside-store.ts';
import { testHttp } from '../support/http-cases.ts';
import { sharedServer, type Tenant, type TestServer } from '../support/server.ts';
import { defining, type Definition, storeEval, storeQuickstart, UNKNOWN } from './definition-support.ts';

let server: TestServer;
let other: Tenant;
let ours: ReturnType<typeof defining>;
let theirs: ReturnType<typeof defining>;
beforeAll(async () => {
  server = await sharedServer();
  other = await server.newTenant();
  ours = defining(server);
  theirs = defining(server, other.headers);
});
afterAll(() => server.close());

const BASE = { name: 'x', type: 'NATURALNESS' };
const MATCH_OF_LIST = { globalConfig: { type: 'list', matchMode: 'exact_unordered' }, isBlocking: true };

describe('POST /v0/definitions', () => {
  it('fills in defaults, and shows the application', async () => {
    const created = await ours.definition({ name: ' Größe ' });
    const { json } = await server.call('GET', `/v0/applications/${server.applicationId}`);
    expect(created).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/) as string,
      orgId: 'org-1',
      applicationId: server.applicationId,
      createdAt: expect.stringMatching(/Z$/) as string,
      modifiedAt: created.createdAt,
      type: 'NATURALNESS',
      name: 'Größe',
      status: 'ACTIVE',
      version: 1,
      repeats: 1,
      globalConfig: { criterion: '' },
      styleGuideId: null,
      quickstartId: null,
      gate: null,
      isBlocking: false,
      isOverall: false,
      issueId: null,
      application: (json as { data: object }).data,
      topics: [],
    });
    expect(await ours.get(created.id.toUpperCase())).toEqual(created);
  });

  it('takes a gate, as a later change does', async () => {
    const body = {
      name: 'Kind',
      type: 'CUSTOM',
      globalConfig: { criterion: 'Is kind' },
      gate: { minKappa: 0.6 },
    };
    const { status, json } = await server.call('POST', '/v0/definitions', { body });
    expect(status).toBe(201);
    expect(json).toMatchObject({ data: { gate: { minKappa: 0.6, minAnnotations: 30 } } });
  });

  it('shows long texts of the application in part', async () => {
    const path = `/v0/applications/${other.applicationId}`;
    const body = { context: `${'c'.repeat(1_999)}🙂`, description: 'd'.repeat(2_001) };
    expect((await server.call('PUT', path, { headers: other.headers, body })).status).toBe(200);
    expect(await theirs.definition()).toMatchObject({
      application: { context: 'c'.repeat(1_999), description: 'd'.repeat(2_000) },
    });
  });

  const common = {
    criterion: 'Says when the parcel comes',
    monitoring: { sampleRate: 0.25, more: [1] },
    own: { key: null },
  };
  it.each<[type: string, config: object]>([
    ['NATURALNESS', {}],
    ['RECALL', {}],
    ['FACT', {}],
    ['FACT', { groundTruth: 'It opens at nine.' }],
    ['CUSTOM', {}],
    ['OUTPUT_MATCH', { type: 'string' }],
    [
      'OUTPUT_MATCH',
      {
        type: 'list',
        extract: { pattern: '(a+)', flags: 'gimsu', group: 1 },
        matchMode: 'exact_unordered',
        scoreMetric: 'precision',
        passThreshold: 0.5,
        ignoreCase: true,
      },
    ],
    [
      'ASSERT',
      {
        assertions: [{ type: 'contains-any', value: ['x'], threshold: 5, weight: 2, not: true }],
        threshold: 1,
      },
    ],
  ])('takes %s with %j, and keeps keys it does not know', async (type, config) => {
    const globalConfig = { ...common, ...config };
    const body = { type, globalConfig, status: 'DRAFT', repeats: 9 };
    expect(await ours.definition(body)).toMatchObject(body);
  });

  it('takes a style guide and a quickstart', async () => {
    const [{ id: styleGuideId }, quickstartId] = [
      await ours.styleGuide(),
      storeQuickstart(server, server.applicationId),
    ];
    expect(
      await ours.definition({ type: 'STYLE', styleGuideId: styleGuideId.toUpperCase(), quickstartId }),
    ).toMatchObject({ type: 'STYLE', styleGuideId, quickstartId });
  });

  it('rejects a JSON Schema that cannot be used, also one that a change of the type brings into use', async () => {
    const globalConfig = { assertions: [{ type: 'is-json', value: { type: 'nope' } }] };
    const rejection = {
      status: 422,
      json: { issues: [{ code: 'custom', path: ['globalConfig', 'assertions', '0', 'value'] }] },
    };
    const body = { ...BASE, type: 'ASSERT', globalConfig };
    expect(await server.call('POST', '/v0/definitions', { body })).toMatchObject(rejection);
    const { id } = await ours.definition({ globalConfig });
    const change = (given: object): Promise<unknown> =>
      server.call('PUT', `/v0/definitions/${id}`, { body: given });
    expect(await change({ type: 'ASSERT' })).toMatchObject(rejection);
    expect(await change({ name: 'y' })).toMatchObject({ status: 200 });
  });

  const rejected: [rule: string, body: unknown, code: string, path: string[]][] = [
    ['a name in letters', { ...BASE, name: ' ' }, 'too_small', ['name']],
    ['a short config', { ...BASE, globalConfig: { a: 'x'.repeat(50_000) } }, 'too_big', ['globalConfig']],
    [
      'exact numbers',
      '{"name":"x","type":"RECALL","globalConfig":{"a":[9007199254740993]}}',
      'custom',
      ['globalConfig', 'a', '0'],
    ],
    ['a style guide for STYLE', { ...BASE, type: 'STYLE' }, 'invalid_type', ['styleGuideId']],
    ['a criterion for CUSTOM', { ...BASE, type: 'CUSTOM' }, 'invalid_type', ['globalConfig', 'criterion']],
    [
      'the name of each assertion',
      { ...BASE, type: 'ASSERT', globalConfig: { assertions: [{ value: 'x' }] } },
      'invalid_type',
      ['globalConfig', 'assertions', '0', 'type'],
    ],
  ];
  testHttp(
    () => server,
    rejected.map(([rule, body, code, path]) => ({
      name: `needs ${rule}`,
      request: 'POST /v0/definitions',
      body,
      status: 422,
      mustContain: [`"code":"${code}"`, `"path":[${path.map((step) => `"${step}"`).join(',')}]`],
    })),
  );
});

describe('PUT /v0/definitions/{id}', () => {
  const globalConfig = { criterion: 'Kind', monitoring: { sampleRate: 0.5 } };
  const made = () => ours.definition({ type: 'CUSTOM', globalConfig, repeats: 3 });

  it.each<[what: string, body: object, version: number]>([
    ['nothing', {}, 1],
    ['the same', { type: 'CUSTOM', globalConfig, styleGuideId: null }, 1],
    [
      'the same in another order',
      { globalConfig: { monitoring: { sampleRate: 0.5 }, criterion: 'Kind' } },
      1,
    ],
    ['another name', { name: 'Kinder', quickstartId: UNKNOWN }, 1],
    ['other repeats and status', { repeats: 5, status: 'DRAFT' }, 1],
    ['another config', { globalConfig: { criterion: 'Kinder' } }, 2],
    ['another key', { globalConfig: { ...globalConfig, own: 1 } }, 2],
    ['another type', { type: 'FACT' }, 2],
    ['another type and config', { type: 'OUTPUT_MATCH', globalConfig: { type: 'list' } }, 2],
  ])('counts versions: %s', async (_what, body, version) => {
    const before = await made();
    const { data } = await ours.put(before.id, body);
    const { quickstartId: _, ...given } = body as { quickstartId?: string };
    const shown = 'type' in given && given.type === 'OUTPUT_MATCH' ? MATCH_OF_LIST : {};
    expect(data).toEqual({ ...before, ...given, ...shown, version, modifiedAt: data.modifiedAt });
    expect(data.modifiedAt >= before.modifiedAt).toBe(true);
    expect(await ours.get(before.id)).toEqual(data);
  });

  it('counts another style guide as a version', async () => {
    const { id } = await made();
    const [{ id: one }, { id: two }] = [await ours.styleGuide(), await ours.styleGuide()];
    const versions = [];
    for (const styleGuideId of [one, one, two, null])
      versions.push((await ours.put(id, { styleGuideId })).data.version);
    expect(versions).toEqual([2, 2, 3, 4]);
  });

  it('changes nothing when the complete would be wrong', async () => {
    const before = await made();
    for (const [body, status, text] of [
      [{ name: 'y', styleGuideId: UNKNOWN }, 404, 'style guide not found'],
      [{ name: 'y', type: 'STYLE' }, 422, '"path":["styleGuideId"]'],
      [{ name: 'y', type: 'ASSERT' }, 422, '"path":["globalConfig","assertions"]'],
      [{ name: 'y', globalConfig: {} }, 422, '"path":["globalConfig","criterion"]'],
      [{ name: null }, 422, '"path":["name"]'],
      [{ name: 'y', repeats: '3' }, 422, '"path":["repeats"]'],
    ] as const) {
      const reply = await server.call('PUT', `/v0/definitions/${before.id}`, { body });
      expect(reply.status, reply.text).toBe(status);
      expect(reply.text).toContain(text);
    }
    expect(await ours.get(before.id)).toEqual(before);
  });

  it.each([
    ['DRAFT', ['ACTIVE', 'DRAFT', 'ARCHIVED']],
    ['ACTIVE', ['DRAFT', 'ACTIVE', 'ARCHIVED']],
  ])('moves a definition in %s to %j', async (status, path) => {
    const { id } = await ours.definition({ status });
    for (const next of path) expect((await ours.put(id, { status: next })).data.status).toBe(next);
  });

  it('archives for good, with no links left', async () => {
    const { id } = await made();
    const [task, topic] = [await ours.task(), await ours.topic()];
    await ours.link('link', { evalIds: [id], taskIds: [task.id], topicIds: [topic.id] });
    const { data } = await ours.put(id, { status: 'ARCHIVED' });
    expect(data).toMatchObject({ status: 'ARCHIVED', version: 1, topics: [] });
    for (const body of [{ status: 'ACTIVE' }, { name: 'y' }, {}]) {
      const { status, json } = await server.call('PUT', `/v0/definitions/${id}`, { body });
      expect([status, json]).toEqual([
        409,
        { message: 'An evaluation definition that is ARCHIVED cannot be changed' },
      ]);
    }
    expect((await server.call('GET', `/v0/tasks/${task.id}`)).text).toContain('"evalDefinitions":[]');
    expect(await ours.get(id)).toEqual(data);
  });
});

describe('DELETE /v0/definitions/{id}', () => {
  it('removes one without evals, and its links', async () => {
    const { id } = await ours.definition();
    const { id: taskId } = await ours.task();
    await ours.link('link', { evalIds: [id], taskIds: [taskId] });
    const { status, text } = await server.call('DELETE', `/v0/definitions/${id}`);
    expect([status, text]).toEqual([204, '']);
    for (const method of ['GET', 'DELETE']) {
      const reply = await server.call(method, `/v0/definitions/${id}`);
      expect([reply.status, reply.json]).toEqual([404, { message: 'evaluation definition not found' }]);
    }
    const links = besideServer(server.folder, (database) =>
      database.all('SELECT * FROM definition_link WHERE definition_id = ?', id),
    );
    expect(links).toEqual([]);
    expect((await server.call('GET', `/v0/tasks/${taskId}`)).text).toContain('"evalDefinitions":[]');
  });

  it('archives one with evals, even if they are of an older version', async () => {
    const { id } = await ours.definition();
    const { id: topicId } = await ours.topic();
    await ours.link('link', { evalIds: [id], topicIds: [topicId] });
    storeEval(server, id, { superseded: true });
    for (let i = 0; i < 2; i++) {
      await ours.remove(id);
      expect(await ours.get(id)).toMatchObject({ status: 'ARCHIVED', topics: [] });
    }
    const listed = async (query: string) => (await ours.list(query)).data.map((definition) => definition.id);
    expect(await listed('limit=100')).not.toContain(id);
    expect(await listed('definitionStatus=ARCHIVED')).toContain(id);
  });
});

describe('one definition', () => {
  it.each(['GET', 'PUT', 'DELETE'])('is found for %s by a uuid only', async (method) => {
    const call = method === 'PUT' ? { body: {} } : {};
    const { status, text } = await server.call(method, '/v0/definitions/x', call);
    expect(status).toBe(422);
    expect(text).toContain('"path":["id"]');
  });
});

describe('GET /v0/definitions', () => {
  let tenant: Tenant;
  const ids = new Map<string, string>();
  const named = (text: string): string =>
    text.replaceAll(/\{([\w-]+)\}/g, (_, name: string) => ids.get(name) ?? UNKNOWN);
  const of = (...names: string[]): string[] => names.map((name) => named(`{${name}}`));
  const TRACE = Buffer.from('00112233445566778899aabbccddeeff', 'hex');
  const ANOTHER_TRACE = Buffer.from('ffeeddccbbaa99887766554433221100', 'hex');
  const names = (data: readonly Definition[]): string => data.map(({ name }) => name).join('');

  beforeAll(async () => {
    tenant = await server.newTenant();
    const { headers } = tenant;
    const calls = defining(server, headers);
    ids.set('quickstart', storeQuickstart(server, tenant.applicationId));
    for (const title of ['topic-1', 'topic-2']) ids.set(title, (await calls.topic({ title })).id);
    const inTopic = { topicId: ids.get('topic-1') };
    for (const [title, more] of [
      ['task-1', inTopic],
      ['task-2', {}],
      ['task-3', {}],
    ] as const)
      ids.set(title, (await calls.task({ title, ...more })).id);
    for (const [name, more] of [
      ['a', { quickstartId: ids.get('quickstart') }],
      ['b', { type: 'CUSTOM', globalConfig: { criterion: 'x' } }],
      ['c', {}],
      ['d', { type: 'RECALL' }],
      ['e', { status: 'DRAFT', quickstartId: ids.get('quickstart') }],
      ['f', { status: 'DRAFT' }],
    ] as const)
      ids.set(name, (await calls.definition({ name, ...more })).id);
    await calls.put(named('{f}'), { status: 'ARCHIVED' });
    await calls.link('link', { evalIds: of('a', 'e'), taskIds: of('task-1') });
    await calls.link('link', { evalIds: of('b'), taskIds: of('task-2'), topicIds: of('topic-1', 'topic-2') });
    await calls.link('link', { evalIds: of('c'), topicIds: of('topic-2') });
    await calls.link('link-application', { evalIds: of('d') });

    const traced = await server.call('POST', '/v0/ingest', {
      headers,
      body: { events: [{ type: 'trace', timestamp: '2026-01-01T00:00:00Z', testId: UNKNOWN, input: 'x' }] },
    });
    ids.set('trace', (traced.json as { data: [{ id: string }] }).data[0].id);
    storeEval(server, named('{a}'), { taskId: named('{task-1}'), testId: UNKNOWN });
    storeEval(server, named('{a}'), {
      taskId: named('{task-1}'),
      testId: UNKNOWN,
      status: 'FAILED',
      superseded: true,
    });
    storeEval(server, named('{b}'), { taskId: named('{task-2}'), status: 'FAILED' });
    storeEval(server, named('{c}'), { traceId: TRACE, status: 'SKIPPED' });
    storeEval(server, named('{d}'), { traceId: TRACE, status: 'PENDING', superseded: true });
    storeEval(server, named('{b}'), { traceId: ANOTHER_TRACE, status: 'SKIPPED' });
    storeEval(server, named('{d}'), { taskId: named('{task-2}'), status: 'PENDING' });
  });

  it.each([
    ['', 'abcd'],
    ['definitionStatus=ACTIVE', 'abcd'],
    ['definitionStatus=DRAFT', 'e'],
    ['definitionStatus=ARCHIVED,DRAFT', 'ef'],
    ['type=CUSTOM', 'b'],
    ['type=CUSTOM&type[]=RECALL', 'bd'],
    ['type=OTHER', ''],
    ['quickstartId={quickstart}', 'a'],
    ['quickstartId={quickstart}&definitionStatus=DRAFT,ACTIVE', 'ae'],
    ['quickstartId={unknown}', ''],
    // Its own, those of its topic, those of the application.
    ['taskId={task-1}', 'abd'],
    ['taskId={task-1}&definitionStatus=DRAFT', 'e'],
    ['taskId={task-2}', 'bd'],
    ['taskId={task-3}', 'd'],
    ['taskId={task-1},{task-2}', 'abd'],
    ['taskId={unknown}', ''],
    ['scopeType=topic', 'bc'],
    ['scopeType=application', 'ad'],
    ['topicId={topic-1}', 'b'],
    ['topicId={topic-2}', 'bc'],
    ['topicId={topic-2}&scopeType=application', 'bc'],
    ['topicId={unknown}', ''],
    ['traceId=00112233445566778899aabbccddeeff', 'c'],
    ['traceId=00112233-4455-8677-8899-aabbccddeeff', 'c'],
    ['traceId={trace}', 'a'],
    ['traceId={trace},00112233445566778899AABBCCDDEEFF', 'ac'],
    ['traceId={unknown}', ''],
    ['traceId=ffeeddccbbaa99887766554433221100&taskId={task-2}', 'b'],
    ['traceId=ffeeddccbbaa99887766554433221100&taskId={task-3}', ''],
    ['status=COMPLETED', 'a'],
    ['status=FAILED', 'b'],
    ['status=COMPLETED,FAILED,PENDING', 'abd'],
    ['status=IN_PROGRESS', ''],
    ['status=COMPLETED&taskId={task-1}', 'a'],
    ['status=PENDING&taskId={task-1}', ''],
    ['status=PENDING,FAILED&taskId={task-2}', 'bd'],
    ['status=SKIPPED&traceId=00112233445566778899aabbccddeeff', 'c'],
    ['status=PENDING&traceId=00112233445566778899aabbccddeeff', ''],
    ['status=COMPLETED&traceId={trace}&taskId={task-1}', 'a'],
    ['status=COMPLETED&traceId={trace}&taskId={task-2}', ''],
    ['status=SKIPPED&traceId=ffeeddccbbaa99887766554433221100&taskId={task-2}', ''],
    ['scopeType=topic&type=CUSTOM&taskId={task-1}', 'b'],
  ])('takes ?%s', async (query, expected) => {
    const calls = defining(server, tenant.headers);
    const { data, pagination } = await calls.list(`${named(query)}&orderBy=name&orderDir=asc`);
    expect(names(data)).toBe(expected);
    const total = expected.length;
    expect(pagination).toEqual({
      skip: 0,
      limit: 25,
      total,
      totalPages: Math.min(total, 1),
      totalCount: total,
    });
  });

  it('answers the same definitions as one by one', async () => {
    const calls = defining(server, tenant.headers);
    const { data } = await calls.list('definitionStatus=DRAFT,ACTIVE,ARCHIVED');
    expect(data).toHaveLength(6);
    for (const definition of data) expect(await calls.get(definition.id)).toEqual(definition);
    expect(data.find(({ name }) => name === 'b')?.topics).toEqual(of('topic-1', 'topic-2'));
  });

  it('goes back to the scope of the application with the last topic', async () => {
    const { definition, topic, link, list } = defining(server, (await server.newTenant()).headers);
    const [{ id }, one, two] = [await definition(), await topic(), await topic()];
    const inScope = async (): Promise<number> => (await list('scopeType=topic')).data.length;
    await link('link', { evalIds: [id], topicIds: [one.id, two.id] });
    const found = [await inScope()];
    for (const { id: topicId } of [one, two]) {
      await link('unlink', { evalIds: [id], topicIds: [topicId] });
      found.push(await inScope());
    }
    expect(found).toEqual([1, 1, 0]);
  });
});
