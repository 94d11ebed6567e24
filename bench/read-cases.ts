import type { JsonSchema } from '../src/api/json-schema.ts';
import type { Parameter } from '../src/api/document.ts';
import { openApi } from '../src/api/openapi.ts';
import { apiRoutes, type RouteDeps } from '../src/api/routes.ts';
import { idOf, type Kind, ROWS, rowTime } from './read-rows.ts';

/** One call to be measured. */
export interface ReadCase {
  /** Path of the route, as the OpenAPI document writes it. */
  route: string;
  /** The path with its query: what is sent. */
  url: string;
  kind: 'one' | 'list' | 'deep' | 'search';
}

/** Number of rows before the page: so many that the complete list has to be walked. */
const DEEP = ROWS * 0.9;

/** The record that `{…}` after this part of a path names. */
const OF_PATH: Readonly<Record<string, Kind>> = {
  definitions: 'definition',
  documents: 'document',
  evals: 'eval',
  examples: 'example',
  experiments: 'experiment',
  variants: 'variant',
  'human-annotation-queue-items': 'queueItem',
  'human-annotation-queues': 'queue',
  'human-annotations': 'annotation',
  'inference-steps': 'step',
  issues: 'issue',
  links: 'issueLink',
  messages: 'issueMessage',
  notes: 'note',
  quickstarts: 'quickstart',
  uploads: 'upload',
  runs: 'run',
  'run-sets': 'runSet',
  'scrape-jobs': 'scrapeJob',
  'style-guides': 'styleGuide',
  tags: 'tag',
  tasks: 'task',
  tests: 'test',
  'by-test': 'test',
  topics: 'topic',
  traces: 'trace',
  deliveries: 'delivery',
  views: 'view',
};

/** Kind of records whose id each parameter takes. */
const OF_PARAMETER: Readonly<Record<string, Kind>> = {
  resourceId: 'task',
  taskId: 'task',
  topicId: 'topic',
  tagId: 'tag',
  exampleId: 'example',
  runId: 'run',
  testId: 'test',
  traceId: 'trace',
  quickstartId: 'quickstart',
  evalDefinitionId: 'definition',
  experimentVariantId: 'variant',
  documentId: 'document',
  scrapeJobId: 'scrapeJob',
  fileProcessingId: 'upload',
  queueId: 'queue',
  queueItemId: 'queueItem',
  issueId: 'issue',
  parentId: 'issue',
  runSetId: 'runSet',
};

/** Values of all other parameters that have no list of them. */
const VALUES: Readonly<Record<string, string>> = {
  type: 'CUSTOM',
  split: 'test',
  slug: 'shop',
  title: 'nowhere',
  causeKey: 'none',
  branch: 'main',
  commit: '0123abc',
  key: 'key-0',
  assignee: 'user-1',
  annotatorId: 'user-1',
  creatorId: 'user-1',
  ownerId: 'user-1',
  userId: 'user-0',
  sessionId: 'session-7',
  model: 'gpt-5',
  tag: 'tag-0',
  environment: 'production',
  provider: 'openai',
  metadataKey: 'plan',
  metadataStep: 'none',
  minDurationMs: '2500',
  maxDurationMs: '2500',
  minCost: '0.05',
  maxCost: '0.05',
  minTokens: '350',
  maxTokens: '350',
  minScore: '0.5',
  maxScore: '0.5',
  keyId: 'key',
  actorId: 'key',
  action: 'createTask',
  startDate: new Date(rowTime(ROWS / 2)).toISOString(),
  endDate: new Date(rowTime(ROWS / 2)).toISOString(),
};

/** Parameters that narrow nothing down by themselves. */
const NO_FILTERS = new Set([
  'skip',
  'limit',
  'orderBy',
  'orderDir',
  'metadataValue',
  'include',
  'subtree',
  'spanId',
]);
/** Routes that cannot be called with the contents of the store: streams, and routes that need more. */
const LEFT_OUT = new Set([
  'GET /v0/applications/{id}',
  'GET /v0/applications/{id}/example-data',
  'GET /v0/applications/{id}/health',
  'GET /v0/applications/{id}/invitations',
  'GET /v0/applications/{id}/members',
  'GET /v0/erasures',
  'GET /v0/erasures/{id}',
  'GET /v0/evidence-key',
  'GET /v0/filter/suggest',
  'GET /v0/ingest/lookup',
  'GET /v0/issue-webhook',
  'GET /v0/login',
  'GET /v0/masking',
  'GET /v0/mappings',
  'GET /v0/masking/report',
  'GET /v0/prices',
  'GET /v0/results',
  'GET /v0/results/export',
  'GET /v0/retention',
  'GET /v0/run-sets/{id}/evidence',
  'GET /v0/search',
  'GET /v0/system',
  'GET /v0/tasks/{id}/examples/export',
  'GET /v0/tests/export',
  'GET /v0/tests/{id}/stream',
  'GET /v0/traces/export',
  'GET /v0/traces/stream',
  'GET /v0/traces/{id}/span-index',
  'GET /v0/traces/{id}/spans/{spanId}',
  'GET /v0/traces/{id}/spans/{spanId}/media/{index}',
  'GET /v0/webhook',
  'GET /v0/webhook/listen',
]);

/** Every GET of the API: lists in each order and direction, with each filter, at the beginning and deep. */
export function readCases(): ReadCase[] {
  const document = openApi(apiRoutes({ config: {} } as RouteDeps));
  return Object.entries(document.paths).flatMap(([path, { get }]) => {
    const route = `GET ${path}`;
    if (!get || !path.startsWith('/v') || LEFT_OUT.has(route)) return [];
    const filled = fillPath(path);
    const parameters = (get.parameters ?? []).filter((parameter) => parameter.in === 'query');
    const isList = parameters.some(({ name }) => name === 'skip');
    const queries = isList ? listQueries(parameters) : [{ query: '', kind: 'one' as const }];
    return queries.map(({ query, kind }) => ({
      route,
      url: `${filled}${query && `?${query}`}`,
      kind: isUnindexed(route, query) ? ('search' as const) : kind,
    }));
  });
}

const fillPath = (path: string): string =>
  path.replace(
    /([\w-]+)\/\{(\w+)\}/g,
    (_, before: string, name: string) => `${before}/${pathValue(before, name)}`,
  );

function pathValue(before: string, name: string): string {
  if (before === 'sessions') return 'session-7';
  if (name === 'n') return '1';
  if (before === 'datasources') return 'eval';
  if (before === 'columns') return 'status';
  return idOf(recordKind(OF_PATH, before), 0);
}

/** Orders and filters without an index: one for each would make storing more expensive, and they are rarely needed. */
const UNINDEXED: Readonly<Record<string, RegExp>> = {
  'GET /v0/traces':
    /\b(?:orderBy=(?:createdAt|durationMs|cost|totalTokens|spanCount|modifiedAt)\b|(?:min|max)Score=)/,
  'GET /v0/tests': /\bpassRateStatuses=/,
  'GET /v0/documents': /\b(?:orderBy=assignee|(?:startDate|endDate|scrapeJobId|fileProcessingId)=)/,
  'GET /v0/tasks': /\borderBy=lastTest\b/,
  // Of run sets there are few: one for each build.
  'GET /v0/run-sets': /\b(?:orderBy=id\b|orderBy=modifiedAt\b.*&(?:start|end)Date=|commit=)/,
  // Of issues there are thousands at most.
  'GET /v0/issues':
    /\b(?:orderBy=(?:priority|linkCount|number|id)\b|(?:taskId|evalDefinitionId|ownerId|parentId|isReopened)=)/,
  // Of messages about issues the latest thousand are kept.
  'GET /v0/issue-webhook/messages': /\borderBy=id\b/,
  'GET /v0/topics': /\b(?:title|is\w+)=/,
};

const isUnindexed = (route: string, query: string): boolean => UNINDEXED[route]?.test(query) ?? false;

type Query = Pick<ReadCase, 'kind'> & { query: string };

function listQueries(parameters: readonly Parameter[]): Query[] {
  const orders = valuesOf(parameters, 'orderBy').flatMap((orderBy) =>
    ['desc', 'asc'].map((orderDir) => `orderBy=${orderBy}&orderDir=${orderDir}`),
  );
  const [usual = '', ...others] = orders;
  const filters = parameters.flatMap(({ name, schema }) => filterValues(name, schema));
  const deep = `&skip=${DEEP}`;
  const queries: Query[] = [
    { query: `${usual}&limit=100`, kind: 'list' },
    ...[usual, ...others].flatMap((order): Query[] => [
      { query: order, kind: 'list' },
      { query: order + deep, kind: 'deep' },
      ...filters.map((filter): Query => ({ query: `${order}&${filter}`, kind: kindOf(filter) })),
    ]),
    ...filters.map((filter): Query => ({ query: `${usual}&${filter}${deep}`, kind: kindOf(filter, 'deep') })),
  ];
  return queries.map(({ query, kind }) => ({ query: query.replace(/^&/, ''), kind }));
}

/**
 * Returns the kind of a case by its filter. No index finds the rows that contain a text, so a search reads all of
 * them.
 */
const kindOf = (filter: string, kind: ReadCase['kind'] = 'list'): ReadCase['kind'] =>
  /^(?:search|q)=/.test(filter) ? 'search' : kind;

function valuesOf(parameters: readonly Parameter[], name: string): string[] {
  return (parameters.find((parameter) => parameter.name === name)?.schema.enum ?? []) as string[];
}

/** `name=value` for each value worth a measurement: of records a common and a rare one. */
function filterValues(name: string, schema: JsonSchema): string[] {
  if (NO_FILTERS.has(name)) return [];
  const value = VALUES[name];
  const { enum: values, type } = schema.items ?? schema;
  if (name === 'search' || name === 'q') return [`${name}=nowhere`];
  if (values) {
    const wanted = schema.items ? [values.slice(0, 1), values.slice(0, 2)] : values.map((one) => [one]);
    return wanted.map((some) => `${name}=${some.join(',')}`);
  }
  if (type === 'boolean') return [`${name}=true`, `${name}=false`];
  if (value !== undefined) return [`${name}=${encodeURIComponent(value)}`];
  // The ids of the records themselves, which only lists of traces filter by.
  if (name === 'id') return [0, 7].map((row) => `id=${idOf('trace', row)}`);
  return [0, 7].map((row) => `${name}=${idOf(recordKind(OF_PARAMETER, name), row)}`);
}

function recordKind(kinds: Readonly<Record<string, Kind>>, name: string): Kind {
  const kind = kinds[name];
  if (!kind) throw new Error(`bench/read-cases.ts has no value for ${name}`);
  return kind;
}
