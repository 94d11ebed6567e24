/** Texts of every route of the document: those with half of a surrogate pair are rejected by one rule. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../src/api/json-schema.ts';
import {
  type ApiAnswer,
  type ApiCall,
  apiCalls,
  EXAMPLE_IDS,
  exampleOf,
  isOtlp,
  isStream,
  parametersIn,
  resolved,
  sendCall,
  withReference,
} from '../support/api-calls.ts';
import { sharedServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

const HALF = 'a\ud800b';
const RULE = { code: 'invalid_string', message: 'must not contain half of a surrogate pair' };
const MAX_DEPTH = 5;
const ARRAY = '[]';

/**
 * Calls whose bodies have rules of their own: telemetry is stored as far as it is valid, with a result for each event; a file is no
 * JSON of the call; and a signature of any form is only valid or not.
 */
const hasOwnRules = (call: ApiCall): boolean =>
  isOtlp(call) ||
  ['/v0/ingest', '/v0/validate-webhook', '/v0/tasks/{id}/examples/import'].includes(call.path);

/** Returns the paths of all texts in a schema, including those of which only some values are allowed. */
function textsIn(given: JsonSchema, path: readonly string[]): (readonly string[])[] {
  if (path.length > MAX_DEPTH) return [];
  const { type, properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = resolved(given);
  const types: readonly unknown[] = [type ?? []].flat();
  return [
    ...(types.includes('string') ? [path] : []),
    ...Object.entries(properties).flatMap(([name, property]) => textsIn(property, [...path, name])),
    ...(items ? textsIn(items, [...path, ARRAY]) : []),
    ...[...anyOf, ...oneOf, ...allOf].flatMap((one) => textsIn(one, path)),
  ];
}

const textsOf = ({ operation }: ApiCall): (readonly string[])[] => {
  const schema = operation.requestBody?.content['application/json']?.schema;
  if (!schema) return [];
  return [...new Map(textsIn(schema, []).map((path) => [path.join('.'), path])).values()];
};

interface Shown {
  issues?: { code: string; message: string; path: string[] }[];
}
const problem = (place: string, { status, json, text }: ApiAnswer): string[] => {
  const names = place.split('.').filter((name) => name !== ARRAY);
  const isNamed = ((json as Shown | undefined)?.issues ?? []).some(
    ({ code, message, path }) =>
      code === RULE.code && message === RULE.message && names.every((name) => path.includes(name)),
  );
  return status === 422 && isNamed ? [] : [`${place}: ${status} ${text.slice(0, 300)}`];
};

const withBodies = apiCalls.filter((call) => !hasOwnRules(call) && textsOf(call).length > 0);
it('most routes that change something have texts', () => {
  expect(withBodies.length).toBeGreaterThan(40);
});

describe('half of a surrogate pair in each text of a body', () => {
  it.each(withBodies.map((call) => [call.name, call] as const))('%s rejects it', async (_name, call) => {
    const example = exampleOf(call, EXAMPLE_IDS);
    const problems: string[] = [];
    for (const path of textsOf(call)) {
      const request = { ...example, body: withReference(example.body, { path }, HALF) };
      problems.push(...problem(path.join('.'), await sendCall(server.url, request, server.headers)));
    }
    expect(problems).toEqual([]);
  });
});

/** Half of a surrogate pair as some clients write it into an address. It has no bytes in UTF-8, so the query cannot be decoded. */
const HALF_IN_ADDRESS = 'a%ED%A0%80b';
const withQueries = apiCalls.filter(
  (call) =>
    !isStream(call) && parametersIn(call, 'query').some(({ schema }) => textsIn(schema, []).length > 0),
);

describe('half of a surrogate pair in each text of a query', () => {
  it.each(withQueries.map((call) => [call.name, call] as const))('%s rejects it', async (_name, call) => {
    const { path, method, query } = exampleOf(call, EXAMPLE_IDS);
    const problems: string[] = [];
    for (const { name, schema } of parametersIn(call, 'query')) {
      if (textsIn(schema, []).length === 0) continue;
      const others = new URLSearchParams([...query].filter(([other]) => other !== name));
      const response = await fetch(`${server.url}${path}?${String(others)}&${name}=${HALF_IN_ADDRESS}`, {
        method,
        headers: server.headers,
      });
      const text = await response.text();
      if (response.status !== 400) problems.push(`${name}: ${response.status} ${text.slice(0, 200)}`);
    }
    expect(problems).toEqual([]);
  });
});
