import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testHttp } from '../support/http-cases.ts';
import { sharedServer, type Tenant, type TestServer } from '../support/server.ts';
import { sendRaw } from '../support/sockets.ts';
import { otlpRequest } from '../support/spans.ts';

const TEST_ID = '3f0d7b0e-5c43-4a0b-9a53-6c1c8f3f5a10';
const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 31, 12, 0, seconds)).toISOString();

/** Texts that senders may well take for ids, and that mean something in a path. */
const ODD_IDS = [
  'with space',
  'a/b',
  '/a//b/',
  '..',
  '.',
  '../v0/traces',
  'by-test',
  '%2F',
  '100%',
  'a?b=c&d#e',
  'a+b',
  '🙂👩‍👩‍👧',
  'Ünïcödé',
  '{id}',
  ':id',
  '*',
  `' OR 1=1 --`,
  'x'.repeat(256),
  '首'.repeat(256),
  '🙂'.repeat(128),
];

let server: TestServer;
let other: Tenant;
beforeAll(async () => {
  server = await sharedServer();
  other = await server.newTenant();
  await ingest([
    {
      type: 'trace',
      timestamp: at(0),
      referenceId: 'conversation-7',
      testId: TEST_ID,
      input: 'Hello',
      output: 'Good day',
    },
    {
      type: 'llm',
      event: 'end',
      timestamp: at(1),
      modelId: 'm1',
      output: 'Good day',
      usage: { promptTokens: 12, completionTokens: 3 },
    },
    { type: 'trace', timestamp: at(60), referenceId: 'conversation-7', input: 'Bye', output: 'See you' },
    ...ODD_IDS.map((referenceId) => ({ type: 'trace', timestamp: at(10), referenceId, input: referenceId })),
  ]);
  await ingest(
    [{ type: 'trace', timestamp: at(5), referenceId: 'conversation-7', input: 'theirs' }],
    other.headers,
  );
});
afterAll(() => server.close());

async function ingest(events: unknown[], headers: Readonly<Record<string, string>> = {}): Promise<void> {
  const { status, text } = await server.call('POST', '/v0/ingest', { body: { events }, headers });
  expect(status, text).toBe(200);
  expect(text).not.toContain('"success":false');
}

interface Listed {
  data: { id: string; traceCount: number; input: string }[];
  pagination: { total: number };
}

async function list(query: string, headers: Readonly<Record<string, string>> = {}): Promise<Listed> {
  return server.ok('GET', `/v0/sessions${query}`, { headers });
}

const CONVERSATION = {
  id: 'conversation-7',
  orgId: 'org-1',
  userIds: [],
  traceCount: 2,
  firstAt: at(0),
  lastAt: at(60),
  usage: { promptTokens: 12, completionTokens: 3, totalTokens: 15 },
  cost: null,
  errorCount: 0,
  models: ['m1'],
  input: 'Hello',
  output: 'See you',
  testIds: [TEST_ID],
};

describe('GET /v0/sessions', () => {
  it('answers the conversations of the application, the latest first', async () => {
    const { data, pagination } = await list('');
    expect(data[0]).toMatchObject({ ...CONVERSATION, applicationId: server.applicationId });
    expect(data).toHaveLength(ODD_IDS.length + 1);
    expect(pagination).toEqual({ skip: 0, limit: 25, total: ODD_IDS.length + 1, totalPages: 1 });
    expect((await list('', other.headers)).data).toMatchObject([{ id: 'conversation-7', input: 'theirs' }]);
  });

  it.each([
    ['search=%25', ['%2F', '100%']],
    ['search=CONVERSATION', ['conversation-7']],
    [`startDate=${at(60)}`, ['conversation-7']],
    [`startDate=${at(20)}&endDate=${at(59)}`, []],
    [`endDate=${at(0)}`, ['conversation-7']],
    ['startDate=9999-12-31T23:59:59Z', []],
    ['endDate=0001-01-01T00:00:00Z', []],
    ['startDate=0001-01-01T00:00:00Z&endDate=9999-12-31T23:59:59Z&search=conversation', ['conversation-7']],
    ['userId=nobody', []],
    ['orderBy=firstAt&orderDir=asc&limit=1', ['conversation-7']],
    ['orderBy=lastAt&orderDir=desc&limit=1', ['conversation-7']],
    ['search=conversation', ['conversation-7']],
  ])('takes ?%s', async (query, ids) => {
    const { data } = await list(`?${query}`);
    expect(data.map(({ id }) => id).sort()).toEqual(ids.sort());
  });

  testHttp(
    () => server,
    [
      {
        name: 'needs a key',
        request: 'GET /v0/sessions',
        headers: { 'x-api-key': null },
        status: 401,
      },
    ],
  );
});

describe('GET /v0/sessions/{id}', () => {
  it('answers the conversation with its traces in order of time', async () => {
    const { json } = await server.call('GET', '/v0/sessions/conversation-7');
    const { data: traces } = await server.ok('GET', '/v0/traces?sessionId=conversation-7&orderDir=asc');
    expect(traces).toMatchObject([{ input: 'Hello' }, { input: 'Bye' }]);
    expect(json).toMatchObject({ data: { ...CONVERSATION, traces, tracesTruncated: false } });
  });

  // On a bare socket: clients take `..` in a path for the way up.
  it.each(ODD_IDS)('finds %j', async (id) => {
    const { status, body } = await sendRaw(server.url, {
      method: 'GET',
      path: `/v0/sessions/${encodeURIComponent(id)}`,
      headers: server.headers,
    });
    expect(status, body.toString()).toBe(200);
    expect(JSON.parse(body.toString())).toMatchObject({
      data: { id, traceCount: 1, traces: [{ sessionId: id }] },
    });
  });

  testHttp(
    () => server,
    [
      {
        name: 'knows no other session',
        request: 'GET /v0/sessions/conversation-8',
        status: 404,
        mustContain: ['{"message":"session not found"}'],
      },
      { name: 'knows no session in another case', request: 'GET /v0/sessions/Conversation-7', status: 404 },
      { name: 'knows no part of a session', request: 'GET /v0/sessions/conversation', status: 404 },
      { name: 'knows no session without an id', request: 'GET /v0/sessions/', status: 404 },
      { name: 'knows no id that is too long', request: `GET /v0/sessions/${'x'.repeat(600)}`, status: 404 },
      { name: 'takes no broken path', request: 'GET /v0/sessions/%ED%A0%80', status: 400 },
      {
        name: 'needs a key',
        request: 'GET /v0/sessions/conversation-7',
        headers: { 'x-api-key': null },
        status: 401,
      },
    ],
  );

  it('shows no traces of another application', async () => {
    const { text } = await server.call('GET', '/v0/sessions/conversation-7', { headers: other.headers });
    expect(text).toContain('theirs');
    expect(text).not.toContain('Hello');
    expect((await server.call('GET', '/v0/sessions/a%2Fb', { headers: other.headers })).status).toBe(404);
  });
});

describe('the filters of GET /v0/traces', () => {
  beforeAll(async () => {
    const body = otlpRequest([
      {
        id: 1,
        name: 'ask',
        resource: { 'deployment.environment.name': 'prod' },
        attributes: { 'gen_ai.provider.name': 'openai' },
      },
    ]);
    const headers = { 'content-type': 'application/x-protobuf' };
    await server.call('POST', '/v1/traces', { body, headers });
  });

  it.each([
    ['environment=prod', 1],
    ['environment=dev&environment=prod', 1],
    ['environment=dev', 0],
    ['provider=openai,anthropic', 1],
    ['provider=anthropic', 0],
    ['environment=prod&provider=openai&maxTokens=0&search=ASK', 1],
    ['minTokens=15&maxTokens=15', 1],
    ['minTokens=16', 0],
    ['search=GOOD%20DAY', 1],
    ['search=good_day', 0],
    ['startDate=9999-12-31T23:59:59Z', 0],
    [`startDate=${at(60)}&endDate=${at(60)}`, 1],
    [`startDate=${at(0)}&endDate=${at(0)}`, 1],
  ])('take ?%s', async (query, total) => {
    const { status, json, text } = await server.call('GET', `/v0/traces?${query}`);
    expect(status, text).toBe(200);
    expect((json as Listed).pagination.total).toBe(total);
  });
});
