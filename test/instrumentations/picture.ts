/** Pictures what a server holds of an application: the same on every run. */
import type { DescribedSpan } from '../../src/traces/described.ts';
import type { Tenant, TestServer } from '../support/server.ts';

const MAX_VALUE_CHARACTERS = 200;

export interface EventPicture {
  name: string;
  /** Of a log record. */
  body?: unknown;
  attributes: Record<string, unknown>;
}

export interface SpanPicture {
  name: string;
  /** 0 = a root. */
  depth: number;
  kind: string;
  spanKind: string;
  scope: string;
  attributes: Record<string, unknown>;
  events: EventPicture[];
  /** Log records that were joined to it; absent when there are none. */
  logs?: EventPicture[];
  /** What the server made of it. */
  mapped: DescribedSpan;
}

/** A trace as the server shows it. */
export interface TracePicture {
  input: unknown;
  output: unknown;
  models: string[];
  usage: Record<string, number>;
  /** US dollars. */
  cost: number | null;
  costEstimated: boolean;
  sessionId: string | null;
  userId: string | null;
  tags: string[];
  environment: string | null;
  metadata: unknown;
  flags: string[];
  /** In the order of its tree. */
  spans: SpanPicture[];
}

export interface AppPicture {
  app: string;
  /** How many spans the server rejected. */
  rejected: number;
  /** The earlier trace first. */
  traces: TracePicture[];
}

/**
 * Pictures everything that one tenant sent. What is random is replaced by a placeholder, and values longer than 200
 * characters are truncated.
 */
export async function pictureOfTenant(server: TestServer, tenant: Tenant, app: string): Promise<AppPicture> {
  const read = reader(server, tenant);
  const ledger = await readList<{ rejected: number }>(read, '/v0/ingest/ledger?limit=100');
  const traces = await readList<{ id: string }>(read, '/v0/traces?orderDir=asc&limit=100');
  return {
    app,
    rejected: ledger.reduce((sum, { rejected }) => sum + rejected, 0),
    traces: await Promise.all(traces.map(({ id }) => readTrace(read, id))),
  };
}

/** Reads an answer of one application. */
type Read = (path: string) => Promise<unknown>;

function reader(server: TestServer, { headers }: Tenant): Read {
  return async (path) => {
    const { status, text, json } = await server.call('GET', path, { headers });
    if (status !== 200) throw new Error(`${path} was answered ${status} ${text}`);
    return json;
  };
}

async function readList<Item>(read: Read, path: string): Promise<Item[]> {
  const { data, pagination } = (await read(path)) as { data: Item[]; pagination: { total: number } };
  if (data.length < pagination.total) throw new Error(`${path} gave only a part of ${pagination.total}`);
  return data;
}

interface SpanJson extends Omit<SpanPicture, 'scope'> {
  scope: { name: string };
  /** Set on an entry for a parent that is named but not stored; then only `depth` is there besides. */
  placeholder?: true;
}

async function readTrace(read: Read, id: string): Promise<TracePicture> {
  const { data: trace } = (await read(`/v0/traces/${id}`)) as { data: Omit<TracePicture, 'spans'> };
  const spans = await readList<SpanJson>(read, `/v0/traces/${id}/spans?include=payload&limit=1000`);
  const missing = spans.findIndex(({ placeholder }) => placeholder);
  if (missing !== -1) throw new Error(`the parent of ${spans[missing + 1]?.name} did not arrive`);
  return {
    input: stable(trace.input),
    output: stable(trace.output),
    models: trace.models,
    usage: trace.usage,
    cost: trace.cost,
    costEstimated: trace.costEstimated,
    sessionId: trace.sessionId,
    userId: trace.userId,
    tags: trace.tags,
    environment: trace.environment,
    metadata: stable(trace.metadata),
    flags: trace.flags,
    spans: spans.map(pictureOf),
  };
}

function pictureOf(span: SpanJson): SpanPicture {
  return {
    name: span.name,
    depth: span.depth,
    kind: span.kind,
    spanKind: span.spanKind,
    scope: span.scope.name,
    attributes: stable(span.attributes) as Record<string, unknown>,
    events: span.events.map(eventOf),
    ...(span.logs && { logs: span.logs.map(eventOf) }),
    mapped: stable(span.mapped) as DescribedSpan,
  };
}

const eventOf = ({ name, body, attributes }: EventPicture): EventPicture => ({
  name,
  ...(body !== undefined && { body: stable(body) }),
  attributes: stable(attributes) as Record<string, unknown>,
});

/** Attributes that measure the run. */
const MEASURED =
  /^server\.port$|\.(?:duration|time_to_first_chunk|time_per_output_chunk|completion_start_time|msToFirstChunk|msToFinish|avgOutputTokensPerSecond)$/;

/** `key` is the attribute that the value is of, or is mapped from. */
function stable(value: unknown, key = ''): unknown {
  if (MEASURED.test(key)) return '<measured>';
  if (typeof value === 'string') return stableText(value);
  if (Array.isArray(value)) return value.map((item) => stable(item));
  if (typeof value !== 'object' || value === null) return value;
  const { from } = value as { from?: unknown };
  const entries = Object.entries(value).map(([name, member]) => [
    name,
    stable(member, name === 'value' && typeof from === 'string' ? from : name),
  ]);
  return Object.fromEntries(entries);
}

/** What differs from run to run, and what stands for it. */
const RANDOM: readonly (readonly [RegExp, string])[] = [
  [/\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g, '<uuid>'],
  [/\b[\da-f]{32}\b/g, '<trace id>'],
  [/\b[\da-f]{16}\b/g, '<span id>'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/g, '<time>'],
  [/\bhttp:\/\/127\.0\.0\.1:\d+/g, '<model>'],
];

function stableText(text: string): string {
  const steady = RANDOM.reduce((rest, [pattern, placeholder]) => rest.replaceAll(pattern, placeholder), text);
  return steady.length > MAX_VALUE_CHARACTERS ? `${steady.slice(0, MAX_VALUE_CHARACTERS)}…` : steady;
}
