import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Document } from '../../src/api/generated/schema.ts';
import { sharedServer, type Tenant, type TestServer } from '../support/server.ts';
import { createQuickstart, createTopic, getDocument, type Headers, UNKNOWN } from './documents-support.ts';

let server: TestServer;
let other: Tenant;
beforeAll(async () => {
  server = await sharedServer();
  other = await server.newTenant();
});
afterAll(() => server.close());

interface Report {
  fileProcessingId: string;
  created: number;
  documentIds: string[];
  rejected: { line: number; error: string }[];
  rejectedCount: number;
}
interface Answer {
  status: number;
  json: { data: Report; message: string; issues?: { path: string[]; message: string }[] };
}

type Content = string | Uint8Array<ArrayBuffer>;

async function send(
  name: string,
  content: Content,
  fields: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const form = new FormData();
  form.append('file', new Blob([content]), name);
  for (const [field, value] of Object.entries({ type: 'KNOWLEDGE', ...fields })) form.append(field, value);
  const response = await fetch(`${server.url}/v0/documents/upload`, {
    method: 'POST',
    headers: server.headers,
    body: form,
  });
  return { status: response.status, json: (await response.json()) as Answer['json'] };
}

async function upload(
  name: string,
  content: Content,
  fields: Readonly<Record<string, string>> = {},
): Promise<Report> {
  const { status, json } = await send(name, content, fields);
  expect(status, JSON.stringify(json)).toBe(201);
  return json.data;
}

const documentsOf = ({ documentIds }: Report): Promise<Document[]> =>
  Promise.all(documentIds.map((id) => getDocument(server, id)));

async function count(headers: Headers = {}): Promise<number> {
  return (await server.ok('GET', '/v0/documents?limit=1', { headers })).pagination.total;
}

describe('text and Markdown', () => {
  it('make one document, with what the form says', async () => {
    const [topicId, quickstartId] = [await createTopic(server), await createQuickstart(server)];
    const fields = { type: 'POLICY', topicId, quickstartId, assignee: 'ada', title: 'House rules' };
    const report = await upload('rules.txt', '\ufeffBe kind.\r\nAlways.', fields);
    expect(report).toMatchObject({ created: 1, rejected: [], rejectedCount: 0 });
    const [document] = await documentsOf(report);
    expect(document).toMatchObject({
      ...fields,
      id: report.documentIds[0],
      status: 'ACTIVE',
      content: 'Be kind.\r\nAlways.',
      fileProcessingId: report.fileProcessingId,
      versions: [{ status: 'APPROVED', versionNumber: 1, language: 'en', metadata: {} }],
    });
    expect((await upload('rules.txt', 'x')).fileProcessingId).not.toBe(report.fileProcessingId);
  });

  it.each([
    ['plan.md', 'Intro\n\n##  The plan \n# Later', 'The plan'],
    ['plan.MARKDOWN', '# Läuft 😀', 'Läuft 😀'],
    ['plan.md', 'no #heading\n#neither', 'plan.md'],
    ['plan.md', `# ${'x'.repeat(600)}`, 'x'.repeat(512)],
    ['plan.txt', '# not Markdown', 'plan.txt'],
    ['a/b/plan.txt', 'x', 'plan.txt'],
  ])('are called by a heading or the name: %s with %j', async (name, content, title) => {
    expect(await documentsOf(await upload(name, content))).toMatchObject([{ title, content }]);
  });

  it.each<[rule: string, content: Content, message: string]>([
    ['nothing', '', 'must contain text'],
    ['blanks only', ' \n ', 'must contain text'],
    ['other bytes than UTF-8', Uint8Array.from([0x61, 0xff, 0x62]), 'must be text in UTF-8'],
    ['half a character at the end', Uint8Array.from([0x61, 0xf0, 0x9f]), 'must be text in UTF-8'],
    ['a NUL', 'a\0b', 'must be text in UTF-8'],
    ['more than 1 MiB', 'x'.repeat(1024 * 1024 + 1), 'Too big: expected string to have <=1048576 characters'],
    ['much more than 1 MiB', 'x'.repeat(5 * 1024 * 1024), 'must have at most 1048576 characters'],
  ])('with %s are rejected', async (_definition, content, message) => {
    const before = await count();
    const { status, json } = await send('a.txt', content);
    expect([status, json.issues?.map((issue) => [issue.path, issue.message])]).toEqual([
      422,
      [[['file'], message]],
    ]);
    expect(await count()).toBe(before);
  });

  it('may have 1 MiB of text, wherever its characters are truncated on the way', async () => {
    const content = `x${'é😀'.repeat(349_524)}`;
    expect(await documentsOf(await upload('a.txt', content))).toMatchObject([{ content }]);
  });
});

describe('CSV', () => {
  it('makes a document of each good row, and reports the others', async () => {
    const [topicId, theirs] = [await createTopic(server), await createTopic(server, other.headers)];
    const rows = [
      'title;content;assignee;language;topicId;source',
      'Refunds;"30 days;\nno more";;;;wiki',
      `Shipping;Two days.;bob;de;${topicId};`,
      ';No title;;;;',
      'Ragged;x',
      'No content;;;;;',
      'Language;x;;no such;;',
      `Topic;x;;;${UNKNOWN};`,
      `Topic;x;;;${theirs};`,
      'Last;One.;;;;mail',
    ];
    const report = await upload('faq.csv', rows.join('\n'), { assignee: 'ada', type: 'POLICY' });
    expect(report).toMatchObject({ created: 3, rejectedCount: 6 });
    expect(report.rejected).toEqual([
      { line: 5, error: 'title: Required' },
      { line: 6, error: 'has 2 cells where the header has 6' },
      { line: 7, error: 'content: Required' },
      { line: 8, error: 'language: must be a language tag, such as en' },
      { line: 9, error: 'topic not found' },
      { line: 10, error: 'topic not found' },
    ]);
    const common = { type: 'POLICY', status: 'ACTIVE', fileProcessingId: report.fileProcessingId };
    expect(await documentsOf(report)).toMatchObject([
      {
        ...common,
        title: 'Refunds',
        content: '30 days;\nno more',
        assignee: 'ada',
        topicId: null,
        versions: [{ language: 'en', metadata: { source: 'wiki' } }],
      },
      {
        ...common,
        title: 'Shipping',
        assignee: 'bob',
        topicId,
        versions: [{ language: 'de', metadata: {} }],
      },
      { ...common, title: 'Last', versions: [{ metadata: { source: 'mail' } }] },
    ]);
  });

  it('takes the topic of the form where the row has none', async () => {
    const [form, row] = [await createTopic(server), await createTopic(server)];
    const report = await upload('a.csv', `title,content,topicId\na,x,\nb,x,${row}`, { topicId: form });
    expect((await documentsOf(report)).map(({ topicId }) => topicId)).toEqual([form, row]);
  });

  it('answers bounded lists of many rows', async () => {
    const tenant = await server.newTenant();
    const rows = Array.from({ length: 1_300 }, (_, n) => (n % 10 === 0 ? `only ${n}` : `t${n},c${n}`));
    const form = new FormData();
    form.append('type', 'KNOWLEDGE');
    form.append('file', new Blob([`title,content\n${rows.join('\n')}`]), 'many.csv');
    const response = await fetch(`${server.url}/v0/documents/upload`, {
      method: 'POST',
      headers: tenant.headers,
      body: form,
    });
    const { data } = (await response.json()) as { data: Report };
    expect(data).toMatchObject({ created: 1_170, rejectedCount: 130 });
    expect([data.documentIds.length, new Set(data.documentIds).size, data.rejected.length]).toEqual([
      1_000, 1_000, 100,
    ]);
    expect(data.rejected.at(-1)).toEqual({ line: 992, error: 'has 1 cells where the header has 2' });
    expect(await count(tenant.headers)).toBe(1_170);
  });

  it('is read as far as its 100000th row', async () => {
    const report = await upload(
      'a.csv',
      `title,content\n${'x\n'.repeat(99_999)}last,one\nnever,made\nnor,this`,
    );
    expect(report).toMatchObject({ created: 1, rejectedCount: 100_000 });
    expect(report.rejected).toHaveLength(100);
    expect(report.rejected.at(-1)).toEqual({
      line: 100_002,
      error: 'is beyond the limit of 100000 rows; the rest of the file was not read',
    });
  });

  it('may have no good row at all', async () => {
    expect(await upload('a.csv', 'name,text\na,b')).toMatchObject({
      created: 0,
      documentIds: [],
      rejected: [{ line: 2, error: 'title: Required; content: Required' }],
    });
  });

  it.each<[rule: string, content: Content, message: string]>([
    ['nothing', '', 'the file has no header row'],
    ['a header only', 'title,content\n', 'must have rows below its header'],
    ['no text', Uint8Array.from([0x50, 0x4b, 3, 4, 0, 0xff, 10, 1]), 'the file is not text in UTF-8'],
  ])('with %s is rejected', async (_definition, content, message) => {
    const before = await count();
    const { status, json } = await send('a.csv', content);
    expect([status, json.issues?.map((issue) => [issue.path, issue.message])]).toEqual([
      422,
      [[['file'], message]],
    ]);
    expect(await count()).toBe(before);
  });
});

describe('an upload that is rejected', () => {
  it.each<[rule: string, name: string, fields: Record<string, string>, status: number, path: string | null]>([
    ['another kind of file', 'a.pdf', {}, 422, 'file'],
    ['an unknown type', 'a.txt', { type: 'STYLE' }, 422, 'type'],
    ['a topic that is no uuid', 'a.txt', { topicId: 'x' }, 422, 'topicId'],
    ['a quickstart that is no uuid', 'a.txt', { quickstartId: 'x' }, 422, 'quickstartId'],
    ['a long assignee', 'a.txt', { assignee: 'x'.repeat(257) }, 422, 'assignee'],
    ['a long title', 'a.txt', { title: 'x'.repeat(513) }, 422, 'title'],
    ['a topic that is not there', 'a.txt', { topicId: UNKNOWN }, 404, null],
    ['a quickstart that is not there', 'a.csv', { quickstartId: UNKNOWN }, 404, null],
  ])('has %s', async (_definition, name, fields, status, path) => {
    const before = await count();
    const answer = await send(name, 'title,content\na,b', fields);
    expect([answer.status, answer.json.issues?.map((issue) => issue.path)]).toEqual([
      status,
      path === null ? undefined : [[path]],
    ]);
    expect(await count()).toBe(before);
  });

  it('names what only another application has', async () => {
    const before = await count();
    for (const fields of [
      { topicId: await createTopic(server, other.headers) },
      { quickstartId: await createQuickstart(server, other.headers) },
    ])
      expect((await send('a.txt', 'x', fields)).status).toBe(404);
    expect(await count()).toBe(before);
  });

  it('is larger than 32 MiB, and leaves nothing', async () => {
    const before = await count();
    const content = new Uint8Array(32 * 1024 * 1024 + 1).fill(0x61);
    content.set(Buffer.from('title,content\na,b\nc,d\n'));
    expect((await send('a.csv', content)).status).toBe(413);
    expect(await count()).toBe(before);
  });

  it('is no form', async () => {
    expect((await server.call('POST', '/v0/documents/upload', { body: { type: 'POLICY' } })).status).toBe(
      415,
    );
  });
});
