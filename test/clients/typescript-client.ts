/** The client that `@hey-api/openapi-ts` generates: TypeScript, with zod schemas of all responses. */
import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual, promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { installWorkspace } from '../support/workspace.ts';
import type { ClientCall, GeneratedClient } from './client-calls.ts';

const HERE = import.meta.dirname;
const MAX_GENERATE_MS = 280_000;

interface Result {
  error?: unknown;
  data?: unknown;
  response?: Response;
}
interface EventStream {
  stream: AsyncGenerator;
}
interface ResponseSchema {
  safeParse: (value: unknown) => { data?: unknown; error?: { issues: readonly unknown[] } };
}
/** Generated functions and schemas by name. */
interface Generated {
  createClient: (config: object) => object;
  [name: string]: unknown;
}

/** Generates the client from a document into an empty folder, and loads it. */
export async function loadTypeScriptClient(openApi: string, folder: string): Promise<GeneratedClient> {
  await installWorkspace(HERE);
  mkdirSync(folder, { recursive: true });
  const generate = [join(HERE, 'generate.mjs'), openApi, folder];
  await promisify(execFile)(process.execPath, generate, { timeout: MAX_GENERATE_MS });
  const file = join(folder, 'client.mjs');
  const modules = [join(HERE, 'node_modules')];
  const bundle = await rolldown({
    input: join(folder, 'all.ts'),
    platform: 'node',
    logLevel: 'silent',
    resolve: { modules },
  });
  await bundle.write({ file, format: 'esm' });
  await bundle.close();
  const generated = (await import(pathToFileURL(file).href)) as Generated;
  return { call: (call) => faultsOfCall(generated, call), close: () => {} };
}

async function faultsOfCall(generated: Generated, call: ClientCall): Promise<readonly string[]> {
  const { error, data, response } = await (call.isStream
    ? open(generated, call)
    : send<Result>(generated, call));
  if (error !== undefined) return [`error: ${JSON.stringify(error)}`];
  if (response?.status !== call.status) return [`status ${response?.status}, not ${call.status}`];
  if (!response.headers.get('content-type')?.startsWith('application/json')) return [];
  return faultsOf(schemaOf(generated, call), data);
}

/** Opens a stream of events, which is over with its response: most send nothing for now. */
async function open(generated: Generated, call: ClientCall): Promise<Result> {
  const { promise, resolve } = Promise.withResolvers<Result>();
  const abort = new AbortController();
  const watched = async (request: Request): Promise<Response> => {
    const response = await fetch(request);
    resolve({ response });
    return response;
  };
  const events = await send<EventStream>(generated, call, { fetch: watched, signal: abort.signal });
  const ended = events.stream.next();
  const result = await promise;
  abort.abort();
  await ended;
  return result;
}

function send<Answer>(generated: Generated, call: ClientCall, more: object = {}): Promise<Answer> {
  const { url, operationId, path, query, parameterHeaders, otherHeaders, body, form } = call;
  const operation = generated[operationId] as (options: object) => Promise<Answer>;
  return operation({
    client: generated.createClient({ baseUrl: url }),
    headers: { ...otherHeaders, ...parameterHeaders },
    ...(Object.keys(path).length > 0 && { path }),
    ...(Object.keys(query).length > 0 && { query }),
    ...(body !== null && { body }),
    ...(form && uploadOf(call, form)),
    ...more,
  });
}

/** Of an operation that takes the file itself too, the generator knows only that. */
function uploadOf({ operationId, otherHeaders }: ClientCall, form: Readonly<Record<string, string>>): object {
  const { file = '', ...fields } = form;
  if (operationId === 'importExamples')
    return { body: file, headers: { ...otherHeaders, 'content-type': 'text/csv' } };
  // Its schema of a file is that of a text.
  return { body: { ...fields, file: new File([file], 'material.csv') }, requestValidator: undefined };
}

function schemaOf(generated: Generated, { operationId }: ClientCall): ResponseSchema {
  return generated[
    `z${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Response`
  ] as ResponseSchema;
}

/** Unknown fields are dropped by the schemas, so a value that has some differs from the parsed one. */
function faultsOf(schema: ResponseSchema, value: unknown): string[] {
  const { data, error } = schema.safeParse(value);
  if (error) return error.issues.map((issue) => JSON.stringify(issue));
  return isDeepStrictEqual(data, value) ? [] : differences(data, value);
}

function differences(parsed: unknown, value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null)
    return parsed === value ? [] : [`${path} is parsed as ${JSON.stringify(parsed)}`];
  const fields = (parsed ?? {}) as Readonly<Record<string, unknown>>;
  return Object.entries(value).flatMap(([name, member]) =>
    Object.hasOwn(fields, name)
      ? differences(fields[name], member, `${path}/${name}`)
      : [`${path}/${name} is not in the document`],
  );
}
