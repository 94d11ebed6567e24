/** Limits of every route: what the API document states for a body, a query or a path is accepted at the limit and rejected beyond it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ApiCall,
  type ApiRequest,
  apiCalls,
  EXAMPLE_IDS,
  exampleOf,
  isOtlp,
  isStream,
  parametersIn,
  sendCall,
} from '../support/api-calls.ts';
import {
  ARRAY,
  type Field,
  fieldsIn,
  formCases,
  type LimitCase,
  rangeCases,
  typeCases,
  withValue,
} from '../support/schema-limits.ts';
import { sharedServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

/** Rejected by every route, so that no request has an effect: all issues of a request are listed together. */
const UNKNOWN = 'unknown_parameter';
interface Issue {
  code: string;
  path: string[];
}

async function issuesOf(request: ApiRequest): Promise<Issue[]> {
  request.query.set(UNKNOWN, '1');
  const { status, json, text } = await sendCall(server.url, request, server.headers);
  expect(status, `${request.method} ${request.path.slice(0, 200)} ${text}`).toBe(422);
  const { issues } = json as { issues: Issue[] };
  expect(issues, text).toContainEqual(expect.objectContaining({ path: [UNKNOWN] }));
  return issues;
}

/** Calls that accept what is wrong: telemetry is stored as far as it is valid, and a signature of any form is only valid or not. */
const hasOwnRules = (call: ApiCall): boolean =>
  isOtlp(call) || ['/v0/ingest', '/v0/validate-webhook'].includes(call.path);

/** Returns what is wrong with the response to a value of a field. */
async function problem(
  request: ApiRequest,
  { path }: Pick<Field, 'path'>,
  { limit, value, code }: LimitCase,
): Promise<string[]> {
  const names = path.filter((name) => name !== ARRAY);
  const issues = (await issuesOf(request)).filter((issue) =>
    names.every((name) => issue.path.includes(name)),
  );
  const codes = issues.map((issue) => issue.code);
  const isRight =
    code === null
      ? !codes.some((one) => ['too_small', 'too_big', 'invalid_enum_value'].includes(one))
      : codes.includes(code);
  const shown = JSON.stringify(value)?.slice(0, 60);
  return isRight ? [] : [`${path.join('.')}: ${limit}: ${shown}: ${codes.join(', ') || 'accepted'}`];
}

const fieldsOf = ({ operation }: ApiCall): Field[] => {
  const schema = operation.requestBody?.content['application/json']?.schema;
  return schema ? fieldsIn(schema) : [];
};
const casesOf = (field: Field): LimitCase[] => [
  ...rangeCases(field),
  ...formCases(field),
  ...typeCases(field),
];

describe('the fields of a body', () => {
  const calls = apiCalls.filter((call) => !hasOwnRules(call) && fieldsOf(call).length > 0);

  it.each(calls.map((call) => [call.name, call] as const))('of %s have their limits', async (_name, call) => {
    const example = exampleOf(call, EXAMPLE_IDS);
    const problems: string[] = [];
    for (const field of fieldsOf(call))
      for (const one of casesOf(field)) {
        const body = withValue(example.body, field.path, one.value);
        const request = { ...example, query: new URLSearchParams(example.query), body };
        problems.push(...(await problem(request, field, one)));
      }
    expect(problems, problems.join('\n')).toEqual([]);
  });

  it('are checked in most routes', () => {
    expect(calls.length).toBeGreaterThan(60);
  });
});

describe('the parameters of an address', () => {
  const calls = apiCalls.filter((call) => !isStream(call) && call.scope !== null);
  /** The only difference to a body: what is no text is written as one. */
  const asText = (value: unknown): string[] => [value].flat().map(String);

  it.each(calls.map((call) => [call.name, call] as const))('of %s have their limits', async (_name, call) => {
    const problems: string[] = [];
    for (const { name, schema } of parametersIn(call, 'query')) {
      const [field] = fieldsIn(schema, [name]) as [Field?];
      if (!field) continue;
      const element = field.schema.items ? { ...field, schema: field.schema.items } : null;
      const types = typeCases(field).filter(({ value }) => ['seven', 1.5].includes(value as string));
      const cases = [...rangeCases(field), ...formCases(element ?? field), ...types];
      for (const one of cases) {
        // An address without the parameter is all that an empty list can be.
        if (asText(one.value).length === 0) continue;
        const request = exampleOf(call, EXAMPLE_IDS);
        request.query.delete(name);
        for (const text of asText(one.value)) request.query.append(name, text);
        problems.push(...(await problem(request, { path: [name] }, one)));
      }
    }
    for (const { name, schema } of parametersIn(call, 'path')) {
      const place = call.path.split('/').indexOf(`{${name}}`);
      for (const field of fieldsIn(schema, [name]))
        for (const one of [...rangeCases(field), ...formCases(field)]) {
          // No path has an empty part.
          if (one.value === '') continue;
          const request = exampleOf(call, EXAMPLE_IDS);
          const path = request.path
            .split('/')
            .with(place, encodeURIComponent(String(one.value)))
            .join('/');
          problems.push(...(await problem({ ...request, path }, { path: [name] }, one)));
        }
    }
    expect(problems, problems.join('\n')).toEqual([]);
  });
});
