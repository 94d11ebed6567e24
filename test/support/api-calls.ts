/** Every call that the server takes, by what its documents say, and how to make each with given records. */
import type { OpenApiDocument, ApiOperation, Parameter } from '../../src/api/document.ts';
import type { JsonSchema } from '../../src/api/json-schema.ts';
import { openApi } from '../../src/api/openapi.ts';
import { apiRoutes, type RouteDeps } from '../../src/api/routes.ts';
import { ID, OTEL_TRACE_ID, SPAN_ID } from '../../src/contract/example-values.ts';
import { SCOPES, type ScopeName } from '../../src/contract/scope.ts';
import { PATIENCE_MS } from './until.ts';

/** The records of one application: of each kind the id of one. */
export type RecordIds = Readonly<Record<RecordKind, string>>;
export type RecordKind = keyof typeof ID | 'otelTrace' | 'span' | 'session' | 'keyId';

/** Ids in the examples of the documents, which no application has. */
export const EXAMPLE_IDS: RecordIds = {
  ...ID,
  otelTrace: OTEL_TRACE_ID,
  span: SPAN_ID,
  session: 'conversation-7',
  keyId: '4fQz81LmKx2P',
};

export interface ApiCall {
  /** Name of the call in the documents: `GET /v0/tags/{id}`. */
  name: string;
  method: string;
  path: string;
  /** Scope that the key needs; null when no key is needed. */
  scope: ScopeName | null;
  operation: ApiOperation;
}

/** API document; the handlers of its routes are never called. */
export const document: OpenApiDocument = openApi(apiRoutes({ config: {} } as RouteDeps));

export const apiCalls: readonly ApiCall[] = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([verb, operation]) => {
    const method = verb.toUpperCase();
    return { name: `${method} ${path}`, method, path, scope: scopeOf(operation), operation };
  }),
);

function scopeOf({ description = '', operationId }: ApiOperation): ScopeName | null {
  const [, named] = /Scope: `(\w+)`/.exec(description) ?? [];
  const scope = SCOPES.find((name) => name === named) ?? null;
  if (scope === null && !/No key needed|Needs a login/.test(description))
    throw new Error(`${operationId} does not say which scope it needs`);
  return scope;
}

export const isOtlp = ({ operation }: ApiCall): boolean =>
  operation.requestBody?.content['application/x-protobuf'] !== undefined;
export const isStream = ({ operation }: ApiCall): boolean =>
  operation.responses['200'] !== undefined &&
  'content' in operation.responses['200'] &&
  operation.responses['200'].content?.['text/event-stream'] !== undefined;

/** Exports are recorded in the audit log, although they change nothing else. */
export const isExport = ({ method, path }: ApiCall): boolean =>
  method === 'GET' && /\/(?:export|evidence)$/.test(path);

/** Kind of record in the path parameter after this part of a path; null for no record. */
const OF_PATH: Readonly<Record<string, RecordKind | null>> = {
  'api-keys': 'key',
  applications: 'application',
  'by-test': 'test',
  columns: null,
  datasources: null,
  definitions: 'definition',
  deliveries: 'delivery',
  documents: 'document',
  erasures: 'erasure',
  evals: 'eval',
  examples: 'example',
  experiments: 'experiment',
  'human-annotation-queue-items': 'queueItem',
  'human-annotation-queues': 'queue',
  'human-annotations': 'annotation',
  'inference-steps': 'step',
  invitations: 'invitation',
  issues: 'issue',
  links: 'issueLink',
  listen: 'delivery',
  logins: null,
  media: null,
  members: 'user',
  messages: 'issueMessage',
  notes: 'note',
  quickstarts: 'quickstart',
  'run-sets': 'runSet',
  runs: 'run',
  'scrape-jobs': 'scrapeJob',
  sessions: 'session',
  spans: 'span',
  'style-guides': 'styleGuide',
  tags: 'tag',
  tasks: 'task',
  tests: 'test',
  topics: 'topic',
  traces: 'trace',
  uploads: 'upload',
  variants: 'variant',
  versions: null,
  views: 'view',
};
/**
 * Values of path parameters that are not records: a datasource, one of its columns, the number of a version, an image
 * of a span.
 */
const PATH_VALUES: Readonly<Record<string, string>> = {
  id: 'test',
  columnId: 'task',
  n: '1',
  index: '0',
  loginId: '5f0c2a9be1d84c7790a3b6c5d4e3f201',
};

/**
 * Kind of record that a parameter or field refers to, if its name is not that of a record followed by `Id` or `Ids`.
 */
const OF_NAME: Readonly<Record<string, RecordKind>> = {
  addTagIds: 'tag',
  after: 'test',
  baseline: 'runSet',
  evalDefinitionId: 'definition',
  evalDefinitionIds: 'definition',
  evalIds: 'definition',
  experimentVariantId: 'variant',
  fileProcessingId: 'upload',
  humanAnnotationId: 'annotation',
  ids: 'example',
  inferenceStepIds: 'step',
  itemId: 'queueItem',
  keyId: 'keyId',
  mentions: 'user',
  parentId: 'variant',
  removeTagIds: 'tag',
  subtree: 'span',
};

/** Returns the kind of record in a path parameter. Throws when it is unknown. */
export function kindInPath({ path }: ApiCall, parameter: string): RecordKind | null {
  const parts = path.split('/');
  const kind = OF_PATH[parts[parts.indexOf(`{${parameter}}`) - 1] ?? ''];
  if (kind === undefined) throw new Error(`say in OF_PATH which record {${parameter}} of ${path} names`);
  return kind;
}

/** Returns the kind of record in a query parameter or a field of a body. Throws when it is a uuid of unknown kind. */
export function kindOfName(name: string, schema: JsonSchema): RecordKind | null {
  const [, record = ''] = /^(\w+)Ids?$/.exec(name) ?? [];
  const isOther = [schema.type].flat().some((type) => type === 'number' || type === 'object');
  const named = isOther ? undefined : OF_NAME[name];
  const kind = named ?? (Object.hasOwn(EXAMPLE_IDS, record) ? (record as RecordKind) : null);
  if (kind === null && isUuid(schema)) throw new Error(`say in OF_NAME which record the field ${name} names`);
  return kind;
}

const isUuid = ({ format, items, anyOf = [] }: JsonSchema): boolean =>
  format === 'uuid' || (items !== undefined && isUuid(items)) || anyOf.some(isUuid);

export const parametersIn = ({ operation }: ApiCall, place: Parameter['in']): Parameter[] =>
  (operation.parameters ?? []).filter((parameter) => parameter.in === place);

/** Returns a schema with its reference resolved. */
export function resolved(schema: JsonSchema): JsonSchema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (document.components.schemas[name] as JsonSchema);
}

/** A field of a body that refers to a record: the names and indices that lead to it. */
export interface BodyReference {
  path: readonly string[];
  kind: RecordKind;
}

const MAX_DEPTH = 6;

export function referencesInBody(call: ApiCall): BodyReference[] {
  if (isOtlp(call)) return [];
  const found = Object.values(call.operation.requestBody?.content ?? {}).flatMap(({ schema }) =>
    referencesIn(schema, []),
  );
  return [...new Map(found.map((reference) => [reference.path.join(), reference])).values()];
}

function referencesIn(given: JsonSchema, path: readonly string[]): BodyReference[] {
  if (path.length > MAX_DEPTH) return [];
  const { properties = {}, items, anyOf = [], oneOf = [], allOf = [], ...schema } = resolved(given);
  const name = path.findLast((part) => part !== ARRAY);
  const kind = name === undefined || items ? null : kindOfName(name, schema);
  return [
    ...(kind === null ? [] : [{ path, kind }]),
    ...Object.entries(properties).flatMap(([key, property]) => referencesIn(property, [...path, key])),
    ...(items ? referencesIn(items, [...path, ARRAY]) : []),
    ...[...anyOf, ...oneOf, ...allOf].flatMap((one) => referencesIn(one, path)),
  ];
}

/** Stands for any element in the path of a reference. */
const ARRAY = '[]';

/**
 * A copy of a body in which one more reference is, beside those in the same list; `alone`: without the fields beside it,
 * where only one of several may be given.
 */
export function withReference(
  body: unknown,
  { path }: Pick<BodyReference, 'path'>,
  id: string,
  alone = false,
): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return id;
  if (first === ARRAY) {
    const before = Array.isArray(body) ? (body as unknown[]) : [];
    return [...before, withReference(undefined, { path: rest }, id, alone)];
  }
  const isLast = rest.every((part) => part === ARRAY);
  const before = (body ?? {}) as Record<string, unknown>;
  return {
    ...(alone && isLast ? {} : before),
    [first]: withReference(before[first], { path: rest }, id, alone),
  };
}

export interface ApiRequest {
  method: string;
  /** Path with values in place of its parameters. */
  path: string;
  query: URLSearchParams;
  headers: Record<string, string>;
  body: unknown;
  /** True if the body is a form: its fields, and the text of its `file`. */
  isForm: boolean;
}

/** Returns the call of the documents' example, with these records instead of the ids that no application has. */
export function exampleOf(
  call: ApiCall,
  ids: RecordIds,
  texts: Readonly<Record<string, string>> = {},
): ApiRequest {
  const content = call.operation.requestBody?.content ?? {};
  const form = content['multipart/form-data'];
  const example = form ? formExample(form.schema, ids) : content['application/json']?.example;
  const own = QUERIES[call.operation.operationId] ?? {};
  const required = parametersIn(call, 'query').filter(
    (parameter) => parameter.required && !Object.hasOwn(own, parameter.name),
  );
  return {
    method: call.method,
    path: pathWith(call, (name) => {
      const kind = kindInPath(call, name);
      return kind === null ? (PATH_VALUES[name] as string) : ids[kind];
    }),
    query: new URLSearchParams([
      ...required.map((parameter) => [parameter.name, requiredValue(parameter, ids)]),
      ...Object.entries(own),
    ]),
    headers: {},
    body: replaced(example, ids, texts),
    isForm: form !== undefined,
  };
}

/** Parameters without which a call has nothing to show. */
const QUERIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  suggestFilter: { q: 'name:' },
  searchRecords: { q: 'title' },
};

/** Returns a value of a required query parameter: a record, the first of several values, or a side of results. */
function requiredValue({ name, schema }: Parameter, ids: RecordIds): string {
  if (name === 'side') return `run:${ids.run}`;
  const kind = kindOfName(name, schema);
  return kind === null ? String(schema.enum?.[0]) : ids[kind];
}

export const pathWith = ({ path }: ApiCall, value: (name: string) => string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(value(name)));

const FILE = 'title,content,input\nA,B,C\n';

/** Returns the required fields of a form, and a file of the accepted kind. */
function formExample(schema: JsonSchema, ids: RecordIds): Record<string, string> {
  const { properties = {}, required = [] } = schema;
  return Object.fromEntries(
    required.map((name) => {
      const field = properties[name] as JsonSchema;
      const kind = kindOfName(name, field);
      return [name, kind === null ? ((field.enum?.[0] as string | undefined) ?? FILE) : ids[kind]];
    }),
  );
}

function replaced(example: unknown, ids: RecordIds, texts: Readonly<Record<string, string>>): unknown {
  if (example === undefined) return undefined;
  const pairs = Object.entries(EXAMPLE_IDS).map(([kind, id]) => [id, ids[kind as RecordKind]] as const);
  const text = [...pairs, ...Object.entries(texts)].reduce(
    (written, [from, to]) => written.replaceAll(from, to),
    JSON.stringify(example),
  );
  return JSON.parse(text);
}

export interface ApiAnswer {
  status: number;
  headers: Headers;
  contentType: string;
  text: string;
  /** The JSON of the answer; undefined when it is none. */
  json: unknown;
}

/** Sends a call; of a stream only the beginning is read. */
export async function sendCall(
  url: string,
  { method, path, query, headers: own, body, isForm }: ApiRequest,
  credentials: Readonly<Record<string, string>>,
): Promise<ApiAnswer> {
  const search = String(query);
  const headers: Record<string, string> = { ...credentials, ...own };
  if (!isForm && body !== undefined) headers['content-type'] ??= 'application/json';
  const response = await fetch(`${url}${path}${search === '' ? '' : `?${search}`}`, {
    method,
    headers,
    signal: AbortSignal.timeout(PATIENCE_MS),
    ...(body !== undefined && {
      body: isForm ? formOf(body as Record<string, unknown>) : JSON.stringify(body),
    }),
  });
  const contentType = response.headers.get('content-type') ?? '';
  const text = contentType.startsWith('text/event-stream')
    ? await beginningOf(response)
    : await response.text();
  return { status: response.status, headers: response.headers, contentType, text, json: parsed(text) };
}

function formOf(fields: Readonly<Record<string, unknown>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'file') form.set(name, new Blob([String(value)]), 'material.csv');
    else form.set(name, String(value));
  }
  return form;
}

async function beginningOf({ body }: Response): Promise<string> {
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return Buffer.from(value ?? []).toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the operation that a request such as `GET /v0/tags/{{tag.id}}` calls. A path that names no record goes before one that
 * would take its last part for an id.
 */
export function callOf(request: string): ApiCall | undefined {
  const [asked = ''] = request.replaceAll(/\{\{[^}]*\}\}/g, '{id}').split('?');
  const values = asked.split('/');
  const isLike = ({ name }: ApiCall): boolean => {
    const parts = name.split('/');
    return (
      parts.length === values.length && parts.every((part, i) => part.startsWith('{') || part === values[i])
    );
  };
  return apiCalls.find(({ name }) => name === asked) ?? apiCalls.find(isLike);
}
