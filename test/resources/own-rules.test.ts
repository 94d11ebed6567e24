/** Own mapping rules and prices of an application: set, tried, and applied to what arrives and to what is shown. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sharedServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

const TRACE = 'ab'.repeat(16);
let spans = 0;

/** Sends a span with these attributes, and returns its id. */
async function send(attributes: Record<string, string>): Promise<string> {
  const spanId = String(++spans).padStart(16, '0');
  const time = `${Date.now()}000000`;
  const span = {
    traceId: TRACE,
    spanId,
    name: 'work',
    startTimeUnixNano: time,
    endTimeUnixNano: time,
    attributes: Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } })),
  };
  const body = { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] };
  expect((await server.call('POST', '/v1/traces', { body })).status).toBe(200);
  return spanId;
}

const get = async (id: string) =>
  (await server.ok('GET', `/v0/traces/${TRACE}/spans/${id}` as '/v0/traces/{id}/spans/{spanId}')).data;

it('mapping rules are versions; one of two changes at a time is a conflict', async () => {
  expect((await server.ok('GET', '/v0/mappings')).data).toEqual({ version: 0, modifiedAt: null, rules: [] });
  const rules = [{ key: 'acme.q', field: 'input' as const }];
  const first = (await server.ok('PUT', '/v0/mappings', { body: { rules, replaces: 0 } })).data;
  expect(first).toMatchObject({ version: 1, rules });
  const late = await server.call('PUT', '/v0/mappings', { body: { rules: [], replaces: 0 } });
  expect(late.status).toBe(409);
  await server.ok('PUT', '/v0/mappings', { body: { rules: [] } });
  expect((await server.ok('GET', '/v0/mappings?version=1' as '/v0/mappings')).data.rules).toEqual(rules);
  expect((await server.call('GET', '/v0/mappings?version=9')).status).toBe(404);
});

it('a span that no rule reads is previewed with proposals, and mapped once the rules are set', async () => {
  const sent = { 'acme.question': 'How long?', 'acme.model_name': 'acme-1', 'acme.tokens_in': '1000' };
  const before = await send(sent);
  expect((await get(before)).mapped.fields['input']).toBeUndefined();
  const { unread } = (await server.ok('POST', '/v0/mappings/preview', { body: {} })).data;
  expect(unread).toEqual(
    expect.arrayContaining([
      { key: 'acme.question', spans: 1, samples: ['How long?'], proposed: 'input' },
      { key: 'acme.model_name', spans: 1, samples: ['acme-1'], proposed: 'model' },
    ]),
  );
  const rules = [
    { key: 'acme.question', field: 'input' as const, kind: 'LLM' as const },
    { key: 'acme.model_name', field: 'model' as const },
    { key: 'acme.tokens_in', field: 'inputTokens' as const, type: 'number' as const },
  ];
  const tried = (await server.ok('POST', '/v0/mappings/preview', { body: { rules } })).data;
  expect(tried.rules.map(({ spans: count, given, samples }) => [count, given, samples])).toEqual([
    [1, 1, ['How long?']],
    [1, 1, ['acme-1']],
    [1, 1, ['1000']],
  ]);
  await server.ok('PUT', '/v0/mappings', { body: { rules } });
  const prices = { 'acme-1': { input: 2, output: 8 } };
  await server.ok('PUT', '/v0/prices', { body: { prices } });
  const after = await send({ ...sent, 'acme.question': 'How far?' });
  const span = await get(after);
  expect(span).toMatchObject({ kind: 'LLM', model: 'acme-1', cost: 0.002 });
  expect(span.mapped.fields['input']).toEqual({
    value: 'How far?',
    vocabulary: 'own',
    from: 'acme.question',
  });
  expect(span.mapped.cost).toMatchObject({
    basis: 'calculated',
    cost: 0.002,
    price: { source: 'application' },
    parts: [{ quantity: 1000, pricePerMillion: 2, from: 'acme.tokens_in' }],
  });
  expect((await get(before)).mapped.fields['input']?.value).toBe('How long?');
});

const MANY_TIERS = Object.fromEntries(Array.from({ length: 21 }, (_unused, n) => [`tier-${n}`, 2]));

it.each<[path: string, body: object, field: string]>([
  ['/v0/mappings', { rules: [{ key: 'acme.*', field: 'model' }] }, 'key'],
  ['/v0/mappings', { rules: [{ key: 'acme.q', field: 'input', path: 'a..b' }] }, 'path'],
  ['/v0/mappings', { rules: [{ key: 'acme.q', field: 'inputs' }] }, 'field'],
  ['/v0/prices', { prices: { a: { input: -1, output: 1 } } }, 'prices'],
  ['/v0/prices', { prices: { ' ': { input: 1, output: 1 } } }, 'prices'],
  ['/v0/prices', { prices: { a: [{ input: 1, output: 1, from: '2026-02-30' }] } }, 'prices'],
  ['/v0/prices', { prices: { a: Array.from({ length: 2 }, () => ({ input: 1, output: 1 })) } }, 'prices'],
  ['/v0/prices', { prices: { a: { input: 1, output: 1, tiers: MANY_TIERS } } }, 'prices'],
])('%s rejects %j', async (path, body, field) => {
  const { status, text } = await server.call('PUT', path, { body });
  expect(status).toBe(422);
  expect(text).toContain(`"${field}"`);
});
