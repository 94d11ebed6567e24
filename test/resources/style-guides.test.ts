import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testHttp } from '../support/http-cases.ts';
import { sharedServer, type Tenant, type TestServer } from '../support/server.ts';
import { defining, type Headers, storeQuickstart, UNKNOWN } from './definition-support.ts';

let server: TestServer;
let other: Tenant;
beforeAll(async () => {
  server = await sharedServer();
  other = await server.newTenant();
});
afterAll(() => server.close());

const CONTENT = [
  { heading: 'Tone', content: 'Wärme, aber keine Witze 🙂', approved: true },
  { heading: 'Length', content: '', approved: false },
];
const create = (more: object = {}, headers: Headers = {}) =>
  defining(server, headers).styleGuide({ content: CONTENT, ...more });

async function list(query: string, headers: Headers = {}) {
  return server.ok('GET', `/v0/style-guides?${query}`, { headers });
}

describe('POST /v0/style-guides', () => {
  it('takes sections, which are not approved by default', async () => {
    const content = [CONTENT[0], { heading: ' Length ', content: '' }];
    const guide = await create({ content });
    expect(guide).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/) as string,
      orgId: 'org-1',
      applicationId: server.applicationId,
      createdAt: expect.stringMatching(/Z$/) as string,
      modifiedAt: guide.createdAt,
      quickstartId: null,
      content: CONTENT,
    });
    expect((await server.call('GET', `/v0/style-guides/${guide.id}`)).json).toEqual({ data: guide });
  });

  it('belongs to a quickstart that is there', async () => {
    const quickstartId = storeQuickstart(server, server.applicationId);
    expect(await create({ quickstartId })).toMatchObject({ quickstartId });
    const { pagination } = await list('');
    for (const unknown of [UNKNOWN, storeQuickstart(server, other.applicationId)]) {
      const body = { content: CONTENT, quickstartId: unknown };
      const { status, json } = await server.call('POST', '/v0/style-guides', { body });
      expect([status, json]).toEqual([404, { message: 'quickstart not found' }]);
    }
    expect((await list('')).pagination).toEqual(pagination);
  });

  const section = { heading: 'x', content: 'x' };
  const rejected: [rule: string, content: unknown, code: string, path: string][] = [
    ['content', undefined, 'invalid_type', '"content"'],
    ['a heading with a text', 'Be kind.', 'invalid_type', '"heading"'],
    ['sections in an array', 1, 'invalid_union', '"content"'],
    ['a section', [], 'too_small', '"content"'],
    ['100 sections at most', Array.from({ length: 101 }, () => section), 'too_big', '"content"'],
    ['a heading', [{ content: 'x' }], 'invalid_type', '"content","0","heading"'],
    ['a heading in letters', [section, { ...section, heading: ' ' }], 'too_small', '"content","1","heading"'],
    ['a short heading', [{ ...section, heading: 'x'.repeat(257) }], 'too_big', '"content","0","heading"'],
    ['a text', [{ heading: 'x' }], 'invalid_type', '"content","0","content"'],
    ['a short text', [{ ...section, content: 'x'.repeat(10_001) }], 'too_big', '"content","0","content"'],
    [
      'approved to be true or false',
      [{ ...section, approved: 1 }],
      'invalid_type',
      '"content","0","approved"',
    ],
    [
      'a short whole',
      Array.from({ length: 6 }, () => ({ heading: 'x', content: 'x'.repeat(9_999) })),
      'too_big',
      '"content"',
    ],
  ];
  testHttp(
    () => server,
    rejected.map(([rule, content, code, path]) => ({
      name: `needs ${rule}`,
      request: 'POST /v0/style-guides',
      body: { content },
      status: 422,
      mustContain: [`"code":"${code}"`, `"path":[${path}]`],
    })),
  );
});

describe('one style guide', () => {
  it('is changed by a content, and by nothing else', async () => {
    const guide = await create();
    const path = `/v0/style-guides/${guide.id}`;
    const content = [{ heading: 'New', content: 'x', approved: true }];
    for (const [body, changes] of [
      [{ id: UNKNOWN, quickstartId: UNKNOWN }, {}],
      [{ content }, { content }],
    ] as const) {
      const { status, json } = await server.call('PUT', path, { body });
      const { data } = json as { data: { modifiedAt: string } };
      expect(status).toBe(200);
      expect(data).toEqual({ ...guide, ...changes, modifiedAt: data.modifiedAt });
      expect((await server.call('GET', path)).json).toEqual({ data });
    }
    expect((await server.call('PUT', path, { body: { content: [] } })).status).toBe(422);
    expect((await server.call('GET', path)).json).toMatchObject({ data: { content } });
  });
});

describe('GET /v0/style-guides', () => {
  let tenant: Tenant;
  let quickstartId: string;
  beforeAll(async () => {
    tenant = await server.newTenant();
    quickstartId = storeQuickstart(server, tenant.applicationId);
    for (const more of [{}, { quickstartId }, {}]) await create(more, tenant.headers);
  });

  it('shows those of a quickstart, and nothing of another application', async () => {
    expect((await list(`quickstartId=${quickstartId},${UNKNOWN}`, tenant.headers)).data).toMatchObject([
      { quickstartId },
    ]);
    expect((await list(`quickstartId=${UNKNOWN}`, tenant.headers)).data).toEqual([]);
    const { headers } = await server.newTenant();
    for (const query of ['', `quickstartId=${quickstartId}`])
      expect((await list(query, headers)).data).toEqual([]);
  });
});
