import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CreatedApiKey, ListedApiKey } from '../../src/api/generated/schema.ts';
import type { CreateApiKeyBody } from '../../src/api/generated/schema.ts';
import { openForReading } from '../../src/storage/sqlite/open.ts';
import { testHttp } from '../support/http-cases.ts';
import { type Reply, sharedServer, type Tenant, type TestServer } from '../support/server.ts';

let server: TestServer;
let other: Tenant;
beforeAll(async () => {
  server = await sharedServer();
  other = await server.newTenant();
});
afterAll(() => server.close());

async function create(body: CreateApiKeyBody) {
  const { data } = await server.ok('POST', '/v0/api-keys', { body });
  return { ...data, headers: { 'x-api-key': data.key } };
}
const list = async (tenant: Tenant) =>
  (await server.ok('GET', '/v0/api-keys', { headers: tenant.headers })).data;
const may = async (headers: Record<string, string>, request: string): Promise<number> => {
  const [method = '', path = ''] = request.split(' ');
  return (await server.call(method, path, { headers })).status;
};

describe('creating a key', () => {
  testHttp(
    () => server,
    [
      {
        name: 'takes a name of 256',
        request: 'POST /v0/api-keys',
        body: { name: 'x'.repeat(256) },
        status: 201,
      },
      {
        name: 'takes no end in the past',
        request: 'POST /v0/api-keys',
        body: { name: 'x', expiresAt: '2020-01-01T00:00:00Z' },
        status: 422,
        mustContain: ['"path":["expiresAt"]'],
      },
      {
        name: 'has no other fields',
        request: 'POST /v0/api-keys',
        body: { name: 'x', application: 1, hash: 'x' },
        status: 422,
        mustContain: ['application', 'hash'],
      },
      {
        name: 'needs a key',
        request: 'POST /v0/api-keys',
        headers: { 'x-api-key': null },
        body: { name: 'x' },
        status: 401,
        mustContain: ['x-api-key'],
      },
      {
        name: 'needs an application',
        request: 'GET /v0/api-keys',
        headers: { 'x-application-id': null },
        status: 401,
        mustContain: ['x-application-id'],
      },
      {
        name: 'needs a good key',
        request: 'GET /v0/api-keys',
        headers: { 'x-api-key': 'sk_x' },
        status: 401,
        mustNotContain: ['sk_x'],
      },
    ],
  );

  it('answers id, key and name, and the key works', async () => {
    const { headers, ...data } = await create({ name: 'Mine' });
    expect(Object.keys(data).sort()).toEqual(['id', 'key', 'name']);
    expect(data.key).toMatch(/^sk_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}$/);
    expect(await may(headers, 'GET /v0/traces')).toBe(200);
  });

  it('has the scopes of the key that creates it, without admin', async () => {
    const { headers } = await create({ name: 'x' });
    expect(await may(headers, 'GET /v0/api-keys')).toBe(403);
    expect(await may(headers, 'GET /v0/traces')).toBe(200);
  });

  it('gives admin when an admin names it', async () => {
    const { headers } = await create({ name: 'x', scopes: ['admin'] });
    expect(await may(headers, 'GET /v0/api-keys')).toBe(200);
    expect(await may(headers, 'GET /v0/traces')).toBe(403);
    const more = await server.call('POST', '/v0/api-keys', {
      headers,
      body: { name: 'x', scopes: ['admin', 'read'] },
    });
    expect(more.status).toBe(403);
    const none = await server.call('POST', '/v0/api-keys', { headers, body: { name: 'x' } });
    expect(none.status).toBe(422);
  });

  it('makes keys that end', async () => {
    const headers = await server.newKey(['read'], { expiresAt: Date.now() - 1 });
    expect(await may(headers, 'GET /v0/traces')).toBe(401);
    const { headers: later } = await create({
      name: 'x',
      expiresAt: new Date(Date.now() + 60_000).toISOString(),
    });
    expect(await may(later, 'GET /v0/traces')).toBe(200);
  });

  it('keeps no plaintext anywhere', async () => {
    const { key } = await create({ name: 'Secret' });
    await server.call('GET', '/v0/traces', { headers: { 'x-api-key': key } });
    expect((await server.call('GET', '/v0/api-keys')).text).not.toContain(key.slice(16));
    expect(server.logged.join('')).not.toContain(key);
    const connection = openForReading(`${server.folder}/touchstone.db`);
    const rows = connection.prepare('SELECT * FROM api_key').all();
    connection.close();
    expect(JSON.stringify(rows)).not.toContain(key.slice(16));
  });
});

describe('listing keys', () => {
  it('shows the fields of a listed key, newest first', async () => {
    const created = await create({ name: 'Newest' });
    const [first, ...rest] = await list(server);
    expect(first).toEqual({
      id: created.id,
      keyId: created.key.slice(3, 15),
      name: 'Newest',
      applicationId: server.applicationId,
      createdAt: expect.stringMatching(/Z$/) as string,
      updatedAt: expect.stringMatching(/Z$/) as string,
    });
    expect(rest.length).toBeGreaterThan(0);
  });
});

describe('revoking a key', () => {
  it('takes effect at once', async () => {
    const { id, headers } = await create({ name: 'x' });
    expect(await may(headers, 'GET /v0/traces')).toBe(200);
    const { status, text } = await server.call('DELETE', `/v0/api-keys/${id}`);
    expect([status, text]).toEqual([204, '']);
    expect(await may(headers, 'GET /v0/traces')).toBe(401);
    expect((await list(server)).map((key) => key.id)).not.toContain(id);
    expect((await server.call('DELETE', `/v0/api-keys/${id}`)).status).toBe(404);
  });

  it('does not mind an empty body that is called JSON', async () => {
    const { id } = await create({ name: 'x' });
    expect(
      (await server.call('DELETE', `/v0/api-keys/${id}`, { headers: { 'content-type': 'application/json' } }))
        .status,
    ).toBe(204);
  });

  it('leaves an application its last admin key in use', async () => {
    const { headers } = await server.newTenant();
    const call = (method: string, path: string, body?: object): Promise<Reply> =>
      server.call(method, path, { headers, ...(body && { body }) });
    const [own] = ((await call('GET', '/v0/api-keys')).json as { data: ListedApiKey[] }).data;
    const revokeOwn = (): Promise<Reply> => call('DELETE', `/v0/api-keys/${own?.id}`);

    await call('POST', '/v0/api-keys', { name: 'No admin' });
    const soon = new Date(Date.now() + 500).toISOString();
    await call('POST', '/v0/api-keys', { name: 'Expires', scopes: ['admin'], expiresAt: soon });
    await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(soon));
    const created = await call('POST', '/v0/api-keys', { name: 'Revoked', scopes: ['admin'] });
    const { id } = (created.json as { data: CreatedApiKey }).data;
    expect((await call('DELETE', `/v0/api-keys/${id}`)).status).toBe(204);
    const rejected = await revokeOwn();
    expect([rejected.status, rejected.text]).toEqual([
      409,
      expect.stringMatching(/the last one .* scope admin.*touchstone keys create --scopes admin/),
    ]);
    expect((await call('GET', '/v0/api-keys')).status).toBe(200);

    await call('POST', '/v0/api-keys', { name: 'Next', scopes: ['admin'] });
    expect((await revokeOwn()).status).toBe(204);
    expect((await call('GET', '/v0/api-keys')).status).toBe(401);
  });

  testHttp(
    () => server,
    [
      {
        name: 'needs a key that is there',
        request: 'DELETE /v0/api-keys/7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60',
        status: 404,
      },
    ],
  );
});

describe('two applications', () => {
  it('know nothing of each other’s keys', async () => {
    const { id, key } = await create({ name: 'Ours' });
    const headers = other.headers;
    expect((await server.call('GET', '/v0/api-keys', { headers })).text).not.toContain(id);
    expect((await list(other)).every(({ applicationId }) => applicationId === other.applicationId)).toBe(
      true,
    );
    const foreign = await server.call('DELETE', `/v0/api-keys/${id}`, { headers });
    const unknown = await server.call('DELETE', '/v0/api-keys/7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60', {
      headers,
    });
    expect([foreign.status, foreign.text]).toEqual([unknown.status, unknown.text]);
    expect(await may({ 'x-api-key': key }, 'GET /v0/traces')).toBe(200);
    expect(await may({ 'x-api-key': key, 'x-application-id': other.applicationId }, 'GET /v0/traces')).toBe(
      403,
    );
  });
});
