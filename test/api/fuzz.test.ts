import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Response } from '../../src/api/document.ts';
import {
  type ApiAnswer,
  type ApiCall,
  apiCalls,
  document,
  exampleOf,
  parametersIn,
  resolved,
  sendCall,
} from '../support/api-calls.ts';
import { type AnyCall, anyCall } from '../support/any-calls.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { fillWorld, type Outside, startOutside, type World, WORLD_SETTINGS } from '../support/world.ts';

/** Of each call. What fast-check says of a failure has the seed that makes it again. */
const RUNS = 40;

let server: TestServer;
let outside: Outside;
let own: World;
let other: World;
let before: string[];
beforeAll(async () => {
  server = await startServer({ config: WORLD_SETTINGS });
  outside = await startOutside();
  const tenant = await server.newTenant({ orgId: 'org-2' });
  [own, other] = await Promise.all([fillWorld(server, server, outside), fillWorld(server, tenant, outside)]);
  before = await state(other);
}, 60_000);
afterAll(async () => {
  await server.close();
  await outside.close();
});

/** Everything that an application can read of itself. */
async function state({ ids, headers }: World): Promise<string[]> {
  const answers: string[] = [];
  for (const call of apiCalls.filter(({ method, path }) => method === 'GET' && path.startsWith('/v0'))) {
    if (call.path.endsWith('/listen')) continue;
    const { text } = await sendCall(server.url, exampleOf(call, ids), headers);
    answers.push(`${call.name} ${text}`);
  }
  return answers;
}

const ajv = new Ajv2020({
  strict: false,
  formats: {
    binary: true,
    'date-time': /^\d{4,}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z$/,
    uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    uri: true,
  },
}).addSchema(document, 'api');

const responseOf = ({ operation }: ApiCall, status: number): Response | undefined => {
  const response = operation.responses[status];
  if (response === undefined || !('$ref' in response)) return response;
  return document.components.responses[response.$ref.split('/').at(-1) ?? ''];
};

const validators = new Map<object, ValidateFunction>();
function validatorOf(schema: object): ValidateFunction {
  let validator = validators.get(schema);
  if (!validator) {
    const absolute = JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"api#/');
    validators.set(schema, (validator = ajv.compile(JSON.parse(absolute) as object)));
  }
  return validator;
}

/** Characters of an address that may not fit into the 16 KiB of a request's head. */
const LONG_ADDRESS = 14_000;

/** What of it is not as the documents say. */
function faultsOf(call: ApiCall, { address, body }: AnyCall, answer: ApiAnswer): string[] {
  const { status, text, contentType, json } = answer;
  if (status >= 500) return [`${status}`];
  // The connection answers this one, before there is an operation.
  if (status === 431 && address.length > LONG_ADDRESS) return [];
  const response = responseOf(call, status);
  if (!response) return [`${status} is not documented: ${text}`];
  const faults: string[] = [];
  const [type = '', content] =
    Object.entries(response.content ?? {}).find(([name]) => contentType.startsWith(name)) ?? [];
  if (response.content ? type === '' : text !== '') faults.push(`it is ${contentType}: ${text}`);
  if (content && type === 'application/json') {
    const isValid = validatorOf(content.schema);
    if (!isValid(json)) faults.push(ajv.errorsText(isValid.errors));
  }
  if (status === 422) faults.push(...strangePaths(call, json));
  const sent = `${decodeURIComponent(address.replaceAll('%ED%A0%80', ''))} ${JSON.stringify(body)}`;
  if (text.includes(other.marker)) faults.push('it tells a text of another application');
  for (const id of Object.values(other.ids))
    if (text.includes(id) && !sent.includes(id)) faults.push('it tells an id of another application');
  return faults;
}

/** Paths of issues that do not begin with what the caller called it. */
function strangePaths(call: ApiCall, json: unknown): string[] {
  const contents = Object.values(call.operation.requestBody?.content ?? {}).map(({ schema }) =>
    resolved(schema),
  );
  const fields = contents.flatMap(({ properties = {}, anyOf = [] }) =>
    [properties, ...anyOf.map((one) => resolved(one).properties ?? {})].flatMap((one) => Object.keys(one)),
  );
  const names = new Set(
    [...parametersIn(call, 'path'), ...parametersIn(call, 'query')].map(({ name }) => name),
  );
  const { issues } = json as { issues: { path: string[] }[] };
  return issues
    .filter(({ path: [first] }) =>
      first === undefined ? fields.length === 0 : !names.has(first) && !fields.includes(first),
    )
    .map(({ path }) => `the path of an issue is ${JSON.stringify(path)}`);
}

/** What deletes comes last, so that the others find something. */
const order = ['GET', 'POST', 'PUT', 'DELETE'];
const calls = apiCalls.toSorted((a, b) => order.indexOf(a.method) - order.indexOf(b.method));

describe('anything sent to', () => {
  it.each(calls.map((call) => [call.name, call] as const))(
    '%s is answered as documented',
    async (_name, call) => {
      const known = { own: own.ids, other: other.ids, texts: own.texts };
      await fc.assert(
        fc.asyncProperty(anyCall(call, known), async (sent) => {
          const { address: path, ...more } = sent;
          const request = { method: call.method, path, query: new URLSearchParams(), ...more };
          const answer = await sendCall(server.url, request, own.headers);
          expect(faultsOf(call, sent, answer)).toEqual([]);
        }),
        { numRuns: RUNS },
      );
    },
  );
});

it('the server is as well as before', async () => {
  for (const path of ['/healthz', '/readyz']) expect((await server.call('GET', path)).status).toBe(200);
  expect(server.logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});

it('nothing of another application has changed', async () => {
  expect(await state(other)).toEqual(before);
});
