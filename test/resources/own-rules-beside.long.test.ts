/** Own mapping rules beside erasures, roles and other applications, and at the bounds of what a rule may be. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROLES, type Role } from '../../src/people/roles.ts';
import { addPerson } from '../support/people.ts';
import { sharedServer, type Tenant, type TestServer } from '../support/server.ts';
import { otlpRequest, spanHex, traceBytes, type Values } from '../support/spans.ts';
import { erasing } from './erasure-support.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

const { erase, filesWith } = erasing(() => server);

/** In place of the key that calls have otherwise. */
const NO_KEY = { 'x-api-key': null };

const PROTOBUF = { 'content-type': 'application/x-protobuf' };

/** Stores a trace of one span in an application. */
async function store(tenant: Tenant, trace: number, attributes: Values): Promise<void> {
  const body = otlpRequest([{ trace, id: 1, name: 'work', attributes }]);
  const { status } = await server.call('POST', '/v1/traces', {
    headers: { ...tenant.headers, ...PROTOBUF },
    body,
  });
  expect(status).toBe(200);
}

/** Returns what is shown of that span: values of its fields by name. */
async function fieldsOf({ headers }: Tenant, trace: number): Promise<Record<string, unknown>> {
  const path = `/v0/traces/${traceBytes(trace).toString('hex')}/spans/${spanHex(1)}`;
  const { json } = await server.call('GET', path, { headers });
  const { fields } = (json as { data: { mapped: { fields: Record<string, { value: unknown }> } } }).data
    .mapped;
  return Object.fromEntries(Object.entries(fields).map(([field, { value }]) => [field, value]));
}

const setRules = (tenant: Tenant, rules: unknown): ReturnType<TestServer['call']> =>
  server.call('PUT', '/v0/mappings', { headers: tenant.headers, body: { rules } });

async function countOf({ headers }: Tenant, query: string): Promise<number> {
  const { json } = await server.call('GET', `/v0/traces?${query}`, { headers });
  return (json as { pagination: { total: number } }).pagination.total;
}

it('an erasure of the user that an own rule names deletes the traces and every copy of their values', async () => {
  const rules = [
    { key: 'acme.person', field: 'userId' },
    { key: 'acme.diary', field: 'input' },
    { key: 'acme.mood', field: 'tags' },
    { key: 'acme.note.*', field: 'metadata' },
  ];
  expect((await setRules(server, rules)).status).toBe(200);
  const secret = 'zebra-confession-4711';
  await store(server, 1, {
    'acme.person': 'mona@example.com',
    'acme.diary': secret,
    'acme.mood': `${secret}-tag`,
    'acme.note.a': `${secret}-note`,
  });
  await store(server, 2, { 'acme.person': 'nora@example.com', 'acme.diary': 'kept' });
  expect(await fieldsOf(server, 1)).toMatchObject({ input: secret, tags: [`${secret}-tag`] });
  expect(await countOf(server, 'userId=mona@example.com')).toBe(1);
  await expect.poll(() => filesWith(secret).length).toBeGreaterThan(0);

  expect(await erase({ userId: 'mona@example.com' })).toMatchObject({ counts: { traces: 1, spans: 1 } });
  expect(await countOf(server, 'userId=mona@example.com')).toBe(0);
  expect(await countOf(server, 'userId=nora@example.com')).toBe(1);
  const { text } = await server.call('POST', '/v0/mappings/preview', { body: {} });
  expect(text).toContain('kept');
  expect(text).not.toContain(secret);
  await expect.poll(() => filesWith(secret, 'mona@example.com')).toEqual([]);
});

it.each<[role: Role, canChange: boolean]>(ROLES.map((role) => [role, role === 'editor' || role === 'admin']))(
  'a person with the role %s can read the rules and try them; can change them: %s',
  async (role, canChange) => {
    const tenant = await server.newTenant();
    const headers = { ...NO_KEY, ...addPerson(server, tenant, { role }).headers };
    const rules = [{ key: 'acme.q', field: 'input' }];
    expect((await server.call('GET', '/v0/mappings', { headers })).status).toBe(200);
    const tried = await server.call('POST', '/v0/mappings/preview', { headers, body: { rules } });
    expect(tried.status).toBe(200);
    const { status } = await server.call('PUT', '/v0/mappings', { headers, body: { rules } });
    expect(status).toBe(canChange ? 200 : 403);
    const stored = await server.call('GET', '/v0/mappings', { headers });
    expect((stored.json as { data: { version: number } }).data.version).toBe(canChange ? 1 : 0);
  },
);

it('rules are those of one application, until another one imports what the first returns', async () => {
  const [one, other] = [await server.newTenant(), await server.newTenant()];
  await setRules(one, [
    { key: 'acme.call', field: 'input', path: 'request["the prompt"][0]', type: 'text', kind: 'LLM' },
    { key: 'acme.type', field: 'kind', kinds: { completion: 'LLM' } },
  ]);
  const sent = { 'acme.call': '{"request":{"the prompt":["Hi"]}}' };
  for (const tenant of [one, other]) await store(tenant, 3, sent);
  expect(await fieldsOf(one, 3)).toMatchObject({ input: 'Hi', kind: 'LLM' });
  expect(await fieldsOf(other, 3)).toEqual({});

  const file = (await server.call('GET', '/v0/mappings', { headers: one.headers })).json as {
    data: { rules: unknown };
  };
  expect((await setRules(other, file.data.rules)).status).toBe(200);
  await store(other, 4, sent);
  expect(await fieldsOf(other, 4)).toMatchObject({ input: 'Hi', kind: 'LLM' });
  const again = await server.call('GET', '/v0/mappings', { headers: other.headers });
  expect(again.json).toMatchObject({ data: { rules: file.data.rules } });
});

it('of two rules for one field the first with a value counts, and a rule that was removed no longer applies', async () => {
  const tenant = await server.newTenant();
  const [first, second] = [
    { key: 'acme.first', field: 'sessionId' },
    { key: 'acme.second', field: 'sessionId' },
  ];
  await setRules(tenant, [first, second]);
  await store(tenant, 5, { 'acme.first': 'a', 'acme.second': 'b' });
  await store(tenant, 6, { 'acme.first': '', 'acme.second': 'b' });
  expect([await fieldsOf(tenant, 5), await fieldsOf(tenant, 6)]).toEqual([
    { sessionId: 'a' },
    { sessionId: 'b' },
  ]);
  await setRules(tenant, [second]);
  await store(tenant, 7, { 'acme.first': 'a', 'acme.second': 'b' });
  expect(await fieldsOf(tenant, 7)).toEqual({ sessionId: 'b' });
  await setRules(tenant, []);
  await store(tenant, 8, { 'acme.first': 'a', 'acme.second': 'b' });
  expect(await fieldsOf(tenant, 8)).toEqual({});
  expect(await countOf(tenant, 'sessionId=b')).toBe(2);
});

const LONG_KEY = `acme.${'k'.repeat(195)}`;
const LONG_PATH = `["${'p'.repeat(196)}"]`;

it.each<[what: string, rule: object, sent: Values, shown: unknown]>([
  ['a key of 200 characters', { key: LONG_KEY }, { [LONG_KEY]: 'Hi' }, 'Hi'],
  [
    'a path of 200 characters',
    { key: 'acme.long', path: LONG_PATH },
    { 'acme.long': JSON.stringify({ ['p'.repeat(196)]: 'Hi' }) },
    'Hi',
  ],
  [
    'a path to a prototype',
    { key: 'acme.proto', path: '__proto__.constructor' },
    { 'acme.proto': '{}' },
    undefined,
  ],
  [
    'a path to the length of a list',
    { key: 'acme.list', path: 'length' },
    { 'acme.list': '[1,2]' },
    undefined,
  ],
  [
    'a member that is called as a prototype',
    { key: 'acme.named', path: '__proto__' },
    { 'acme.named': '{"__proto__":"mine"}' },
    'mine',
  ],
  ['an index far outside', { key: 'acme.far', path: '[999999]' }, { 'acme.far': '["a"]' }, undefined],
  [
    'a path through 16 levels',
    { key: 'acme.deep', path: Array.from({ length: 16 }, () => 'a').join('.') },
    { 'acme.deep': `${'{"a":'.repeat(16)}"end"${'}'.repeat(16)}` },
    'end',
  ],
  [
    'JSON that is nested 5 000 times',
    { key: 'acme.nested', path: '[0][0]' },
    { 'acme.nested': `${'['.repeat(5_000)}${']'.repeat(5_000)}` },
    undefined,
  ],
])('a rule may have %s', async (_what, rule, sent, shown) => {
  const tenant = await server.newTenant();
  expect((await setRules(tenant, [{ field: 'input', ...rule }])).status).toBe(200);
  await store(tenant, 9, sent);
  expect((await fieldsOf(tenant, 9))['input']).toEqual(shown);
});

it.each<[what: string, rule: object]>([
  ['a key of 201 characters', { key: `${LONG_KEY}k` }],
  ['a path of 201 characters', { key: 'acme.q', path: `["${'p'.repeat(197)}"]` }],
  ['a path of 17 levels', { key: 'acme.q', path: Array.from({ length: 17 }, () => 'a').join('.') }],
  ['a path with a quotation mark that does not end', { key: 'acme.q', path: '["a' }],
  ['a negative index', { key: 'acme.q', path: '[-1]' }],
  ['an asterisk in the middle', { key: 'acme.*.q' }],
])('a rule with %s is rejected', async (_what, rule) => {
  expect((await setRules(server, [{ field: 'input', ...rule }])).status).toBe(422);
});

it('a preview of an application with 12 000 spans and 200 rules is answered within its bounds', async () => {
  const tenant = await server.newTenant();
  const perTrace = 100;
  for (let trace = 1; trace <= 120; trace++) {
    const spans = Array.from({ length: perTrace }, (_unused, index) => ({
      trace: 1_000 + trace,
      id: index + 1,
      attributes: { 'acme.question': `q ${index}`, 'acme.number': index },
    }));
    const headers = { ...tenant.headers, ...PROTOBUF };
    expect((await server.call('POST', '/v1/traces', { headers, body: otlpRequest(spans) })).status).toBe(200);
  }
  const rules = Array.from({ length: 200 }, (_unused, index) => ({
    key: index === 0 ? 'acme.question' : `acme.other.${index}`,
    field: 'input',
  }));
  const { status, json } = await server.call('POST', '/v0/mappings/preview', {
    headers: tenant.headers,
    body: { rules },
  });
  expect(status).toBe(200);
  const { data } = json as {
    data: {
      spans: number;
      rules: { spans: number; given: number; samples: string[] }[];
      unread: { key: string; spans: number }[];
    };
  };
  expect(data.spans).toBeGreaterThan(0);
  expect(data.spans).toBeLessThanOrEqual(5_000);
  expect(data.rules).toHaveLength(200);
  expect(data.rules[0]).toMatchObject({ spans: data.spans, given: data.spans });
  expect(data.rules[0]?.samples).toHaveLength(3);
  expect(data.unread).toEqual([expect.objectContaining({ key: 'acme.number', spans: data.spans })]);
});
