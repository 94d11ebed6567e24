import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { quickstartStatus } from '../../src/resources/quickstarts/contract.ts';
import { besideServer } from '../support/beside-store.ts';
import { testHttp } from '../support/http-cases.ts';
import { startServer, type Tenant, type TestServer } from '../support/server.ts';

let server: TestServer;
let other: Tenant;
beforeAll(async () => {
  server = await startServer();
  other = await server.newTenant();
});
afterAll(() => server.close());

const UNKNOWN = '7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60';
type Headers = Readonly<Record<string, string>>;
interface Quickstart {
  id: string;
  name: string;
  status: string;
  styleGuideId: string | null;
  createdAt: string;
  modifiedAt: string;
}

/** The record of a successful call, whatever it is wrapped in. */
async function call<T>(method: string, path: string, body?: object, headers: Headers = {}): Promise<T> {
  const { status, text, json } = await server.call(method, path, { headers, ...(body ? { body } : {}) });
  expect(status, text).toBeLessThan(300);
  const { data, task, document } = (json ?? {}) as { data?: T; task?: T; document?: T };
  return (data ?? task ?? document) as T;
}

const create = (body: object, headers?: Headers): Promise<Quickstart> =>
  call('POST', '/v0/quickstarts', body, headers);
const get = ({ id }: { id: string }): Promise<Quickstart> => call('GET', `/v0/quickstarts/${id}`);
const createGuide = (more: object = {}, headers?: Headers): Promise<{ id: string }> => {
  const content = [
    { heading: 'Tone', content: 'Kind' },
    { heading: 'Form', content: 'Short', approved: false },
  ];
  return call('POST', '/v0/style-guides', { content, ...more }, headers);
};

/** Puts a quickstart where only the service could take it. */
function force({ id }: { id: string }, status: string): void {
  besideServer(server.folder, (database) =>
    database.run('UPDATE quickstart SET status = ? WHERE id = ?', status, id),
  );
}

async function list(query: string, headers: Headers): Promise<{ data: Quickstart[]; pagination: unknown }> {
  return server.ok('GET', `/v0/quickstarts?${query}`, { headers });
}

describe('POST /v0/quickstarts', () => {
  it('fills in defaults', async () => {
    const made = await create({ name: ' Schritt 1 🙂 ' });
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/) as string,
      orgId: 'org-1',
      applicationId: server.applicationId,
      createdAt: expect.stringMatching(/Z$/) as string,
      modifiedAt: made.createdAt,
      name: 'Schritt 1 🙂',
      status: 'UPLOADING',
      styleGuideId: null,
      reason: null,
      uploads: [],
      counts: { topics: 0, tasks: 0, definitions: 0, documents: 0 },
    });
    expect(await get(made)).toEqual(made);
  });

  it('takes a style guide that is there', async () => {
    const { id: styleGuideId } = await createGuide();
    expect(await create({ name: 'x', styleGuideId })).toMatchObject({ styleGuideId });
    const theirs = await createGuide({}, other.headers);
    for (const unknown of [UNKNOWN, theirs.id]) {
      const { status, json } = await server.call('POST', '/v0/quickstarts', {
        body: { name: 'x', styleGuideId: unknown },
      });
      expect([status, json]).toEqual([404, { message: 'style guide not found' }]);
    }
  });

  testHttp(
    () => server,
    ([['a name in letters', { name: ' ' }, 'too_small', 'name']] as const).map(
      ([rule, body, code, field]) => ({
        name: `needs ${rule}`,
        request: 'POST /v0/quickstarts' as const,
        body,
        status: 422,
        mustContain: [`"code":"${code}"`, `"path":["${field}"]`],
      }),
    ),
  );
});

describe('one quickstart', () => {
  it('is changed in part', async () => {
    const { id: styleGuideId } = await createGuide();
    const before = await create({ name: 'before', styleGuideId });
    const path = `/v0/quickstarts/${before.id}`;
    const after = await call<Quickstart>('PUT', path, { name: 'after', orgId: 'theirs' });
    expect(after).toEqual({ ...before, name: 'after', modifiedAt: after.modifiedAt });
    expect(await call('PUT', path, { styleGuideId: null })).toMatchObject({
      name: 'after',
      styleGuideId: null,
    });
    expect((await server.call('PUT', path, { body: { name: 'never', styleGuideId: UNKNOWN } })).status).toBe(
      404,
    );
    expect((await server.call('PUT', path, { body: { name: 'never', status: 'COMPLETE' } })).status).toBe(
      409,
    );
    expect(await get(before)).toMatchObject({ name: 'after', status: 'UPLOADING' });
  });
});

describe('the status of a quickstart', () => {
  const BY_PERSON = [
    'UPLOADING → TASKS_TOPICS_REVIEW',
    'TASKS_TOPICS_REVIEW → KNOWLEDGE_BASE_REVIEW',
    'KNOWLEDGE_BASE_REVIEW → TASKS_TOPICS_REVIEW',
    'KNOWLEDGE_BASE_REVIEW → POLICIES_REVIEW',
    'POLICIES_REVIEW → KNOWLEDGE_BASE_REVIEW',
    'POLICIES_REVIEW → STYLE_REVIEW',
    'STYLE_REVIEW → POLICIES_REVIEW',
    'FAILED → STYLE_REVIEW',
  ];
  const statuses = quickstartStatus.options;

  it.each(statuses)('is changed from %s by PUT only where it may be', async (from) => {
    const made = await create({ name: 'x' });
    const path = `/v0/quickstarts/${made.id}`;
    for (const to of statuses) {
      force(made, from);
      const { status, json } = await server.call('PUT', path, { body: { status: to } });
      const isAllowed = from === to || BY_PERSON.includes(`${from} → ${to}`);
      const message = `A quickstart in ${from} cannot change to ${to}`;
      expect([status, json], to).toEqual(isAllowed ? [200, expect.objectContaining({})] : [409, { message }]);
      expect((await get(made)).status).toBe(isAllowed ? to : from);
    }
  });

  it.each(statuses)('lets scores be confirmed in STYLE_REVIEW only, not in %s else', async (from) => {
    const made = await create({ name: 'x' });
    force(made, from);
    const body = { quickstartId: made.id };
    const { status, json } = await server.call('POST', '/v0/quickstarts/confirm-style-scores', { body });
    if (from !== 'STYLE_REVIEW') {
      expect(status).toBe(409);
      expect((await get(made)).status).toBe(from);
      return;
    }
    const data = { quickstartId: made.id, applicationId: server.applicationId };
    expect([status, json]).toEqual([200, { data }]);
    await expect.poll(async () => (await get(made)).status).toBe('COMPLETE');
    expect((await server.call('POST', '/v0/quickstarts/confirm-style-scores', { body })).status).toBe(409);
  });
});

describe('completion', () => {
  it('makes drafts active, approves the style guide and links what has no topic', async () => {
    const made = await create({ name: 'x' });
    const draft = { quickstartId: made.id, status: 'DRAFT' };
    const guide = await createGuide({ quickstartId: made.id });
    const topic = await call<{ id: string }>('POST', '/v0/topics', { title: 'Drafted', ...draft });
    const task = await call<{ id: string }>('POST', '/v0/tasks', { title: 't', type: 'STATIC', ...draft });
    await call('PUT', `/v0/tasks/${task.id}/schedule`, { criticality: 'HIGH' });
    const archived = await call<{ id: string }>('POST', '/v0/topics', { title: 'Gone', ...draft });
    await call('POST', `/v0/topics/${archived.id}/archive`);
    const foreign = await call<{ id: string }>('POST', '/v0/topics', { title: 'Foreign', status: 'DRAFT' });
    const rule = { type: 'CUSTOM', globalConfig: { criterion: 'Is polite' } };
    const [everywhere, already, inTopic] = await Promise.all(
      [draft, { ...draft, status: 'ACTIVE' }, draft, {}].map((more) =>
        call<{ id: string }>('POST', '/v0/definitions', { name: 'd', ...rule, ...more }),
      ),
    );
    const link = { evalIds: [inTopic?.id], topicIds: [topic.id] };
    await call('POST', '/v0/definitions/link', link);

    force(made, 'STYLE_REVIEW');
    await call('POST', '/v0/quickstarts/confirm-style-scores', { quickstartId: made.id });
    await expect.poll(async () => (await get(made)).status).toBe('COMPLETE');

    expect(await call('GET', `/v0/topics/${topic.id}`)).toMatchObject({ status: 'ACTIVE' });
    expect(await call('GET', `/v0/topics/${archived.id}`)).toMatchObject({ status: 'ARCHIVED' });
    expect(await call('GET', `/v0/topics/${foreign.id}`)).toMatchObject({ status: 'DRAFT' });
    expect(await call('GET', `/v0/tasks/${task.id}`)).toMatchObject({
      status: 'ACTIVE',
      taskSchedule: { nextRunAt: expect.stringMatching(/Z$/) as string },
    });
    for (const definition of [everywhere, already, inTopic])
      expect(await call('GET', `/v0/definitions/${definition?.id}`)).toMatchObject({ status: 'ACTIVE' });
    const applying = await call<{ id: string }[]>('GET', `/v0/definitions?taskId=${task.id}`);
    const ids = new Set(applying.map(({ id }) => id));
    expect(ids).toEqual(new Set([everywhere?.id, already?.id]));
    const { json } = await server.call('GET', `/v0/definitions?scopeType=topic&quickstartId=${made.id}`);
    expect(json).toMatchObject({ data: [{ id: inTopic?.id }] });
    expect(await call('GET', `/v0/style-guides/${guide.id}`)).toMatchObject({
      content: [{ approved: true }, { approved: true }],
    });
    expect(await get(made)).toMatchObject({ counts: { topics: 2, tasks: 1, definitions: 3, documents: 0 } });
  });

  it('approves the style guide it names rather than others', async () => {
    const named = await createGuide();
    const made = await create({ name: 'x', styleGuideId: named.id });
    const unnamed = await createGuide({ quickstartId: made.id });
    force(made, 'STYLE_REVIEW');
    await call('POST', '/v0/quickstarts/confirm-style-scores', { quickstartId: made.id });
    await expect.poll(async () => (await get(made)).status).toBe('COMPLETE');
    for (const [{ id }, approved] of [
      [named, true],
      [unnamed, false],
    ] as const)
      expect(await call('GET', `/v0/style-guides/${id}`)).toMatchObject({
        content: [{ approved }, { approved }],
      });
  });

  it('that fails tells why and can be retried', async () => {
    const tenant = await server.newTenant();
    const send = <T>(method: string, path: string, body?: object): Promise<T> =>
      call(method, path, body, tenant.headers);
    const { id } = await send<Quickstart>('POST', '/v0/quickstarts', { name: 'x' });
    const { id: topicId } = await send<{ id: string }>('POST', '/v0/topics', {
      title: 'x',
      quickstartId: id,
      status: 'DRAFT',
    });
    // One more than an application takes.
    const definitions = Array.from({ length: 1_001 }, (_, index) => `${index}`);
    besideServer(server.folder, (database) => {
      const row = database.get<{ application: number }>(
        'SELECT application FROM quickstart WHERE id = ?',
        id,
      );
      const insert = (index: string): number =>
        database.run(
          `INSERT INTO definition (id, application, name, type, status, global_config, quickstart_id, version, repeats,
             created_at, modified_at) VALUES (?, ?, 'd', 'NATURALNESS', 'ACTIVE', '{}', ?, 1, 1, 1, 1)`,
          `00000000-0000-4000-8000-${index.padStart(12, '0')}`,
          row?.application ?? 0,
          id,
        );
      database.transaction(() => definitions.forEach(insert));
    });
    const confirm = async (status: string): Promise<unknown> => {
      force({ id }, 'STYLE_REVIEW');
      await send('POST', '/v0/quickstarts/confirm-style-scores', { quickstartId: id });
      const now = (): Promise<Quickstart> => send('GET', `/v0/quickstarts/${id}`);
      await expect.poll(async () => (await now()).status).toBe(status);
      return now();
    };
    expect(await confirm('FAILED')).toMatchObject({
      reason: 'At most 1000 evaluation definitions can be linked to each application',
    });

    besideServer(server.folder, (database) => database.run('DELETE FROM definition WHERE name = ?', 'd'));
    const path = `/v0/quickstarts/${id}`;
    expect(await send('PUT', path, { status: 'STYLE_REVIEW' })).toMatchObject({ reason: null });
    expect(await confirm('COMPLETE')).toMatchObject({ reason: null });
    expect(await send('GET', `/v0/topics/${topicId}`)).toMatchObject({ status: 'ACTIVE' });
  });
});

it('counts the policies of a quickstart and no others', async () => {
  const { id: quickstartId } = await create({ name: 'x' });
  const path = `/v0/quickstarts/${quickstartId}/policy-counts`;
  expect(await call('GET', path)).toEqual({ topicsCount: 0, applicationEvalCount: 0, topicEvalCounts: [] });
  const post = async (resource: string, body: object): Promise<string> =>
    (await call<{ id: string }>('POST', `/v0/${resource}`, body)).id;
  const [first, second, gone, foreign] = [
    await post('topics', { title: 'a', quickstartId }),
    await post('topics', { title: 'b', quickstartId, status: 'DRAFT' }),
    await post('topics', { title: 'c', quickstartId }),
    await post('topics', { title: 'd' }),
  ];
  await call('POST', `/v0/topics/${gone}/archive`);
  const define = async (topicIds: string[], more: object): Promise<string> => {
    const rule = { name: 'd', type: 'CUSTOM', globalConfig: { criterion: 'x' }, ...more };
    const evalId = await post('definitions', rule);
    if (topicIds.length > 0) await call('POST', '/v0/definitions/link', { evalIds: [evalId], topicIds });
    return evalId;
  };
  const archived = await define([first], { quickstartId });
  await define([first, second], { quickstartId });
  await define([second], { quickstartId, status: 'DRAFT' });
  await define([second], {});
  await define([foreign], { quickstartId });
  await define([], { quickstartId, status: 'DRAFT' });
  await define([], { quickstartId });
  await define([], {});
  await call('PUT', `/v0/definitions/${archived}`, { status: 'ARCHIVED' });
  expect(await call('GET', path)).toEqual({
    topicsCount: 2,
    applicationEvalCount: 2,
    topicEvalCounts: [
      { topicId: first, evalCount: 1 },
      { topicId: second, evalCount: 2 },
    ],
  });
});

describe('GET /v0/quickstarts', () => {
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await server.newTenant();
    for (const [name, status] of [
      ['b', 'UPLOADING'],
      ['c', 'COMPLETE'],
      ['a', 'FAILED'],
      ['a', 'UPLOADING'],
    ] as const)
      force(await create({ name }, tenant.headers), status);
  });

  it.each([
    ['', 'aacb'],
    ['orderBy=name&orderDir=asc', 'aabc'],
    ['orderBy=name&orderDir=asc&skip=1&limit=2', 'ab'],
    ['orderBy=status&orderDir=asc&limit=2', 'ca'],
    ['status=UPLOADING&orderBy=name', 'ba'],
    ['status=COMPLETE,FAILED&orderBy=name', 'ca'],
    ['status=PROCESSING', ''],
    ['skip=4', ''],
  ])('takes ?%s', async (query, expected) => {
    expect((await list(query, tenant.headers)).data.map(({ name }) => name).join('')).toBe(expected);
  });
});
