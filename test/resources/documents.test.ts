import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Document } from '../../src/api/generated/schema.ts';
import { testHttp } from '../support/http-cases.ts';
import { sharedServer, type Tenant, type TestServer } from '../support/server.ts';
import {
  createDocument,
  createQuickstart,
  createTopic,
  getDocument,
  type Headers,
  UNKNOWN,
} from './documents-support.ts';
import { isOver, startSite, text as textPage } from './scrape-support.ts';
import { until } from '../support/until.ts';

let server: TestServer;
let other: Tenant;
beforeAll(async () => {
  server = await sharedServer();
  other = await server.newTenant();
});
afterAll(() => server.close());

const create = (body: object = {}, headers: Headers = {}): Promise<Document> =>
  createDocument(server, body, headers);

interface Page {
  data: Document[];
  pagination: { total: number };
}

async function list(query: string, headers: Headers = {}): Promise<Page> {
  return server.ok('GET', `/v0/documents?${query}`, { headers });
}

describe('POST /v0/documents', () => {
  it('makes an active document with an approved version', async () => {
    const content = 'Send it back within 30 days. We pay!';
    const made = await create({ title: ' Refunds ', content, type: 'POLICY' });
    const time = expect.stringMatching(/Z$/) as string;
    const id = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/) as string;
    const common = {
      id,
      orgId: 'org-1',
      applicationId: server.applicationId,
      createdAt: time,
      modifiedAt: made.createdAt,
      type: 'POLICY',
      title: 'Refunds',
      content,
    };
    expect(made).toEqual({
      ...common,
      optimized: false,
      isVerified: false,
      status: 'ACTIVE',
      assignee: null,
      scrapeJobId: null,
      fileProcessingId: null,
      topicId: null,
      quickstartId: null,
      versions: [
        {
          ...common,
          language: 'en',
          status: 'APPROVED',
          versionNumber: 1,
          documentId: made.id,
          metadata: {},
          originalSentences: ['Send it back within 30 days.', 'We pay!'],
        },
      ],
    });
    expect(await getDocument(server, made.id)).toEqual(made);
  });

  it('takes all fields', async () => {
    const [topicId, quickstartId] = [await createTopic(server), await createQuickstart(server)];
    const fields = { assignee: 'ada', isVerified: true, status: 'DRAFT', topicId, quickstartId };
    const text = { language: 'de-CH', metadata: { source: 'wiki', nested: { n: 1 } } };
    const made = await create({ ...fields, ...text });
    expect(made).toMatchObject(fields);
    expect(made.versions).toMatchObject([{ ...text, status: 'DRAFT' }]);
  });

  it('takes the language of the application', async () => {
    const tenant = await server.newTenant();
    const body = { language: 'pt-BR' };
    const path = `/v0/applications/${tenant.applicationId}`;
    expect((await server.call('PUT', path, { body, headers: tenant.headers })).status).toBe(200);
    expect((await create({}, tenant.headers)).versions[0]?.language).toBe('pt-BR');
  });

  const good = { title: 'x', content: 'x', type: 'POLICY' };
  const rejected: [rule: string, body: object, code: string, field: string][] = [
    ['a title in letters', { title: ' ' }, 'too_small', 'title'],
    ['a language tag', { language: 'no such language' }, 'invalid_string', 'language'],
    ['little metadata', { metadata: { x: 'x'.repeat(20_000) } }, 'too_big', 'metadata'],
  ];
  testHttp(
    () => server,
    rejected.map(([rule, body, code, field]) => ({
      name: `needs ${rule}`,
      request: 'POST /v0/documents',
      body: { ...good, ...body },
      status: 422,
      mustContain: [`"code":"${code}"`, `"path":["${field}"]`],
    })),
  );
});

describe('one document', () => {
  const put = async (id: string, body: object): Promise<Document> => {
    return (await server.ok('PUT', `/v0/documents/${id}`, { body })).document;
  };

  it('goes into a topic and out of it', async () => {
    const topicId = await createTopic(server);
    const made = await create({ assignee: 'ada' });
    const inside = await put(made.id, { topicId: topicId.toUpperCase() });
    expect(inside).toEqual({ ...made, topicId, modifiedAt: inside.modifiedAt });
    expect(await put(made.id, {})).toMatchObject({ topicId, assignee: 'ada' });
    expect(await put(made.id, { topicId: null })).toMatchObject({ topicId: null });
    expect(await getDocument(server, made.id)).toMatchObject({ topicId: null });
  });

  it('is changed in part, title and content excepted', async () => {
    const made = await create();
    const body = {
      assignee: 'bob',
      isVerified: true,
      status: 'DRAFT',
      title: 'never',
      content: 'never',
      type: 'POLICY',
    };
    const changed = await put(made.id, body);
    const changes = { assignee: 'bob', isVerified: true, status: 'DRAFT', modifiedAt: changed.modifiedAt };
    expect(changed).toEqual({ ...made, ...changes });
    expect(await put(made.id, { status: 'ACTIVE', assignee: null })).toMatchObject({
      status: 'ACTIVE',
      assignee: null,
    });
  });

  it('becomes active only with an approved version', async () => {
    const { id } = await create({ status: 'DRAFT' });
    const { status, json } = await server.call('PUT', `/v0/documents/${id}`, {
      body: { status: 'ACTIVE', assignee: 'x' },
    });
    expect([status, json]).toEqual([
      409,
      { message: 'a document becomes ACTIVE only with an APPROVED version' },
    ]);
    expect(await getDocument(server, id)).toMatchObject({ status: 'DRAFT', assignee: null });
  });

  it('is put into no topic that is not there', async () => {
    const made = await create();
    for (const topicId of [UNKNOWN, await createTopic(server, other.headers)]) {
      const body = { topicId, isVerified: true };
      const { status, json } = await server.call('PUT', `/v0/documents/${made.id}`, { body });
      expect([status, json]).toEqual([404, { message: 'topic not found' }]);
    }
    expect(await getDocument(server, made.id)).toEqual(made);
  });

  it('names the scrape it came from', async () => {
    const site = await startSite({ '/': textPage('What the page says.') });
    const body = { name: 'Site', url: site.url, maxPages: 1 };
    const { id } = (await server.ok('POST', '/v0/scrape-jobs', { body })).data;
    const read = async () => (await server.ok('GET', `/v0/scrape-jobs/${id}`)).data;
    const scrapeJob = await until(read, isOver);
    await site.close();
    const { data } = await list('search=127.0.0.1');
    const [entry] = data;
    expect(entry).toMatchObject({ content: 'What the page says.', scrapeJobId: scrapeJob.id });
    expect(entry).not.toHaveProperty('scrapeJob');
    expect(await getDocument(server, entry?.id ?? '')).toMatchObject({ scrapeJob });
    expect(await put(entry?.id ?? '', { isVerified: true })).toMatchObject({ isVerified: true, scrapeJob });
  });

  it('is gone when it was deleted, with its versions and chunks', async () => {
    const { id } = await create();
    for (const content of ['A second version.', 'A third one.'])
      await server.ok('POST', `/v0/documents/${id}/versions`, { body: { content } });
    expect(await server.call('DELETE', `/v0/documents/${id}`)).toMatchObject({ status: 204, text: '' });
    for (const [method, end] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/versions'],
      ['GET', '/versions/1'],
    ] as const)
      expect((await server.call(method, `/v0/documents/${id}${end}`)).status).toBe(404);
    expect((await server.call('GET', `/v0/documents/chunked?documentId=${id}`)).json).toMatchObject({
      data: [],
    });
  });

  testHttp(
    () => server,
    [{ name: 'is changed by a body', request: `PUT /v0/documents/${UNKNOWN}`, status: 400 }],
  );
});

describe('GET /v0/documents', () => {
  let tenant: Tenant;
  let topicId: string;
  let quickstartId: string;
  beforeAll(async () => {
    tenant = await server.newTenant();
    topicId = await createTopic(server, tenant.headers);
    quickstartId = await createQuickstart(server, tenant.headers);
    for (const more of [
      { title: 'b', type: 'KNOWLEDGE', assignee: 'ada', topicId },
      { title: 'c', type: 'POLICY', assignee: 'bob', isVerified: true },
      { title: 'a', type: 'KNOWLEDGE', status: 'DRAFT', quickstartId },
      { title: 'a', type: 'KNOWLEDGE', assignee: 'ada', isVerified: true },
      { title: 'ÄÖ_', type: 'POLICY', status: 'DRAFT', topicId },
    ])
      await create(more, tenant.headers);
  });

  it.each([
    ['orderBy=title&orderDir=asc', 'a a b c ÄÖ_'],
    ['orderBy=title&orderDir=asc&skip=1&limit=2', 'a b'],
    ['orderBy=type&limit=2&type=POLICY,KNOWLEDGE&status=ACTIVE&assignee=bob', 'c'],
    ['skip=5', ''],
    ['type=POLICY&orderBy=title', 'ÄÖ_ c'],
    ['status=DRAFT&orderBy=title', 'ÄÖ_ a'],
    ['status=DRAFT,ACTIVE&limit=1&orderBy=title', 'ÄÖ_'],
    ['topicId={topic}&orderBy=title', 'ÄÖ_ b'],
    [`topicId={topic}&topicId=${UNKNOWN}&type=KNOWLEDGE`, 'b'],
    [`topicId=${UNKNOWN}`, ''],
    ['assignee=ada&orderBy=title', 'b a'],
    ['assignee[]=ada&assignee[]=bob&isVerified=true&orderBy=title', 'c a'],
    ['isVerified=false&status=ACTIVE', 'b'],
    ['quickstartId={quickstart}', 'a'],
    ['search=äö_', 'ÄÖ_'],
    ['search=%25', ''],
    ['search=a&assignee=ada', 'a'],
  ])('takes ?%s', async (query, expected) => {
    const filled = query.replace('{topic}', topicId).replace('{quickstart}', quickstartId);
    const { data, pagination } = await list(filled, tenant.headers);
    expect(data.map(({ title }) => title).join(' ')).toBe(expected);
    if (!/skip|limit/.test(query)) expect(pagination.total).toBe(data.length);
  });

  it('truncates contents, also those of versions', async () => {
    const { headers } = await server.newTenant();
    const { content, versions, ...rest } = await create(
      { content: `${'x'.repeat(999)}😀${'y'.repeat(5_000)}`, metadata: { a: 'x'.repeat(2_000) } },
      headers,
    );
    expect(content).toHaveLength(6_001);
    const short = { content: 'x'.repeat(999), metadata: {}, originalSentences: [] };
    expect((await list('', headers)).data).toEqual([
      { ...rest, content: short.content, versions: [{ ...versions[0], ...short }], tags: [] },
    ]);
  });
});

describe('GET /v0/documents/count-by-assignee', () => {
  it('counts over all applications of the organisation, and over no other', async () => {
    const [first, second, stranger] = [
      await server.newTenant({ orgId: 'org-counts' }),
      await server.newTenant({ orgId: 'org-counts' }),
      await server.newTenant({ orgId: 'org-stranger' }),
    ];
    const documents: [Tenant, object, number][] = [
      [first, { assignee: 'ada' }, 2],
      [second, { assignee: 'ada' }, 1],
      [second, { assignee: 'bob' }, 2],
      [first, { assignee: 'eve' }, 2],
      [first, { assignee: null }, 3],
      [first, { assignee: 'bob', type: 'POLICY' }, 1],
      [second, { assignee: 'ada', status: 'DRAFT' }, 1],
      [stranger, { assignee: 'ada' }, 4],
    ];
    for (const [{ headers }, body, times] of documents)
      for (let i = 0; i < times; i++) await create(body, headers);
    const counts = async (query: string, { headers }: Tenant): Promise<unknown> => {
      const { status, json } = await server.call('GET', `/v0/documents/count-by-assignee?${query}`, {
        headers,
      });
      return [
        status,
        ...(json as { data: { assignee: string; count: number }[] }).data.map((one) =>
          Object.values(one).join(' '),
        ),
      ];
    };
    for (const tenant of [first, second])
      expect(await counts('', tenant)).toEqual([200, 'ada 3', 'bob 2', 'eve 2']);
    expect(await counts('type=KNOWLEDGE&status=ACTIVE', first)).toEqual([200, 'ada 3', 'bob 2', 'eve 2']);
    expect(await counts('type=POLICY', second)).toEqual([200, 'bob 1']);
    expect(await counts('status=DRAFT', first)).toEqual([200, 'ada 1']);
    expect(await counts('type=POLICY&status=DRAFT', first)).toEqual([200]);
    expect(await counts('', stranger)).toEqual([200, 'ada 4']);
  });
});
