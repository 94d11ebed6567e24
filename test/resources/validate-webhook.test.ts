import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src/contract/canonical-json.ts';
import { generateSecret, sign } from '../../src/deliver/signature.ts';
import { besideServer } from '../support/beside-store.ts';
import { type CustomerApp, type Received, startCustomerApp } from '../support/customer-app.ts';
import { testHttp } from '../support/http-cases.ts';
import { type Reply, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let app: CustomerApp;
let secret: string;
/** A sample as the app received it. */
let sample: Received;
beforeAll(async () => {
  server = await startServer();
  app = await startCustomerApp();
  secret = await made('POST', '/v0/webhook', { url: app.url });
  sample = await receive();
});
afterAll(async () => {
  await server.close();
  await app.close();
});

/** The secret that a call answers. */
async function made(method: string, path: string, body?: object): Promise<string> {
  const { json } = await server.call(method, path, { body });
  return (json as { data: { webhookSecret: string } }).data.webhookSecret;
}

async function receive(): Promise<Received> {
  expect((await server.call('POST', '/v0/webhook/test')).json).toEqual({ success: true, statusCode: 200 });
  return app.last();
}

type Forwarded = Record<'signature' | 'timestamp' | 'body', string>;
/** What the app forwards of a request, each part as JSON text. */
const partsOf = ({ headers, body }: Received): Forwarded => ({
  signature: JSON.stringify(headers['x-service-signature']),
  timestamp: String(headers['x-service-timestamp']),
  body,
});

const validate = (parts: Partial<Forwarded>, headers: Record<string, string> = {}): Promise<Reply> => {
  const { signature, timestamp, body } = { ...partsOf(sample), ...parts };
  const text = `{"signature":${signature},"timestamp":${timestamp},"body":${body}}`;
  return server.call('POST', '/v0/validate-webhook', { headers, body: text });
};
const verdictOn = async (...args: Parameters<typeof validate>): Promise<unknown> => {
  const { status, json, text } = await validate(...args);
  expect(`${status} ${text}`).toMatch(/^200 /);
  return json;
};
const explained = (parts: Partial<Forwarded>): Promise<unknown> => verdictOn(parts, { 'x-explain': 'true' });

/** A body signed by the secret, as the service signs. */
function signed(body: unknown, { by = secret, at = Date.now() } = {}): Partial<Forwarded> {
  const text = canonicalJson(body);
  const headers = sign({ secrets: [by], id: 'test', body: text, timestampMs: at });
  return {
    signature: JSON.stringify(headers['x-service-signature']),
    timestamp: String(at),
    body: text,
  };
}

const reversed = (text: string): string =>
  JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text) as object).reverse()));
const escaped = (text: string): string =>
  text.replace(/[A-Za-z](?=[^"]*":)/, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

describe('a webhook of ours', () => {
  it.each<[how: string, change: (body: string) => string]>([
    ['as it came', (body) => body],
    ['with white space', (body) => JSON.stringify(JSON.parse(body), null, 2)],
    ['with its keys in another order', reversed],
    ['with escapes', escaped],
  ])('is valid %s', async (_how, change) => {
    expect(await verdictOn({ body: change(sample.body) })).toEqual({ valid: true });
  });

  it('is valid with the timestamp as the header has it', async () => {
    expect(await verdictOn({ timestamp: `"${partsOf(sample).timestamp}"` })).toEqual({ valid: true });
  });

  it('may be asked about by a key that reads', async () => {
    expect(await verdictOn({}, await server.newKey(['read']))).toEqual({ valid: true });
  });

  it('is still valid when the webhook is switched off', async () => {
    await server.call('POST', '/v0/webhook', { body: { enabled: false } });
    expect(await verdictOn({})).toEqual({ valid: true });
    await server.call('POST', '/v0/webhook', { body: { enabled: true } });
  });

  it('carries no reason', async () => {
    expect(await explained({})).toEqual({ valid: true });
  });
});

const OTHER_TEST = '7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60';
const changed = (change: object): string => JSON.stringify({ ...JSON.parse(sample.body), ...change });

describe('anything else', () => {
  it.each<[what: string, parts: () => Partial<Forwarded>, why: object]>([
    [
      'a changed value',
      () => ({ body: changed({ prompt: 'Hi' }) }),
      { reason: 'body_changed', pointer: '/prompt' },
    ],
    [
      'a changed value within',
      () => ({ body: changed({ metadata: { sample: false } }) }),
      { reason: 'body_changed', pointer: '/metadata/sample' },
    ],
    ['an added key', () => ({ body: changed({ x: 1 }) }), { reason: 'body_changed', pointer: '/x' }],
    [
      'a missing key',
      () => ({ body: changed({ metadata: undefined }) }),
      { reason: 'body_changed', pointer: '/metadata' },
    ],
    [
      'a test that is not known',
      () => ({ body: changed({ testId: OTHER_TEST }) }),
      { reason: 'other_secret' },
    ],
    ['a test id that is none', () => ({ body: changed({ testId: 7 }) }), { reason: 'other_secret' }],
    ['an empty body', () => ({ body: '{}' }), { reason: 'other_secret' }],
    [
      'the same body signed with another secret',
      () => signed(JSON.parse(sample.body), { by: generateSecret() }),
      { reason: 'other_secret' },
    ],
    [
      'the timestamp in seconds',
      () => ({ timestamp: partsOf(sample).timestamp.slice(0, -3) }),
      { reason: 'malformed', detail: expect.stringContaining('milliseconds') as string },
    ],
    [
      'a signature from too long ago',
      () => signed({ testId: OTHER_TEST }, { at: Date.now() - 310_000 }),
      { reason: 'stale' },
    ],
    [
      'a signature from too far ahead',
      () => signed({ testId: OTHER_TEST }, { at: Date.now() + 900_000 }),
      { reason: 'stale' },
    ],
    [
      'a signature that has not the form of one',
      () => ({ signature: '"x"' }),
      { reason: 'malformed', detail: expect.stringContaining('/signature') as string },
    ],
    [
      'a key twice',
      () => ({ body: `{"prompt":"x",${sample.body.slice(1)}` }),
      { reason: 'malformed', detail: expect.stringContaining('twice') as string },
    ],
    [
      'a __proto__ key',
      () => ({ body: `{"__proto__":{},${sample.body.slice(1)}` }),
      { reason: 'malformed', detail: expect.stringContaining('__proto__') as string },
    ],
    [
      'half of a surrogate pair',
      () => ({ body: `{"x":"\\ud800",${sample.body.slice(1)}` }),
      { reason: 'malformed', detail: expect.stringContaining('/body/x') as string },
    ],
    [
      'a number no double holds',
      () => ({ body: `{"x":9007199254740993,${sample.body.slice(1)}` }),
      { reason: 'malformed', detail: expect.stringContaining('/body/x') as string },
    ],
  ])('is not valid: %s', async (_what, parts, why) => {
    expect(await verdictOn(parts())).toEqual({ valid: false });
    expect(await explained(parts())).toEqual({ valid: false, ...why });
  });

  it('is not explained to a key that is no admin', async () => {
    const headers = { ...(await server.newKey(['read', 'write'])), 'x-explain': 'true' };
    expect(await verdictOn({ body: '{}' }, headers)).toEqual({ valid: false });
  });

  it('is not valid for an application without a webhook', async () => {
    const { headers } = await server.newTenant();
    expect(await verdictOn({}, headers)).toEqual({ valid: false });
  });

  it('is not valid for an application with another webhook, which learns nothing of our delivery', async () => {
    const { headers } = await server.newTenant();
    await server.call('POST', '/v0/webhook', { headers, body: { url: app.url } });
    expect(await verdictOn({ body: changed({ prompt: 'Hi' }) }, { ...headers, 'x-explain': 'true' })).toEqual(
      {
        valid: false,
        reason: 'other_secret',
      },
    );
  });

  it('counts as stale by the tolerance of the settings', async () => {
    const own = await startServer({ config: { webhookToleranceMs: 60_000 } });
    const { json } = await own.call('POST', '/v0/webhook', { body: { url: app.url } });
    const { webhookSecret: by } = (json as { data: { webhookSecret: string } }).data;
    const ask = async (at: number): Promise<unknown> => {
      const { signature, timestamp, body } = signed({}, { by, at }) as Forwarded;
      const text = `{"signature":${signature},"timestamp":${timestamp},"body":${body}}`;
      return (await own.call('POST', '/v0/validate-webhook', { body: text })).json;
    };
    const verdicts = [await ask(Date.now()), await ask(Date.now() - 120_000)];
    await own.close();
    expect(verdicts).toEqual([{ valid: true }, { valid: false }]);
  });
});

describe('a rotation', () => {
  it('leaves both secrets good for a day, and the old one no longer', async () => {
    const old = secret;
    secret = await made('POST', '/v0/webhook/rotate-secret');
    const body = { testId: randomUUID() };
    const verdicts = async (): Promise<unknown[]> => [
      await verdictOn(signed(body, { by: secret })),
      await verdictOn(signed(body, { by: old })),
    ];
    expect(await verdicts()).toEqual([{ valid: true }, { valid: true }]);

    const row = besideServer(server.folder, (database) =>
      database.get<{ until: number; rotatedAt: number }>(
        'SELECT previous_until AS until, modified_at AS rotatedAt FROM webhook WHERE previous_until IS NOT NULL',
      ),
    );
    expect(row).toEqual({ until: (row?.rotatedAt ?? 0) + 24 * 60 * 60 * 1_000, rotatedAt: row?.rotatedAt });
    besideServer(server.folder, (database) =>
      database.run('UPDATE webhook SET previous_until = ? WHERE previous_until IS NOT NULL', Date.now()),
    );
    expect(await verdicts()).toEqual([{ valid: true }, { valid: false }]);
  });
});

describe('a request that cannot be judged', () => {
  const request = 'POST /v0/validate-webhook' as const;
  testHttp(
    () => server,
    [
      {
        name: 'needs a safe timestamp',
        request,
        body: '{"signature":"x","timestamp":9007199254740992,"body":{}}',
        status: 422,
        mustContain: ['"path":["timestamp"]'],
      },
      {
        name: 'needs an object',
        request,
        body: '[]',
        status: 422,
      },
      {
        name: 'needs JSON',
        request,
        body: '{"signature":',
        status: 400,
        mustContain: ['not valid JSON'],
      },
      {
        name: 'needs a body',
        request,
        status: 400,
        mustContain: ['JSON'],
      },
      {
        name: 'needs the content type of JSON',
        request,
        headers: { 'content-type': 'text/plain' },
        body: '{}',
        status: 415,
      },
      {
        name: 'must have at most 1 MiB',
        request,
        body: `{"signature":"${'x'.repeat(1024 * 1024)}"}`,
        status: 413,
      },
      {
        name: 'must not be nested without end',
        request,
        body: `{"signature":"x","timestamp":1,"body":{"x":${'['.repeat(5_000)}${']'.repeat(5_000)}}}`,
        status: 400,
      },
      {
        name: 'needs a key',
        request,
        headers: { 'x-api-key': null },
        body: {},
        status: 401,
      },
      {
        name: 'needs an application',
        request,
        headers: { 'x-application-id': null },
        body: {},
        status: 401,
      },
    ],
  );
});
