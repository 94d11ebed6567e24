import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { besideServer } from '../support/beside-store.ts';
import { startServer, type Tenant, type TestServer } from '../support/server.ts';
import { type Headers, type Json, NOTHING, quickstartCalls, type Upload } from './quickstarts-support.ts';

let server: TestServer;
let other: Tenant;
beforeAll(async () => {
  server = await startServer();
  other = await server.newTenant();
});
afterAll(() => server.close());
const { call, createQuickstart, quickstart, send, upload, processed, make } = quickstartCalls(() => server);

const UNKNOWN = '7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60';

describe('POST /v1/quickstarts/uploads', () => {
  it('answers the upload as it waits, and takes the quickstart through PROCESSING to its first review', async () => {
    const quickstartId = await createQuickstart();
    const made = await upload('input\nHi', { quickstartId });
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/) as string,
      quickstartId,
      fileName: 'material.csv',
      fileSize: 8,
      status: 'PENDING',
      materialType: 'conversations',
      createdAt: expect.stringMatching(/Z$/) as string,
      modifiedAt: made['createdAt'],
    });
    const done = await processed(made);
    expect(done).toEqual({
      ...made,
      status: 'COMPLETED',
      modifiedAt: done['modifiedAt'],
      report: {
        rows: 1,
        created: { ...NOTHING, tasks: 1, inputExamples: 1, conversations: 1 },
        rejected: [],
        rejectedCount: 0,
        unusedColumns: [],
        startedAt: expect.stringMatching(/Z$/) as string,
        reused: [],
        notCarried: { knownPrompts: 0, promptsBeyondLimit: 0 },
      },
    });
    const { report: _, ...listed } = done;
    expect(await quickstart(quickstartId)).toMatchObject({
      status: 'TASKS_TOPICS_REVIEW',
      uploads: [listed],
    });
  });

  it('takes a quickstart back from a review, and adds to what it has', async () => {
    const { quickstartId } = await make('conversations', ['topic,task,input', 'Orders,Track,Where is it?']);
    await call('PUT', `/v0/quickstarts/${quickstartId}`, { status: 'KNOWLEDGE_BASE_REVIEW' });
    const lines = [
      'topic,task,input',
      'Orders,Track,Where is it?',
      'Orders,Track,Is it late?',
      'Orders,Cancel,Stop',
    ];
    const { report } = await processed(await upload(lines.join('\n'), { quickstartId }));
    expect(report.created).toEqual({ ...NOTHING, tasks: 1, inputExamples: 2, conversations: 3 });
    expect(report).toMatchObject({
      reused: [
        { type: 'topic', title: 'Orders' },
        { type: 'task', title: 'Track' },
      ],
      notCarried: { knownPrompts: 1, promptsBeyondLimit: 0 },
    });
    expect(await quickstart(quickstartId)).toMatchObject({
      status: 'TASKS_TOPICS_REVIEW',
      uploads: [{ fileName: 'material.csv' }, { fileName: 'material.csv' }],
      counts: { topics: 1, tasks: 2 },
    });
    const [topic] = await call<{ id: string }[]>('GET', '/v0/topics?status=DRAFT');
    expect(await call('GET', `/v0/tasks?orderBy=title&orderDir=asc&topicId=${topic?.id}`)).toMatchObject([
      { title: 'Cancel', inputExamples: ['Stop'] },
      { title: 'Track', inputExamples: ['Where is it?', 'Is it late?'] },
    ]);
  });

  it.each(['COMPLETING', 'COMPLETE', 'FAILED'])('is rejected in %s', async (status) => {
    const quickstartId = await createQuickstart();
    besideServer(server.folder, (database) =>
      database.run('UPDATE quickstart SET status = ? WHERE id = ?', status, quickstartId),
    );
    expect((await send('input\nHi', { quickstartId })).status).toBe(409);
    expect(await quickstart(quickstartId)).toMatchObject({ status, uploads: [] });
  });

  it('is rejected beyond 100 uploads', async () => {
    const quickstartId = await createQuickstart();
    besideServer(server.folder, (database) =>
      database.run(
        `WITH RECURSIVE n (i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 199)
         INSERT INTO upload SELECT '00000000-0000-4000-8000-000000000' || i, application, id, 'x.csv', 1, 'COMPLETED',
           'policy', NULL, '{}', i, i FROM quickstart, n WHERE id = ?`,
        quickstartId,
      ),
    );
    const { status, json } = await send('input\nHi', { quickstartId });
    expect([status, json]).toEqual([409, { message: 'A quickstart accepts at most 100 uploads' }]);
  });

  it.each<[string, Readonly<Record<string, string>>, number, unknown]>([
    ['a quickstart', {}, 422, { path: ['quickstartId'], code: 'invalid_type' }],
    [
      'the uuid of a quickstart',
      { quickstartId: 'x' },
      422,
      { path: ['quickstartId'], code: 'invalid_string' },
    ],
    [
      'a known material',
      { quickstartId: UNKNOWN, materialType: 'songs' },
      422,
      { path: ['materialType'], code: 'invalid_enum_value' },
    ],
    ['a quickstart that is there', { quickstartId: UNKNOWN }, 404, undefined],
  ])('needs %s', async (_definition, fields, status, issue) => {
    const reply = await send('input\nHi', fields);
    expect(reply.status).toBe(status);
    if (issue) expect(reply.json).toMatchObject({ issues: [issue] });
  });

  it('needs a CSV file', async () => {
    const quickstartId = await createQuickstart();
    const { status, json } = await send('x', { quickstartId }, { name: 'material.xlsx' });
    expect(status).toBe(422);
    expect(json).toMatchObject({ issues: [{ path: ['file'] }] });
  });

  it('takes nothing for a quickstart of another application', async () => {
    const quickstartId = await createQuickstart(other.headers);
    expect((await send('input\nHi', { quickstartId })).status).toBe(404);
    const parts = besideServer(server.folder, (database) =>
      database.all('SELECT 1 FROM upload_part WHERE upload_id NOT IN (SELECT id FROM upload)'),
    );
    expect(parts).toEqual([]);
  });
});

it('takes a quickstart from its files to an application that is set up', async () => {
  const tenant = await server.newTenant();
  const ask = <T>(method: string, path: string, body?: object): Promise<T> =>
    call(method, path, body, tenant.headers);
  const content = [{ heading: 'Tone', content: 'Kind' }];
  const { id: styleGuideId } = await ask<{ id: string }>('POST', '/v0/style-guides', { content });
  const { id } = await ask<{ id: string }>('POST', '/v0/quickstarts', { name: 'Shop', styleGuideId });
  const path = `/v0/quickstarts/${id}`;
  for (const [materialType, csv] of [
    ['conversations', 'topic,task,input,output\nOrders,Track,Where is it?,On its way'],
    ['knowledge_base', 'title,content,topic\nShipping,It takes a day,Orders'],
    ['policy', 'title,content,topic,criterion\nKind,Be kind,,Is kind\nQuick,Be quick,Orders,Is quick'],
  ] as const) {
    const { status } = await send(csv, { quickstartId: id, materialType }, { headers: tenant.headers });
    expect(status).toBe(201);
  }
  const status = async (): Promise<unknown> => (await ask<Json>('GET', path))['status'];
  await expect.poll(status).toBe('TASKS_TOPICS_REVIEW');
  expect(await ask('GET', path)).toMatchObject({
    uploads: [
      { materialType: 'policy', status: 'COMPLETED' },
      { materialType: 'knowledge_base', status: 'COMPLETED' },
      { materialType: 'conversations', status: 'COMPLETED' },
    ],
    counts: { topics: 1, tasks: 1, definitions: 2, documents: 3 },
  });
  for (const next of ['KNOWLEDGE_BASE_REVIEW', 'POLICIES_REVIEW', 'STYLE_REVIEW'])
    await ask('PUT', path, { status: next });
  await ask('POST', '/v0/quickstarts/confirm-style-scores', { quickstartId: id });
  await expect.poll(status).toBe('COMPLETE');

  const [task] = await ask<{ id: string }[]>('GET', '/v0/tasks?taskStatus=ACTIVE');
  expect(task).toMatchObject({ title: 'Track', inputExamples: ['Where is it?'] });
  expect(await ask('GET', '/v0/topics?status=ACTIVE')).toMatchObject([{ title: 'Orders' }]);
  const approved = { status: 'ACTIVE', versions: [{ status: 'APPROVED' }] };
  expect(await ask('GET', '/v0/documents')).toMatchObject([approved, approved, approved]);
  expect(await ask('GET', `/v0/style-guides/${styleGuideId}`)).toMatchObject({
    content: [{ approved: true }],
  });
  // The one by its topic, the other by the application.
  const applying = await ask('GET', `/v0/definitions?taskId=${task?.id}&orderBy=name&orderDir=asc`);
  expect(applying).toMatchObject([{ name: 'Kind' }, { name: 'Quick' }]);
});

describe('a file that is wrong completely', () => {
  it.each<[string, string, string | Uint8Array, string]>([
    ['is empty', 'conversations', '', 'The file has no header row'],
    ['has a header only', 'conversations', 'input\n', 'The file has no rows below its header'],
    [
      'lacks columns',
      'conversations',
      'role,content\nuser,Hi',
      'The header needs a column named input, or the columns conversation_id, role and content; it has: role, content',
    ],
    [
      'lacks the columns of documents',
      'policy',
      'title\nx',
      'The header needs the columns title and content; it has: title',
    ],
    ['has no good row', 'conversations', 'input,topic\n,a\n,b', 'None of its rows could be used'],
    [
      'is no text',
      'conversations',
      new Uint8Array([0xff, 0xfe, 0x69, 0x00, 0x0a, 0x00]),
      'The file is not text in UTF-8',
    ],
  ])('fails when it %s', async (_definition, materialType, csv, errorMessage) => {
    const quickstartId = await createQuickstart();
    const done = await processed(await upload(csv, { quickstartId, materialType }));
    expect(done).toMatchObject({ status: 'FAILED', errorMessage, report: { created: NOTHING } });
    expect(await quickstart(quickstartId)).toMatchObject({
      status: 'TASKS_TOPICS_REVIEW',
      uploads: [{ errorMessage }],
    });
  });
});

describe('GET /v1/quickstarts/uploads', () => {
  it('lists the newest first, of one quickstart or of all', async () => {
    const tenant = await server.newTenant();
    const ids: string[] = [];
    for (const name of ['a.csv', 'b.csv']) {
      const quickstartId = await createQuickstart(tenant.headers);
      expect((await send('input\nHi', { quickstartId }, { name, headers: tenant.headers })).status).toBe(201);
      ids.push(quickstartId);
    }
    const list = (query: string, headers: Headers = tenant.headers): Promise<Upload[]> =>
      call('GET', `/v1/quickstarts/uploads${query}`, undefined, headers);
    const all = await list('');
    expect(all.map(({ fileName }) => fileName)).toEqual(['b.csv', 'a.csv']);
    expect(all[0]).not.toHaveProperty('report');
    expect((await list(`?quickstartId=${ids[0]}`)).map(({ fileName }) => fileName)).toEqual(['a.csv']);
    expect(await list(`?quickstartId=${UNKNOWN}`)).toEqual([]);
    expect(await list(`?quickstartId=${ids[0]}`, other.headers)).toEqual([]);
    for (const id of [all[0]?.id, UNKNOWN]) {
      const { status, json } = await server.call('GET', `/v1/quickstarts/uploads/${id}`, {
        headers: other.headers,
      });
      expect([status, json]).toEqual([404, { message: 'upload not found' }]);
    }
  });
});
