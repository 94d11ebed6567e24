import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DocumentChunk } from '../../src/api/generated/schema.ts';
import type { Document, DocumentVersion } from '../../src/api/generated/schema.ts';
import { testHttp } from '../support/http-cases.ts';
import { sharedServer, type Tenant, type TestServer } from '../support/server.ts';
import { createDocument, createTopic, getDocument, UNKNOWN } from './documents-support.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

const create = (body: object = {}): Promise<Document> => createDocument(server, body);

async function add({ id }: Document, body: object = {}): Promise<DocumentVersion> {
  const call = { body: { content: 'New text.', ...body } };
  return (await server.ok('POST', `/v0/documents/${id}/versions`, call)).data;
}

/** The answer's status and its version. */
async function put({ id }: Document, n: number, body: object): Promise<[number, DocumentVersion]> {
  const { status, json } = await server.call('PUT', `/v0/documents/${id}/versions/${n}`, { body });
  return [status, (json as { data: DocumentVersion }).data];
}

async function move(document: Document, n: number, ...states: string[]): Promise<void> {
  for (const status of states) expect((await put(document, n, { status }))[0], status).toBe(200);
}

const statuses = ({ versions }: Document): string =>
  versions.map(({ versionNumber, status }) => `${versionNumber} ${status}`).join(', ');

describe('a new version', () => {
  it('is a draft that takes what is left out from those before', async () => {
    const document = await create({ language: 'de', metadata: { a: 1 } });
    const version = await add(document, { content: 'Erstens. Zweitens!' });
    expect(version).toEqual({
      ...document.versions[0],
      id: version.id,
      createdAt: version.createdAt,
      modifiedAt: version.createdAt,
      content: 'Erstens. Zweitens!',
      originalSentences: ['Erstens.', 'Zweitens!'],
      status: 'DRAFT',
      versionNumber: 2,
    });
    const given = { title: 'Other', language: 'ja', metadata: { b: 2 }, content: '一です。二です。' };
    const third = await add(document, given);
    expect(third).toMatchObject({ ...given, versionNumber: 3, originalSentences: ['一です。', '二です。'] });
    expect(await add(document)).toMatchObject({ title: 'Refunds', language: 'ja', metadata: { b: 2 } });
    const path = `/v0/documents/${document.id}/versions/3`;
    expect((await server.call('GET', path)).json).toMatchObject({
      data: third,
      version: third,
      document: { id: document.id, type: 'KNOWLEDGE' },
    });
  });

  it('is a copy of the newest one without a body, or without a content', async () => {
    const originalSentences = ['One. Two.', 'Three.'];
    const document = await create({ content: 'One. Two. Three.', originalSentences, metadata: { a: 1 } });
    const path = `/v0/documents/${document.id}/versions`;
    const { data: copy } = await server.ok('POST', path, {});
    expect(copy).toMatchObject({
      content: 'One. Two. Three.',
      originalSentences,
      metadata: { a: 1 },
      status: 'DRAFT',
      versionNumber: 2,
    });
    const { json } = await server.call('POST', path, { body: { language: 'de' } });
    expect((json as { data: DocumentVersion }).data).toMatchObject({
      content: 'One. Two. Three.',
      originalSentences,
      language: 'de',
      versionNumber: 3,
    });
  });

  it('changes nothing of what the document shows while another one is approved', async () => {
    const document = await create();
    await add(document, { title: 'Other' });
    const { title, content, status } = await getDocument(server, document.id);
    expect({ title, content, status }).toEqual({
      title: 'Refunds',
      content: 'Within 30 days.',
      status: 'ACTIVE',
    });
  });

  it('is what the document shows while none is approved, and so are changes of it', async () => {
    const document = await create({ status: 'DRAFT' });
    await add(document, { title: 'Second', content: 'Two.' });
    expect(await getDocument(server, document.id)).toMatchObject({ title: 'Second', content: 'Two.' });
    await put(document, 2, { title: 'Changed' });
    await put(document, 1, { title: 'Not shown' });
    expect(await getDocument(server, document.id)).toMatchObject({ title: 'Changed', content: 'Two.' });
  });

  it('keeps the first 1000 sentences', async () => {
    const { versions } = await create({ content: 'One more. '.repeat(1_200) });
    expect(versions[0]?.originalSentences).toEqual(Array(1_000).fill('One more.'));
  });

  it('is one of the newest in the record, as far as they have 4 MiB together', async () => {
    const document = await create();
    for (const letter of 'abcde') await add(document, { content: letter.repeat(900_000) });
    const { versions, content } = await getDocument(server, document.id);
    expect(versions.map(({ versionNumber }) => versionNumber)).toEqual([6, 5]);
    expect(content).toBe('Within 30 days.');
  });
});

describe('the states of a version', () => {
  const ways: [from: string, way: string[], allowed: string[]][] = [
    ['DRAFT', [], ['DRAFT', 'REVIEW']],
    ['REVIEW', ['REVIEW'], ['REVIEW', 'DRAFT', 'APPROVED']],
    ['APPROVED', ['REVIEW', 'APPROVED'], ['APPROVED']],
  ];
  it.each(ways)('from %s', async (from, way, allowed) => {
    for (const to of ['DRAFT', 'REVIEW', 'APPROVED', 'ARCHIVED']) {
      const document = await create();
      await add(document);
      await move(document, 2, ...way);
      const before = await getDocument(server, document.id);
      const path = `/v0/documents/${document.id}/versions/2`;
      const { status, json } = await server.call('PUT', path, { body: { status: to } });
      expect([to, status]).toEqual([to, allowed.includes(to) ? 200 : 409]);
      if (status === 200) expect(json).toMatchObject({ data: { status: to } });
      else {
        expect((json as { message: string }).message).toMatch(`a version that is ${from}`);
        expect(await getDocument(server, document.id)).toEqual(before);
      }
    }
  });

  it('end with ARCHIVED, where approving another one leads', async () => {
    const document = await create();
    await add(document, { title: 'Second', content: 'Two.' });
    await move(document, 2, 'REVIEW', 'APPROVED');
    for (const status of ['DRAFT', 'REVIEW', 'APPROVED'])
      expect((await put(document, 1, { status }))[0]).toBe(409);
    const shown = await getDocument(server, document.id);
    expect(shown).toMatchObject({ title: 'Second', content: 'Two.', status: 'ACTIVE' });
    expect(statuses(shown)).toBe('2 APPROVED, 1 ARCHIVED');
    expect(shown.modifiedAt > document.modifiedAt).toBe(true);

    await add(document, { title: 'Third' });
    await move(document, 3, 'REVIEW', 'DRAFT', 'REVIEW', 'APPROVED');
    expect(statuses(await getDocument(server, document.id))).toBe('3 APPROVED, 2 ARCHIVED, 1 ARCHIVED');
  });

  it('an approved version does not make a draft of a document active, but lets it become so', async () => {
    const document = await create({ status: 'DRAFT' });
    await move(document, 1, 'REVIEW', 'APPROVED');
    expect(await getDocument(server, document.id)).toMatchObject({ status: 'DRAFT' });
    const { json } = await server.call('PUT', `/v0/documents/${document.id}`, { body: { status: 'ACTIVE' } });
    expect(json).toMatchObject({ document: { status: 'ACTIVE' } });
  });

  it('let the text of a draft be changed, and of no other', async () => {
    const document = await create();
    await add(document);
    const text = { title: 'Better', content: 'First. Then.', language: 'fr', metadata: { n: 1 } };
    const [status, changed] = await put(document, 2, { ...text, versionNumber: 9, id: UNKNOWN });
    expect(status).toBe(200);
    expect(changed).toMatchObject({ ...text, versionNumber: 2, originalSentences: ['First.', 'Then.'] });
    expect(await put(document, 2, { title: 'Best', status: 'REVIEW' })).toMatchObject([
      200,
      { title: 'Best', status: 'REVIEW' },
    ]);
    for (const n of [1, 2])
      for (const body of [
        { title: 'x' },
        { content: 'x' },
        { language: 'en' },
        { metadata: {} },
        { title: 'x', status: 'DRAFT' },
      ])
        expect((await put(document, n, body))[0], JSON.stringify(body)).toBe(409);
    expect(await put(document, 2, {})).toMatchObject([
      200,
      { title: 'Best', content: 'First. Then.', status: 'REVIEW' },
    ]);
  });
});

describe('the versions of a document', () => {
  it('are listed with short texts, the newest first', async () => {
    const document = await create();
    for (const title of ['b', 'c']) await add(document, { title });
    const list = async (query: string): Promise<unknown> => {
      const { data, pagination } = await server.ok('GET', `/v0/documents/${document.id}/versions?${query}`);
      return [data.map(({ title }) => title).join(' '), pagination.total];
    };
    expect(await list('')).toEqual(['c b Refunds', 3]);
    expect(await list('orderDir=asc&limit=2')).toEqual(['Refunds b', 3]);
    expect(await list('skip=2')).toEqual(['Refunds', 3]);
    const { json } = await server.call('GET', `/v0/documents/${document.id}/versions?limit=1`);
    const [version] = (await getDocument(server, document.id)).versions as [DocumentVersion];
    const entry = { ...version, originalSentences: [] };
    expect(json).toMatchObject({ data: [entry], versions: [entry], document: { id: document.id } });
  });

  it('are not there by other numbers', async () => {
    const { id } = await create();
    for (const [method, call] of [
      ['GET', {}],
      ['PUT', { body: { status: 'REVIEW' } }],
    ] as const) {
      const { status, json } = await server.call(method, `/v0/documents/${id}/versions/2`, call);
      expect([status, json]).toEqual([404, { message: 'version not found' }]);
    }
  });

  const path = `/v0/documents/${UNKNOWN}/versions`;
  testHttp(
    () => server,
    [{ name: 'have languages', request: `POST ${path}`, body: { content: 'x', language: '?' }, status: 422 }],
  );
});

describe('GET /v0/documents/chunked', () => {
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await server.newTenant();
  });

  const chunks = async (query: string): Promise<{ data: DocumentChunk[]; pagination: object }> => {
    return server.ok('GET', `/v0/documents/chunked?${query}`, {
      headers: tenant.headers,
    });
  };
  const texts = async (query: string): Promise<string[]> =>
    (await chunks(query)).data.map(({ text }) => text);
  const make = (body: object): Promise<Document> => createDocument(server, body, tenant.headers);

  it('answers the approved contents of active documents in pieces', async () => {
    const topicId = await createTopic(server, tenant.headers);
    const content = '# One\nFirst.\n# Two\nSecond.\n# Three\nThird.';
    const document = await make({ title: 'Guide', content, topicId });
    const policy = await make({ content: 'Be kind.', type: 'POLICY' });
    await make({ content: 'Unseen.', status: 'DRAFT', topicId });
    await createDocument(server, { content: 'Of another application.' });

    const { data, pagination } = await chunks('');
    expect(pagination).toEqual({ skip: 0, limit: 25, total: 4, totalPages: 1 });
    expect(data.filter(({ documentId }) => documentId === document.id)).toEqual(
      ['# One\nFirst.\n', '# Two\nSecond.\n', '# Three\nThird.'].map((text, index) => ({
        documentId: document.id,
        versionNumber: 1,
        index,
        title: 'Guide',
        text,
        start: content.indexOf(text),
        end: content.indexOf(text) + text.length,
      })),
    );
    expect([
      ...(await texts('limit=1')),
      ...(await texts('skip=1&limit=2')),
      ...(await texts('skip=3')),
    ]).toEqual(data.map(({ text }) => text));
    expect(await texts('type=POLICY')).toEqual(['Be kind.']);
    expect(await texts(`topicId=${topicId}&limit=1`)).toEqual(['# One\nFirst.\n']);
    expect(await texts(`documentId=${policy.id},${UNKNOWN}`)).toEqual(['Be kind.']);
    expect(await texts(`topicId=${topicId}&type=POLICY`)).toEqual([]);
    expect(await texts(`quickstartId=${UNKNOWN}`)).toEqual([]);
    expect((await chunks(`documentId=${document.id}`)).pagination).toMatchObject({ total: 3 });
    const { json } = await server.call('GET', `/v0/documents/chunked?documentId=${document.id}`);
    expect(json).toMatchObject({ data: [], pagination: { total: 0 } });
  });

  it('follows what is approved and active', async () => {
    const { id } = await make({ content: 'Old.' });
    const call = (method: string, end: string, body: object) =>
      server.call(method, `/v0/documents/${id}${end}`, { body, headers: tenant.headers });
    await call('POST', '/versions', { content: 'New.', title: 'Newer' });
    await call('PUT', '/versions/2', { status: 'REVIEW' });
    expect(await texts(`documentId=${id}`)).toEqual(['Old.']);
    await call('PUT', '/versions/2', { status: 'APPROVED' });
    expect((await chunks(`documentId=${id}`)).data).toMatchObject([
      { text: 'New.', title: 'Newer', versionNumber: 2 },
    ]);
    await call('PUT', '', { status: 'DRAFT' });
    expect(await chunks(`documentId=${id}`)).toMatchObject({ data: [], pagination: { total: 0 } });
    await call('PUT', '', { status: 'ACTIVE' });
    expect(await texts(`documentId=${id}`)).toEqual(['New.']);
  });
});
