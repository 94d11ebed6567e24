import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withDefaults } from '../../src/resources/applications/contract.ts';
import { testHttp } from '../support/http-cases.ts';
import { startServer, type Tenant, type TestServer } from '../support/server.ts';

let server: TestServer;
let other: Tenant;
beforeAll(async () => {
  server = await startServer();
  other = await server.newTenant();
});
afterAll(() => server.close());

describe('creating an application', () => {
  testHttp(
    () => server,
    [
      {
        name: 'fills in defaults',
        request: 'POST /v0/applications',
        body: { title: 'Größe & Café', type: 'CHATBOT' },
        status: 201,
        mustContain: [
          '"slug":"gro-e-cafe"',
          '"description":""',
          '"context":""',
          '"language":"en"',
          '"environment":"DEV"',
          '"humanAnnotationEnabled":false',
          '"orgId":"org-1"',
        ],
        mustNotContain: ['hash', '"application":'],
      },
      {
        name: 'takes all fields',
        request: 'POST /v0/applications',
        body: {
          title: 'A',
          type: 'AGENT',
          slug: 'a-b',
          description: 'd',
          context: 'c',
          language: 'de',
          environment: 'PROD',
          humanAnnotationEnabled: true,
        },
        status: 201,
        mustContain: [
          '"slug":"a-b"',
          '"description":"d"',
          '"context":"c"',
          '"language":"de"',
          '"environment":"PROD"',
          '"humanAnnotationEnabled":true',
        ],
      },
      {
        name: 'needs a title in letters',
        request: 'POST /v0/applications',
        body: { title: ' ', type: 'AGENT' },
        status: 422,
        mustContain: ['too_small'],
      },
    ],
  );

  it('gives a first key that is an admin’s', async () => {
    const { data, apiKey } = await server.ok('POST', '/v0/applications', {
      body: { title: 'New', type: 'AGENT' },
    });
    expect(Object.keys(apiKey).sort()).toEqual(['id', 'key', 'name']);
    const headers = { 'x-api-key': apiKey.key, 'x-application-id': data.id };
    expect((await server.call('GET', `/v0/applications/${data.id}`, { headers })).json).toEqual({ data });
    expect((await server.call('GET', '/v0/api-keys', { headers })).text).toContain(apiKey.id);
    expect((await server.call('GET', '/v0/traces', { headers })).status).toBe(200);
  });

  it('can make a new organisation for it', async () => {
    const { orgId } = (
      await server.ok('POST', '/v0/applications', {
        body: { title: 'New', type: 'AGENT', newOrganisation: true },
      })
    ).data;
    expect(orgId).not.toBe(server.orgId);
    expect(orgId).not.toBe('');
  });

  it.each([
    ['a new organisation, unless the operator allows it', { newOrganisations: 'no' }, 0, 403],
    ['more than the most of an organisation', { organisationApplications: 2 }, 1, 409],
  ] as const)('does not make %s', async (_what, config, allowed, status) => {
    const strict = await startServer({ config });
    try {
      const create = (newOrganisation: boolean) =>
        strict.call('POST', '/v0/applications', { body: { title: 'New', type: 'AGENT', newOrganisation } });
      for (let count = 0; count < allowed; count++) expect((await create(false)).status).toBe(201);
      expect((await create(status === 403)).status).toBe(status);
    } finally {
      await strict.close();
    }
  });

  it('is for admins', async () => {
    const headers = await server.newKey(['ingest', 'read', 'write']);
    for (const [method, path] of [
      ['POST', '/v0/applications'],
      ['GET', '/v0/applications'],
      ['GET', `/v0/applications/${server.applicationId}`],
      ['PUT', `/v0/applications/${server.applicationId}`],
    ] as const) {
      const { status } = await server.call(method, path, {
        headers,
        ...(method === 'GET' ? {} : { body: { title: 'A', type: 'AGENT' } }),
      });
      expect(status).toBe(403);
    }
  });

  it('makes a slug of any title', () => {
    const slugOf = (title: string): string => withDefaults({ title, type: 'AGENT' }).slug;
    expect(slugOf('  Hello, World! ')).toBe('hello-world');
    expect(slugOf('東京')).toBe('application');
    expect(slugOf('x'.repeat(300))).toHaveLength(100);
    expect(slugOf(`${'x'.repeat(99)} y`)).not.toMatch(/-$/);
  });
});

describe('an application', () => {
  testHttp(
    () => server,
    [
      {
        name: 'is listed',
        request: 'GET /v0/applications',
        status: 200,
        mustContain: ['{app}', '"pagination":{"skip":0,"limit":25,"total":1,"totalPages":1}'],
      },
      {
        name: 'is on the first page only',
        request: 'GET /v0/applications?skip=1&limit=1',
        status: 200,
        mustContain: ['"data":[]', '"total":1'],
      },
      { name: 'is there', request: 'GET /v0/applications/{app}', status: 200, mustContain: ['{app}'] },
      {
        name: 'can be changed in part',
        request: 'PUT /v0/applications/{app}',
        body: { title: 'Renamed', environment: 'PROD' },
        status: 200,
        mustContain: ['"title":"Renamed"', '"environment":"PROD"', '"type":"CHATBOT"', '"slug":"default"'],
      },
      {
        name: 'can be changed by nothing',
        request: 'PUT /v0/applications/{app}',
        body: {},
        status: 200,
        mustContain: ['"title":"Renamed"'],
      },
      {
        name: 'keeps who it is',
        request: 'PUT /v0/applications/{app}',
        body: { id: 'x', orgId: 'x', createdAt: 'x' },
        status: 200,
        mustContain: ['{app}', '"orgId":"org-1"'],
      },
    ],
  );

  it('tells when it was changed', async () => {
    const { createdAt, modifiedAt } = (
      await server.ok('PUT', `/v0/applications/${server.applicationId}`, {
        body: { description: 'x' },
      })
    ).data;
    expect(Date.parse(modifiedAt)).toBeGreaterThan(Date.parse(createdAt));
  });
});

describe('two applications of one organisation', () => {
  it('cannot see or change each other', async () => {
    const { headers } = other;
    const path = `/v0/applications/${server.applicationId}`;
    const unknown = await server.call('GET', '/v0/applications/7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60', {
      headers,
    });
    const read = await server.call('GET', path, { headers });
    const changed = await server.call('PUT', path, { headers, body: { title: 'Theirs' } });
    expect([read.status, read.text, changed.status]).toEqual([404, unknown.text, 404]);
    expect((await server.call('GET', '/v0/applications', { headers })).text).not.toContain(
      server.applicationId,
    );
    expect((await server.call('GET', path)).text).not.toContain('Theirs');
  });
});
