import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withStore } from '../../src/cli/data-folder.ts';
import { besideServer } from '../support/beside-store.ts';
import { answer } from '../support/customer-app.ts';
import { startServer } from '../support/server.ts';
import { type Json, useWebhook } from './webhook-support.ts';

const { server, app, make, get, post, sampled } = useWebhook();

const TOKEN = 'Bearer very-secret-credential';

describe('the webhook of an application', () => {
  it('is made once, shows its secret once, and is changed from then on', async () => {
    const made = await make({ headers: { Authorization: TOKEN } });
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      orgId: server().orgId,
      applicationId: server().applicationId,
      url: app().url,
      headers: { Authorization: '***' },
      timeoutMs: 120_000,
      enabled: true,
      createdAt: expect.stringMatching(/Z$/) as string,
      modifiedAt: made['createdAt'],
      webhookSecret: expect.stringMatching(/^whsec_[\w+/]{43}=$/) as string,
    });
    const { webhookSecret: _once, modifiedAt: _before, ...lasting } = made;

    const changed = await post('/v0/webhook', { timeoutMs: 5_000 });
    expect(changed.status).toBe(200);
    const { data } = changed.json as { data: Json };
    expect(data).toEqual({ ...lasting, timeoutMs: 5_000, modifiedAt: data['modifiedAt'] });
    expect(await get('/v0/webhook')).toEqual(data);

    expect((await post('/v0/webhook', { headers: null, enabled: false })).json).toMatchObject({
      data: { headers: {}, enabled: false, timeoutMs: 5_000, url: app().url },
    });
  });

  it('replaces all headers by those that are given', async () => {
    await make({ headers: { 'x-one': '1', 'x-two': '2' } });
    await post('/v0/webhook', { headers: { 'x-three': '3' } });
    expect((await get('/v0/webhook'))['headers']).toEqual({ 'x-three': '***' });
    await post('/v0/webhook/test');
    expect(app().last().headers).toMatchObject({ 'x-three': '3' });
    expect(app().last().headers).not.toHaveProperty('x-one');
  });

  it('has another secret when it is made again', async () => {
    const { webhookSecret } = await make();
    expect((await server().call('DELETE', '/v0/webhook')).status).toBe(204);
    expect((await make()).webhookSecret).not.toBe(webhookSecret);
  });

  it.each(['GET /v0/webhook', 'DELETE /v0/webhook', 'POST /v0/webhook/rotate-secret'])(
    'is not found before it is made: %s',
    async (request) => {
      const [method = '', path = ''] = request.split(' ');
      expect((await server().call(method, path)).status).toBe(404);
    },
  );

  const many = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`x-${i}`, 'v']));
  it.each<[what: string, body: Json, path: string[], message: string]>([
    ['no address', {}, ['url'], 'Required'],
    ['an empty address', { url: '' }, ['url'], 'white space'],
    ['an address with a line break', { url: 'https://a.example/\nx' }, ['url'], 'white space'],
    ['no address at all', { url: 'app' }, ['url'], 'Write it as https://host/path'],
    ['another scheme', { url: 'ftp://a.example/' }, ['url'], 'neither https: nor http:'],
    [
      'credentials in the address',
      { url: 'https://a:b@a.example/' },
      ['url'],
      'Send credentials as a header',
    ],
    ['a private address', { url: 'https://10.0.0.1/' }, ['url'], 'TOUCHSTONE_OUTBOUND_ALLOW'],
    ['a metadata address', { url: 'http://169.254.169.254/' }, ['url'], 'metadata address'],
    ['a public address by http', { url: 'http://93.184.215.14/' }, ['url'], 'https: only'],
    ['a long address', { url: `https://a.example/${'x'.repeat(2_048)}` }, ['url'], '2048'],
    ['a short time', { timeoutMs: 999 }, ['timeoutMs'], '1000'],
    ['a long time', { timeoutMs: 900_001 }, ['timeoutMs'], '900000'],
    ['a time that is not whole', { timeoutMs: 1_000.5 }, ['timeoutMs'], 'int'],
    ['a flag that is none', { enabled: 'yes' }, ['enabled'], 'boolean'],
    ['headers that are none', { headers: [] }, ['headers'], 'record'],
    ['too many headers', { headers: many }, ['headers'], 'at most 50'],
    ['a header name with a space', { headers: { 'a b': 'v' } }, ['headers', 'a b'], 'not the name'],
    ['a header without a name', { headers: { '': 'v' } }, ['headers', ''], 'not the name'],
    ['a header twice', { headers: { 'x-a': '1', 'X-A': '2' } }, ['headers', 'X-A'], 'twice'],
    ['a line break in a header', { headers: { 'x-a': 'v\r\nx-b: 1' } }, ['headers', 'x-a'], 'line breaks'],
    ['a long header', { headers: { 'x-a': 'v'.repeat(8_193) } }, ['headers', 'x-a'], '8192'],
    ['a header that is not ASCII', { headers: { 'x-a': 'é' } }, ['headers', 'x-a'], 'ASCII'],
    ['the stars that hide a value', { headers: { 'x-a': '***' } }, ['headers', 'x-a'], 'the value itself'],
    ...[
      'Host',
      'Connection',
      'Transfer-Encoding',
      'Content-Type',
      'Content-Length',
      'Expect',
      'Traceparent',
      'baggage',
      'User-Agent',
      'X-Service-Signature',
      'webhook-id',
    ].map((name): [string, Json, string[], string] => [
      `the header ${name}`,
      { headers: { [name]: 'v' } },
      ['headers', name],
      'cannot be configured',
    ]),
  ])('does not take %s', async (_what, body, path, message) => {
    const { status, json } = await post(
      '/v0/webhook',
      body['url'] === undefined && path[0] !== 'url' ? { url: app().url, ...body } : body,
    );
    expect(status).toBe(422);
    const { issues } = json as { issues: { path: string[]; message: string }[] };
    expect(issues).toMatchObject([{ path, message: expect.stringContaining(message) as string }]);
    expect((await server().call('GET', '/v0/webhook')).status).toBe(404);
  });

  it.each<[what: string, body: Json]>([
    ['a name, which is resolved when tests are sent', { url: 'http://app.internal:8080/hook?x=1' }],
    ['the shortest time', { timeoutMs: 1_000 }],
    ['the longest time', { timeoutMs: 900_000 }],
    ['the longest header', { headers: { 'x-a': 'v'.repeat(8_192) } }],
    ['50 headers', { headers: Object.fromEntries(Object.entries(many).slice(1)) }],
  ])('takes %s', async (_what, body) => {
    const { headers = {}, ...fields } = await make(body);
    expect(Object.keys(headers as Json)).toEqual(Object.keys((body['headers'] as Json | undefined) ?? {}));
    expect(fields).toMatchObject({ url: body['url'] ?? app().url, timeoutMs: body['timeoutMs'] ?? 120_000 });
    expect(fields).not.toHaveProperty('secret');
  });

  it('takes its time limit from the settings where it names none', async () => {
    const own = await startServer({ config: { webhookTimeoutMs: 7_000 } });
    const { json } = await own.call('POST', '/v0/webhook', { body: { url: app().url } });
    await own.close();
    expect(json).toMatchObject({ data: { timeoutMs: 7_000 } });
  });
});

describe('what a key may do', () => {
  const elsewhere = 'https://elsewhere.example/webhook';
  it.each<[scope: 'read' | 'write' | 'ingest', request: string, body: Json | undefined, status: number]>([
    ['ingest', 'GET /v0/webhook', undefined, 403],
    ['ingest', 'POST /v0/validate-webhook', {}, 403],
    ['read', 'GET /v0/webhook', undefined, 200],
    ['read', 'POST /v0/webhook', { timeoutMs: 5_000 }, 403],
    ['read', 'POST /v0/webhook/test', undefined, 403],
    ['read', 'GET /v0/webhook/deliveries', undefined, 200],
    ['write', 'POST /v0/webhook', { timeoutMs: 5_000 }, 200],
    ['write', 'POST /v0/webhook/test', undefined, 200],
    ['write', 'POST /v0/webhook/rotate-secret', undefined, 403],
    ['write', 'DELETE /v0/webhook', undefined, 403],
    ['write', 'POST /v0/webhook', { url: elsewhere }, 403],
    ['write', 'POST /v0/webhook', { url: elsewhere, headers: null }, 200],
    ['write', 'POST /v0/webhook', { url: elsewhere, headers: { 'x-b': '2' } }, 200],
  ])('%s: %s %j → %i', async (scope, request, body, status) => {
    await make({ headers: { authorization: TOKEN } });
    const headers = await server().newKey([scope]);
    const [method = '', path = ''] = request.split(' ');
    const reply = await server().call(method, path, { headers, ...(body && { body }) });
    expect(reply.status).toBe(status);
    expect(reply.text).not.toContain('whsec_');
  });

  it('is not to make a webhook without admin, and then none is made', async () => {
    const headers = await server().newKey(['read', 'write']);
    const reply = await server().call('POST', '/v0/webhook', { headers, body: { url: app().url } });
    expect([reply.status, reply.text]).toEqual([403, expect.stringContaining('"admin\\"')]);
    expect((await server().call('GET', '/v0/webhook')).status).toBe(404);
  });

  it('is to go to another server where there are no headers', async () => {
    await make({ headers: {} });
    const headers = await server().newKey(['write']);
    expect((await server().call('POST', '/v0/webhook', { headers, body: { url: elsewhere } })).status).toBe(
      200,
    );
  });

  it('is to send headers on to another path of the same server', async () => {
    await make({ headers: { authorization: TOKEN } });
    const headers = await server().newKey(['write']);
    const body = { url: `${app().url}/2` };
    expect((await server().call('POST', '/v0/webhook', { headers, body })).status).toBe(200);
  });
});

describe('secrets', () => {
  it('are signed with, both of them, after a rotation', async () => {
    const { webhookSecret: old } = await make();
    const reply = await post('/v0/webhook/rotate-secret');
    const { webhookSecret } = (reply.json as { data: { webhookSecret: string } }).data;
    expect(webhookSecret).toMatch(/^whsec_/);
    expect(webhookSecret).not.toBe(old);
    await post('/v0/webhook/test');
    const { headers, body } = app().last();
    const standard = `${headers['webhook-id'] as string}.${headers['webhook-timestamp'] as string}.${body}`;
    const signatures = [webhookSecret, old].map((secret) => {
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
      return `v1,${createHmac('sha256', key).update(standard).digest('base64')}`;
    });
    expect(headers['webhook-signature']).toBe(signatures.join(' '));
  });

  it('are nowhere but in the answer that made them', async () => {
    const { webhookSecret: old } = await make({ headers: { Authorization: TOKEN } });
    const rotated = await post('/v0/webhook/rotate-secret');
    const { webhookSecret } = (rotated.json as { data: { webhookSecret: string } }).data;
    app().behave(answer(500));
    const { id } = await sampled();
    await post('/v0/webhook', { headers: { Authorization: `${TOKEN}\n` } });
    const shown = await Promise.all(
      [
        server().call('GET', '/v0/webhook'),
        server().call('POST', '/v0/webhook', { body: { enabled: true } }),
        server().call('GET', '/v0/webhook/deliveries'),
        server().call('POST', `/v0/webhook/deliveries/${id}/replay`),
      ].map(async (reply) => (await reply).text),
    );
    const stored = besideServer(server().folder, (database) =>
      ['webhook', 'delivery', 'chunk'].flatMap((table) =>
        database
          .all<Record<string, unknown>>(`SELECT * FROM ${table}`)
          .flatMap((row) => Object.values(row))
          .map((value) =>
            value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value),
          ),
      ),
    );
    const everything = [...shown, ...stored, ...server().logged].join('\n');
    for (const secret of [old, webhookSecret]) {
      expect(everything).not.toContain(secret.slice('whsec_'.length));
      const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64');
      expect(everything).not.toContain(bytes.toString('latin1'));
    }
    expect(everything).not.toContain(TOKEN);
  });

  it('that were sealed with another key leave the webhook to be deleted, and nothing else', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'touchstone-'));
    const preset = {
      bootstrapApplicationId: server().applicationId,
      bootstrapApiKey: server().apiKey,
      dataDir,
    };
    const first = await startServer({ config: { ...preset, secretKey: 'the key at first' } });
    await first.call('POST', '/v0/webhook', { body: { url: app().url } });
    await first.close();
    const second = await startServer({ config: { ...preset, secretKey: 'quite another key' } });
    const stored = (): unknown => withStore(dataDir, (database) => database.all('SELECT * FROM webhook'));
    const before = stored();
    const rejected = [
      await second.call('GET', '/v0/webhook'),
      await second.call('POST', '/v0/webhook', { body: { enabled: false } }),
      await second.call('POST', '/v0/webhook/test'),
      await second.call('POST', '/v0/webhook/rotate-secret'),
    ];
    const after = stored();
    const deleted = await second.call('DELETE', '/v0/webhook');
    await second.close();
    rmSync(dataDir, { recursive: true });
    for (const { status, text } of rejected) expect(`${status} ${text}`).toMatch(/^409 .*another key/);
    expect(after).toEqual(before);
    expect(deleted.status).toBe(204);
  });
});
