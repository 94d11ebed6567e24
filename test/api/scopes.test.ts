import { randomUUID } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCOPES, type ScopeName } from '../../src/contract/scope.ts';
import { generateKey } from '../../src/resources/api-keys/key-text.ts';
import {
  type ApiAnswer,
  type ApiCall,
  apiCalls,
  EXAMPLE_IDS,
  exampleOf,
  isExport,
  isStream,
  isOtlp,
  sendCall,
} from '../support/api-calls.ts';
import { isComplete } from '../support/effort.ts';
import { startServer, type TestServer } from '../support/server.ts';

type Credentials = Readonly<Record<string, string>>;

let server: TestServer;
/** Headers of each kind that some rule rejects. */
let bad: Readonly<Record<string, Credentials>>;
const withScopes = new Map<string, Credentials>();
let before: string[];
const endpoints = new Set<string>();
const CREATED = 'fastify.initialization';
const watchEndpoints = (message: unknown): void => {
  (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', ({ method, url }) => {
    for (const verb of [method].flat()) endpoints.add(`${verb} ${url.replaceAll(/:(\w+)/g, '{$1}')}`);
  });
};
beforeAll(async () => {
  subscribe(CREATED, watchEndpoints);
  server = await startServer();
  unsubscribe(CREATED, watchEndpoints);
  const { headers: other } = await server.newTenant({ orgId: 'org-2' });
  const application = { 'x-application-id': server.applicationId };
  const key = (text: string | undefined): Credentials => ({ ...application, 'x-api-key': String(text) });
  const [, keyId] = server.apiKey.split('_');
  const { id, key: revoked } = (await server.ok('POST', '/v0/api-keys', { body: { name: 'To revoke' } }))
    .data;
  await server.call('DELETE', `/v0/api-keys/${id}`);
  bad = {
    nothing: {},
    onlyKey: { 'x-api-key': server.apiKey },
    onlyApplication: application,
    malformed: key('nonsense'),
    tooLong: key(`${server.apiKey}x`),
    unknown: key(generateKey().text),
    wrongSecret: key(`sk_${keyId}_${'b'.repeat(43)}`),
    revoked: key(revoked),
    expired: await server.newKey(SCOPES, { expiresAt: Date.now() - 1 }),
    othersKey: key(other['x-api-key']),
    othersApplication: { ...server.headers, 'x-application-id': String(other['x-application-id']) },
    unknownApplication: { ...server.headers, 'x-application-id': randomUUID() },
    noApplication: { ...server.headers, 'x-application-id': "' OR 1=1 --" },
  };
  for (const scope of SCOPES) {
    withScopes.set(scope, await server.newKey([scope]));
    // `write` includes `annotate`.
    const without = scope === 'annotate' ? [scope, 'write'] : [scope];
    withScopes.set(`not ${scope}`, await server.newKey(SCOPES.filter((one) => !without.includes(one))));
  }
  before = await state();
});
afterAll(() => server.close());

const NOT_VALID = 'The API key is not valid';
const NOT_OF_IT = 'The API key does not belong to the application in x-application-id';
const REJECTIONS: Readonly<Record<string, readonly [status: number, message: string]>> = {
  nothing: [401, 'The header x-api-key is missing'],
  onlyKey: [401, 'The header x-application-id is missing'],
  onlyApplication: [401, 'The header x-api-key is missing'],
  malformed: [401, NOT_VALID],
  tooLong: [401, NOT_VALID],
  unknown: [401, NOT_VALID],
  wrongSecret: [401, NOT_VALID],
  revoked: [401, NOT_VALID],
  expired: [401, NOT_VALID],
  othersKey: [403, NOT_OF_IT],
  othersApplication: [403, NOT_OF_IT],
  unknownApplication: [403, NOT_OF_IT],
  noApplication: [403, NOT_OF_IT],
};

/** On the machine of the server this one is open to everybody. */
const isOpen = ({ path }: ApiCall): boolean => path === '/metrics';
const keyed = apiCalls.filter((call) => call.scope !== null && !isOpen(call));
/** Those for browsers need no key either, but more than this. */
const isSignIn = ({ operation }: ApiCall): boolean => operation.tags.includes('Sign-in');
const unkeyed = apiCalls.filter((call) => (call.scope === null && !isSignIn(call)) || isOpen(call));
const named = (calls: readonly ApiCall[]) => calls.map((call) => [call.name, call] as const);

const send = (call: ApiCall, credentials: Credentials): Promise<ApiAnswer> =>
  sendCall(server.url, exampleOf(call, EXAMPLE_IDS), credentials);

/** Of an answer everything that may not differ. */
const shown = ({ status, json, contentType, headers }: ApiAnswer) => ({
  status,
  json,
  contentType,
  isNamed: /^[0-9a-f-]{36}$/.test(headers.get('x-request-id') ?? ''),
});

const rejection = (call: ApiCall, status: number, message: string): ReturnType<typeof shown> => ({
  status,
  json: isOtlp(call) ? { code: status === 401 ? 16 : 7, message } : { message },
  contentType: isOtlp(call) ? 'application/json' : 'application/json; charset=utf-8',
  isNamed: true,
});

/** They show when the service was measured, and which requests were rejected. */
const MEASURED = ['/v0/system', '/v0/retention', '/v0/attention'];

/** Everything the application has, as its lists show it. */
async function state(): Promise<string[]> {
  const isList = (call: ApiCall): boolean =>
    call.method === 'GET' &&
    !call.path.includes('{') &&
    !isStream(call) &&
    !isExport(call) &&
    !MEASURED.includes(call.path);
  const lists = keyed.filter(isList);
  const answers: string[] = [];
  for (const call of lists) answers.push(`${call.name} ${(await send(call, server.headers)).text}`);
  return answers;
}

/** Other paths of the documented `/v1/traces`, `/v1/logs` and `/v1/metrics`. */
const OTLP_ALIAS = /^POST \/.+\/v1\/(?:traces|logs|metrics)$/;

it('every route is documented, or shows the documentation, the dashboard or packages, or serves agents', () => {
  const described = new Set(apiCalls.map(({ name }) => name));
  const showing = [
    'GET /',
    'GET /assets/{file}',
    'GET /docs',
    'GET /docs/reference.css',
    'GET /docs/reference.js',
    'GET /openapi.json',
    'GET /packages',
    'GET /packages/',
    'GET /packages/{file}',
    // Model Context Protocol: its tools call documented routes with the key of the caller.
    'GET /mcp',
    'POST /mcp',
    'DELETE /mcp',
  ];
  // HEAD is a GET that leaves out the body.
  const others = [...endpoints].filter(
    (endpoint) => !described.has(endpoint) && !endpoint.startsWith('HEAD ') && !OTLP_ALIAS.test(endpoint),
  );
  expect(others.toSorted()).toEqual(showing.toSorted());
  expect([...described].filter((name) => !endpoints.has(name))).toEqual([]);
});

it('there are calls that need each scope, and few that need no key', () => {
  expect(new Set(keyed.map(({ scope }) => scope))).toEqual(new Set(SCOPES));
  expect(unkeyed.map(({ name }) => name).toSorted()).toEqual(['GET /healthz', 'GET /metrics', 'GET /readyz']);
});

/** Kinds of bad credentials that are sent to every route; each of the others is sent to some. */
const TO_EVERY_ROUTE = ['nothing', 'wrongSecret', 'othersKey'];
const OTHER_KINDS = Object.keys(REJECTIONS).filter((kind) => !TO_EVERY_ROUTE.includes(kind));

describe.each(named(keyed))('%s', (_name, call) => {
  it('rejects credentials that are not good, and reports nothing else', async () => {
    const other = OTHER_KINDS[keyed.indexOf(call) % OTHER_KINDS.length];
    const sent = Object.entries(REJECTIONS).filter(
      ([kind]) => isComplete || TO_EVERY_ROUTE.includes(kind) || kind === other || isOtlp(call),
    );
    for (const [kind, [status, message]] of sent)
      expect(shown(await send(call, bad[kind] as Credentials)), kind).toEqual(
        rejection(call, status, message),
      );
  });

  it('names the scope that a key with all others lacks', async () => {
    const answer = await send(call, withScopes.get(`not ${call.scope}`) as Credentials);
    expect(shown(answer)).toEqual(rejection(call, 403, `The API key lacks the scope "${call.scope}"`));
  });

  it('reports no more where the request is wrong in other ways too', async () => {
    const request = { ...exampleOf(call, EXAMPLE_IDS), query: new URLSearchParams('limit=x&skip=-1') };
    const wrong = request.body === undefined || request.isForm ? request : { ...request, body: [[]] };
    const answer = await sendCall(server.url, wrong, bad['wrongSecret'] as Credentials);
    expect(shown(answer)).toEqual(rejection(call, 401, NOT_VALID));
  });
});

it('nothing was done by any of them', async () => {
  expect(await state()).toEqual(before);
});

/** Calls for which one scope is not enough: what they say. */
const BEYOND_SCOPES: Readonly<Record<string, string>> = {
  'POST /v0/api-keys': 'cannot pass it on',
  'POST /v0/webhook': 'admin',
};

describe('the one scope it needs', () => {
  // What these examples name is not there, or it would be made or deleted.
  it.each(named(keyed))('lets a key call %s', async (_name, call) => {
    const { status, text } = await send(call, withScopes.get(call.scope as ScopeName) as Credentials);
    const beyond = BEYOND_SCOPES[call.name];
    if (beyond === undefined) expect([401, 403], `${status} ${text}`).not.toContain(status);
    else expect([status, text]).toEqual([403, expect.stringContaining(beyond)]);
  });

  it('is enough with the application in upper case', async () => {
    const credentials = { ...server.headers, 'x-application-id': server.applicationId.toUpperCase() };
    for (const path of ['/v0/tags', '/v0/traces'])
      expect((await server.call('GET', path, { headers: credentials })).status).toBe(200);
  });
});

it.each(named(unkeyed))('%s needs no key', async (_name, call) => {
  await expect.poll(async () => (await send(call, {})).status).toBe(200);
});

it('no key is in the log', () => {
  const keys = [...withScopes.values(), ...Object.values(bad)].flatMap(
    (headers) => headers['x-api-key'] ?? [],
  );
  const logged = server.logged.join('\n');
  expect(keys.filter((key) => key !== 'nonsense' && logged.includes(key))).toEqual([]);
});
