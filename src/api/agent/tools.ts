import type { OpenApiDocument, ApiOperation, Parameter } from '../document.ts';
import type { JsonSchema } from '../json-schema.ts';

/** Calls of the API that an agent needs to find out why a test failed or what a change did. They change nothing. */
const READS = [
  'listTasks',
  'getTask',
  'listExamples',
  'listTests',
  'getTest',
  'diagnoseTest',
  'listRuns',
  'getRun',
  'compareRuns',
  'listTraces',
  'getTrace',
  'getTraceByTest',
  'listSpans',
  'getSpan',
  'listSessions',
  'getSession',
  'listEvals',
  'getEval',
  'listJudgeCalls',
  'listDefinitions',
  'getDefinition',
  'queryReport',
  'listRejections',
  'lookUpSpan',
  'listIssues',
  'getIssue',
  'getIssueEvidence',
  'listIssueOccurrences',
  'listIssueActivity',
  'listNotes',
] as const;
/** Calls that start work or change data. */
const WRITES = [
  'triggerTasks',
  'evaluateTest',
  'evaluateRun',
  'createExample',
  'createAnnotation',
  'createNote',
  'createIssue',
  'updateIssue',
  'linkIssue',
  'resolveIssue',
  'reopenIssue',
  'rejectIssue',
  'mergeIssue',
] as const;

const SCHEMAS = '#/components/schemas/';
const DEFINITIONS = '#/$defs/';

export interface ToolRequest {
  method: string;
  /** Path with its query. */
  path: string;
  body: Readonly<Record<string, unknown>> | undefined;
}

/** One call of the API as a tool of the Model Context Protocol. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonSchema;
  isReadOnly: boolean;
  /** Returns the request for arguments that match `inputSchema`. */
  request: (args: Readonly<Record<string, unknown>>) => ToolRequest;
}

/** Makes tools of the API document of a server: calls that only read, and with `withWrites` some that do not. */
export function toolsOf(document: OpenApiDocument, { withWrites }: { withWrites: boolean }): Tool[] {
  const wanted = new Set<string>([...READS, ...(withWrites ? WRITES : [])]);
  const isRead = new Set<string>(READS);
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { operationId }]) => wanted.has(operationId))
      .map(([method, operation]) =>
        toolOf({ path, method, operation }, document, isRead.has(operation.operationId)),
      ),
  );
}

interface Call {
  path: string;
  method: string;
  operation: ApiOperation;
}

function toolOf({ path, method, operation }: Call, document: OpenApiDocument, isReadOnly: boolean): Tool {
  const { operationId, summary, description = '' } = operation;
  const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in !== 'header');
  const body = bodySchemaOf(operation, document);
  return {
    name: operationId,
    title: summary,
    description: `${summary}.\n\n${description}`,
    inputSchema: withDefinitions(inputSchemaOf(parameters, body), document),
    isReadOnly,
    request: (args) => {
      const of = (place: Parameter['in']): [string, unknown][] =>
        parameters
          .filter((parameter) => parameter.in === place)
          .map(({ name }): [string, unknown] => [name, args[name]])
          .filter(([, value]) => value !== undefined);
      const filled = of('path').reduce(
        (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(String(value))),
        path,
      );
      const names = new Set(parameters.map(({ name }) => name));
      const fields = Object.entries(args).filter(([name]) => !names.has(name));
      return {
        method: method.toUpperCase(),
        path: filled + queryOf(of('query')),
        body: body === null ? undefined : Object.fromEntries(fields),
      };
    },
  };
}

/** Returns the query of parameters, with a list as several values of one name; empty for none. */
function queryOf(values: readonly [name: string, value: unknown][]): string {
  const query = new URLSearchParams();
  for (const [name, value] of values)
    for (const one of Array.isArray(value) ? value : [value]) query.append(name, String(one));
  return query.size === 0 ? '' : `?${query.toString()}`;
}

/** Returns the schema of the JSON body of a call; null if it has none. */
function bodySchemaOf({ requestBody }: ApiOperation, { components }: OpenApiDocument): JsonSchema | null {
  const schema = requestBody?.content['application/json']?.schema;
  const reference = schema?.['$ref'];
  if (typeof reference !== 'string') return schema ?? null;
  return components.schemas[reference.slice(SCHEMAS.length)] ?? null;
}

function inputSchemaOf(parameters: readonly Parameter[], body: JsonSchema | null): JsonSchema {
  const bodyFields = body?.['properties'] ?? {};
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(
        parameters.map(({ name, schema, description }) => [
          name,
          { ...schema, ...(description !== undefined && { description }) },
        ]),
      ),
      ...bodyFields,
    },
    required: [...required, ...(body?.['required'] ?? [])],
    additionalProperties: false,
  };
}

/** Adds the schemas that a schema refers to, as its own definitions: an agent sees only this one schema. */
function withDefinitions(schema: JsonSchema, { components }: OpenApiDocument): JsonSchema {
  const definitions: Record<string, JsonSchema> = {};
  const moved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(moved);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        key === '$ref' && typeof inner === 'string' ? define(inner) : moved(inner),
      ]),
    );
  };
  const define = (reference: string): string => {
    const name = reference.slice(SCHEMAS.length);
    const named = components.schemas[name];
    if (named && !(name in definitions)) {
      // Before its own references are followed, because a schema may refer to itself.
      definitions[name] = named;
      definitions[name] = moved(named) as JsonSchema;
    }
    return DEFINITIONS + name;
  };
  const own = moved(schema) as JsonSchema;
  return Object.keys(definitions).length === 0 ? own : { ...own, $defs: definitions };
}
