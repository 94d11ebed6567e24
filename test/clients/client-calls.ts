/** Rows of the conformance suite as calls of generated clients: parameters by name and type. */
import type { Parameter } from '../../src/api/document.ts';
import type { JsonSchema } from '../../src/api/json-schema.ts';
import { callOf } from '../conformance/call-of.ts';
import type { Case } from '../conformance/case.ts';
import { CASES } from '../conformance/cases.ts';
import type { FilledRequest } from '../conformance/harness.ts';
import { type ApiCall, apiCalls, isStream, parametersIn, resolved } from '../support/api-calls.ts';

export interface ClientCall {
  url: string;
  operationId: string;
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  /** Headers that are parameters of the operation. */
  parameterHeaders: Record<string, string>;
  /** Credentials and cookies. */
  otherHeaders: Record<string, string>;
  /** Null without a body. */
  body: unknown;
  /** Fields of a form, of which `file` is the text of a file; null without a form. */
  form: Readonly<Record<string, string>> | null;
  status: number;
  isStream: boolean;
}

/** A generated client. */
export interface GeneratedClient {
  /** Makes a call and returns what is wrong with its response. */
  call: (call: ClientCall) => Promise<readonly string[]>;
  close: () => void;
}

/** A row of the conformance suite, and the operation that it calls. */
export interface ClientRow {
  call: ApiCall;
  row: Case;
}

/** Most rows of an operation that reads; of others there is one. */
const MAX_READS = 2;

const successes = Object.values(CASES)
  .flatMap((part) => Object.values(part).flat())
  .filter(({ status, on = 'usual' }) => status < 300 && on === 'usual');

export const CLIENT_ROWS: readonly ClientRow[] = apiCalls.flatMap((call) => {
  const rows = successes.filter((row) => typeof row.body !== 'string' && callOf(row.request) === call);
  return rows.slice(0, call.method === 'GET' ? MAX_READS : 1).map((row) => ({ call, row }));
});

export function clientCall(url: string, { call, row }: ClientRow, request: FilledRequest): ClientCall {
  const { pathname, searchParams } = new URL(request.path, url);
  const names = new Set(parametersIn(call, 'header').map(({ name }) => name));
  const headers = [...request.headers].filter(([name]) => name !== 'content-type');
  return {
    url,
    operationId: call.operation.operationId,
    path: pathValues(call, pathname),
    query: queryValues(call, searchParams),
    parameterHeaders: Object.fromEntries(headers.filter(([name]) => names.has(name))),
    otherHeaders: Object.fromEntries(headers.filter(([name]) => !names.has(name))),
    body: request.body ?? null,
    form: request.form ?? null,
    status: row.status,
    isStream: isStream(call),
  };
}

function pathValues(call: ApiCall, pathname: string): Record<string, unknown> {
  const values = pathname.split('/').map(decodeURIComponent);
  const names = call.path.split('/');
  return Object.fromEntries(
    parametersIn(call, 'path').map(({ name, schema }) => [
      name,
      typed(values[names.indexOf(`{${name}}`)] ?? '', schema),
    ]),
  );
}

/** Throws if a row has a parameter that the operation does not name. */
function queryValues(call: ApiCall, search: URLSearchParams): Record<string, unknown> {
  const byName = new Map<string, Parameter>(
    parametersIn(call, 'query').map((parameter) => [parameter.name, parameter]),
  );
  return Object.fromEntries(
    [...new Set(search.keys())].map((name) => {
      const schema = resolved(byName.get(name)?.schema ?? missing(call, name));
      const { type, items } = schema;
      if (type === 'array')
        return [name, search.getAll(name).map((value) => typed(value, resolved(items ?? {})))];
      return [name, typed(search.get(name) ?? '', schema)];
    }),
  );
}

function missing({ name }: ApiCall, parameter: string): never {
  throw new Error(`${name} does not name the parameter ${parameter}`);
}

function typed(text: string, { type }: JsonSchema): unknown {
  if (type === 'integer' || type === 'number') return Number(text);
  if (type === 'boolean') return text === 'true';
  return text;
}
