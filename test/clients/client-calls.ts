/** Calls of generated clients: parameters by name and type. */
import type { Parameter } from '../../src/api/document.ts';
import type { JsonSchema } from '../../src/api/json-schema.ts';
import { type ApiCall, type ApiRequest, isStream, parametersIn, resolved } from '../support/api-calls.ts';

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

/** Returns the call of a generated client that makes this request, whose headers include the credentials. */
export function clientCall(
  url: string,
  call: ApiCall,
  { path, query, headers: given, body, isForm }: ApiRequest,
  status: number,
): ClientCall {
  const names = new Set(parametersIn(call, 'header').map(({ name }) => name));
  const headers = Object.entries(given).filter(([name]) => name !== 'content-type');
  return {
    url,
    operationId: call.operation.operationId,
    path: pathValues(call, path),
    query: queryValues(call, query),
    parameterHeaders: Object.fromEntries(headers.filter(([name]) => names.has(name))),
    otherHeaders: Object.fromEntries(headers.filter(([name]) => !names.has(name))),
    body: isForm ? null : (body ?? null),
    form: isForm ? (body as Record<string, string>) : null,
    status,
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
