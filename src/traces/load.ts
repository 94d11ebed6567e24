import type { Database, RowStatement } from '../storage/database.ts';
import { eachNumber, hexOf, orderedJoin } from '../storage/dialect.ts';
import { ambiguousId, formatUuid } from './ids.ts';
import { decodePayload, type PayloadSpan } from './payload.ts';
import { TraceFlag } from './rollup.ts';
import { decodeSkeleton } from './skeleton.ts';
import type { SkeletonSpan, SpanSums } from './span.ts';
import type { TraceKey } from './trace-keys.ts';

/** One trace as stored in its row; integers that may exceed 2^53 are bigints. */
export interface StoredTrace extends SpanSums, TraceKey {
  traceId: Buffer;
  native: boolean;
  start: bigint;
  end: bigint;
  receivedAt: number;
  updatedAt: number;
  spanCount: number;
  errorCount: number;
  flags: number;
  ruleSet: number;
  rootName: string;
  sessionId: string | null;
  userId: string | null;
  models: string[];
  services: string[];
  /** Indexed pairs of the trace, as JSON: see `trace-attributes.ts`. */
  attributes: string;
}

interface TraceColumns {
  application: bigint;
  tkey: bigint;
  trace_id: Buffer;
  native: bigint;
  start_ns: bigint;
  end_ns: bigint;
  received_at: bigint;
  updated_at: bigint;
  span_count: bigint;
  error_count: bigint;
  input_tokens: bigint;
  output_tokens: bigint;
  total_tokens: bigint;
  cache_read_tokens: bigint;
  cache_write_tokens: bigint;
  reasoning_tokens: bigint;
  cost: number;
  rule_set: bigint;
  flags: bigint;
  root_name: string;
  session_id: string | null;
  user_id: string | null;
  models: string;
  services: string;
  attributes: string;
}

export const TRACE_ROW_COLUMNS = `trace.application, trace.tkey, trace_id, native, start_ns, end_ns, received_at, updated_at, span_count, error_count,
  input_tokens, output_tokens, total_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens, cost, rule_set, flags,
  root_name, session_id, user_id, models, services, attributes`;

/** Reads a row selected with TRACE_COLUMNS by `getExact` or `allExact`. */
export function storedTrace(row: TraceColumns): StoredTrace {
  return {
    application: Number(row.application),
    tkey: Number(row.tkey),
    traceId: row.trace_id,
    native: row.native === 1n,
    start: row.start_ns,
    end: row.end_ns,
    receivedAt: Number(row.received_at),
    updatedAt: Number(row.updated_at),
    spanCount: Number(row.span_count),
    errorCount: Number(row.error_count),
    inputTokens: Number(row.input_tokens),
    outputTokens: Number(row.output_tokens),
    totalTokens: Number(row.total_tokens),
    cacheReadTokens: Number(row.cache_read_tokens),
    cacheWriteTokens: Number(row.cache_write_tokens),
    reasoningTokens: Number(row.reasoning_tokens),
    ruleSet: Number(row.rule_set),
    cost: row.cost,
    flags: Number(row.flags),
    rootName: row.root_name,
    sessionId: row.session_id,
    userId: row.user_id,
    models: JSON.parse(row.models) as string[],
    services: JSON.parse(row.services) as string[],
    attributes: row.attributes,
  };
}

/** Returns the trace of a key, of any application; for internal work only. */
export function findTraceByKey(
  database: Database,
  tkey: number,
): { trace: StoredTrace; version: number } | null {
  const row = database.getExact<TraceColumns & { next_seq: bigint }>(
    `SELECT ${TRACE_ROW_COLUMNS}, next_seq FROM trace WHERE tkey = ?`,
    tkey,
  );
  return row ? { trace: storedTrace(row), version: Number(row.next_seq) } : null;
}

/**
 * Returns the one of `traceIds` that is stored. Throws `conflict` when several are, because one uuid then stands for different
 * traces.
 */
export function findStoredTrace(
  database: Database,
  application: number,
  traceIds: readonly Uint8Array[],
): StoredTrace | null {
  const stored = database
    .allExact<TraceColumns>(
      `SELECT ${TRACE_ROW_COLUMNS} FROM trace WHERE application = ? AND trace_id IN (${traceIds.map(() => '?').join(', ')})`,
      application,
      ...traceIds.map((id) => Buffer.from(id)),
    )
    .map(storedTrace);
  if (stored.length > 1) throw ambiguousId(stored.map(({ traceId }) => traceId));
  return stored[0] ?? null;
}

/** Returns every span of a trace once, in its current version, without reading payloads. */
export function loadSkeleton(database: Database, trace: StoredTrace): SkeletonSpan[] {
  const blocks = database.all<{ seq: number; skeleton: Buffer }>(
    'SELECT seq, skeleton FROM chunk WHERE application = ? AND tkey = ? ORDER BY seq',
    trace.application,
    trace.tkey,
  );
  const spans: SkeletonSpan[] = [];
  for (const { seq, skeleton } of blocks)
    for (const span of decodeSkeleton(skeleton, seq).spans) spans.push(span);
  return trace.flags & TraceFlag.overlap ? currentVersions(database, trace, spans) : spans;
}

/** Finds, in the directory, the current version of each span where blocks overlap. */
function currentVersions(
  database: Database,
  { application, tkey }: TraceKey,
  spans: readonly SkeletonSpan[],
): SkeletonSpan[] {
  // Ids as text, because a buffer for each span would take several times the memory.
  const rows = database.all<{ id: string; block: number }>(
    `SELECT ${hexOf('span_id')} AS id, seq AS block FROM span WHERE application = ? AND tkey = ?`,
    application,
    tkey,
  );
  const blockOf = new Map<string, number>();
  for (const { id, block } of rows) blockOf.set(id, block);
  return spans.filter((span) => blockOf.get(span.id) === span.block);
}

/** Number of small blocks that are read at once: a trace that arrived span by span has one block per span. */
const BLOCKS_AT_ONCE = 32;
const SMALL_BLOCK_BYTES = 16 * 1024;

/** Reads payloads of one trace, each block once. */
export class PayloadReader {
  private readonly database: Database;
  private readonly key: TraceKey;
  private readonly payloads = new Map<number, Buffer>();
  private readonly blocks = new Map<number, PayloadSpan[]>();

  constructor(database: Database, key: TraceKey) {
    this.database = database;
    this.key = key;
  }

  open(span: SkeletonSpan): PayloadSpan {
    let spans = this.blocks.get(span.block);
    if (!spans) this.blocks.set(span.block, (spans = this.decode(span.block)));
    const found = spans[span.index];
    if (!found) throw new Error(`block ${span.block} holds no span ${span.index}`);
    return found;
  }

  private decode(block: number): PayloadSpan[] {
    if (!this.payloads.has(block)) this.readFrom(block);
    const payload = this.payloads.get(block);
    this.payloads.delete(block);
    return payload ? decodePayload(payload) : [];
  }

  /** Reads a block, and small blocks of the same trace that follow it. */
  private readFrom(block: number): void {
    const rows = this.database.all<{ seq: number; payload: Buffer }>(
      `SELECT seq, payload FROM chunk WHERE application = :application AND tkey = :tkey AND seq >= :block
         AND (seq = :block OR length(payload) < ${SMALL_BLOCK_BYTES})
       ORDER BY seq LIMIT ${BLOCKS_AT_ONCE}`,
      { application: this.key.application, tkey: this.key.tkey, block },
    );
    for (const { seq, payload } of rows) if (!this.blocks.has(seq)) this.payloads.set(seq, payload);
  }
}

/**
 * Returns the test ids of a trace, the primary one first: the earliest, and one of a span before those of a resource
 * and of a delivery.
 */
export function traceTests(database: Database, tkey: number, limit = Number.MAX_SAFE_INTEGER): string[] {
  return database
    .all<{ testId: Buffer }>(FIND_TESTS.sql, tkey, limit)
    .map(({ testId }) => formatUuid(testId));
}

/** Returns the result of `traceTests` for each trace, by trace key. Traces without a test are absent. */
export function testsOfTraces(database: Database, traces: readonly StoredTrace[]): Map<number, string[]> {
  const keys = traces.filter(({ flags }) => flags & TraceFlag.hasTests).map(({ tkey }) => tkey);
  if (keys.length === 0) return new Map();
  const rows = database.all<{ tkey: number; testId: Buffer }>(
    `SELECT tkey, test_id AS testId FROM ${eachNumber('?')} AS wanted ${orderedJoin} trace_test ON tkey = wanted.value
     ORDER BY tkey, ${TESTS_IN_ORDER}`,
    JSON.stringify(keys),
  );
  const testIds = new Map<number, string[]>();
  for (const { tkey, testId } of rows) {
    const known = testIds.get(tkey);
    if (known) known.push(formatUuid(testId));
    else testIds.set(tkey, [formatUuid(testId)]);
  }
  return testIds;
}

const TESTS_IN_ORDER = 'via = 2, first_ns, via, test_id';

/** Finds some of the tests of a trace, in order. */
export const FIND_TESTS: RowStatement = {
  sql: `SELECT test_id AS "testId" FROM trace_test WHERE tkey = ? ORDER BY ${TESTS_IN_ORDER} LIMIT ?`,
  columns: ['integer', 'integer'],
};
