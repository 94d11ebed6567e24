import type { Database } from '../storage/sqlite/database.ts';
import type { ChunkGroup, SpanBatch, TraceGroup, Window } from './batch.ts';
import { type RememberedAnswer, storeAnswer } from './idempotency.ts';
import { type LedgerEntry, recordLedger, recordRejections, type Rejection } from './ledger.ts';
import { type NativeSteps, storeSteps } from './native-steps.ts';
import { mergePreview, replacePreview } from './preview.ts';
import { type Candidate, isBetter, type Rollup, TraceFlag } from './rollup.ts';
import { decodeSkeleton } from './skeleton.ts';
import { type SkeletonSpan, SpanFlag, STATUS_ERROR } from './span.ts';
import { storeAttributes, storeTests } from './trace-index.ts';

/** Chunks of a trace have the keys tkey·2^20 … tkey·2^20 + 2^20 − 1. */
export const CHUNKS_PER_TRACE = 2 ** 20;
/** A replaced span leaves its trace to be rewritten this long after, and a little more for each of its spans. */
const REWRITE_DELAY_MS = 1_000;
const REWRITE_DELAY_PER_SPAN_MS = 1;
/** A trace in more chunks than this, which could be fewer, is rewritten once it is quiet. */
const MANY_CHUNKS = 64;
const QUIET_DELAY_MS = 30_000;

export interface StoreSpans {
  application: number;
  keyId: string;
  /** Unix milliseconds. */
  at: number;
  /** Whether it came by `POST /v0/ingest`. */
  native: boolean;
  batch: SpanBatch;
  received: number;
  rejected: Readonly<Record<string, number>>;
  notices: Readonly<Record<string, number>>;
  rejections: readonly Rejection[];
  steps: NativeSteps | null;
  idempotency: RememberedAnswer | null;
}

/** What became of the spans of a batch; counted in events. */
export interface StoreOutcome {
  stored: number;
  duplicate: number;
  replaced: number;
  /** Refused by the store, besides what had been refused before. */
  refused: { reason: 'deleted' | 'trace_full'; spans: number; traceId: string }[];
}

/** Stores a batch of spans with its line in the ledger. */
export function storeSpans(database: Database, args: StoreSpans): StoreOutcome {
  const { batch } = args;
  const outcome: StoreOutcome = {
    stored: 0,
    duplicate: batch.duplicate,
    replaced: batch.replaced,
    refused: [],
  };
  const resourceRefs = new Array<number>(batch.resources.length).fill(0);
  for (const group of batch.traces) new GroupStore(database, args, outcome, resourceRefs).store(group);
  storeResources(database, args.application, batch, resourceRefs);
  if (args.steps) storeSteps(database, args.application, args.steps);
  if (args.idempotency) storeAnswer(database, args.application, args.at, args.idempotency);

  const rejected: Record<string, number> = { ...args.rejected };
  for (const { reason, spans } of outcome.refused) rejected[reason] = (rejected[reason] ?? 0) + spans;
  const refusals = outcome.refused.slice(0, 5).map(
    ({ reason, spans, traceId }): Rejection => ({
      source: args.native ? 'events' : 'otlp',
      reason,
      message: STORE_REFUSALS[reason],
      spans,
      traceId,
      spanId: null,
    }),
  );
  recordRequest(database, { ...args, ...outcome, rejected, rejections: [...args.rejections, ...refusals] });
  return outcome;
}

export const STORE_REFUSALS = {
  deleted: 'the trace was deleted; spans that come for it later are refused',
  trace_full: `a trace takes at most ${CHUNKS_PER_TRACE} separate deliveries of spans`,
} as const;

/** Writes down a request that stored nothing, or all of what `storeSpans` did. */
export function recordRequest(
  database: Database,
  entry: LedgerEntry & { rejections: readonly Rejection[] },
): void {
  recordLedger(database, entry);
  recordRejections(database, entry, entry.rejections);
}

interface TraceRow {
  tkey: bigint;
  start_ns: bigint;
  end_ns: bigint;
  next_seq: bigint;
  span_count: bigint;
  kinds: bigint;
  flags: bigint;
  root_rank: bigint;
  root_ns: bigint;
  root_name: string;
  session_id: string | null;
  user_id: string | null;
  models: string;
  services: string;
}

/** Sums to add to a trace row. */
interface Sums {
  spanCount: number;
  errorCount: number;
  inputTokens: number;
  outputTokens: number;
  cost: number;
}

/** Stores the spans of one batch that belong to one trace. */
class GroupStore {
  private readonly database: Database;
  private readonly args: StoreSpans;
  private readonly outcome: StoreOutcome;
  private readonly resourceRefs: number[];
  private readonly sums: Sums = { spanCount: 0, errorCount: 0, inputTokens: 0, outputTokens: 0, cost: 0 };
  private changed = false;
  private replaced = false;
  private overlaps = false;

  constructor(database: Database, args: StoreSpans, outcome: StoreOutcome, resourceRefs: number[]) {
    this.database = database;
    this.args = args;
    this.outcome = outcome;
    this.resourceRefs = resourceRefs;
  }

  store(group: TraceGroup): void {
    const { database, args } = this;
    const traceId = this.bytes(group.traceId);
    const row = findTrace(database, args.application, traceId);
    if (!row && isDeleted(database, args.application, traceId)) return this.refuse(group, traceId, 'deleted');
    const nextSeq = row ? Number(row.next_seq) : 0;
    if (nextSeq + group.chunks.length > CHUNKS_PER_TRACE) return this.refuse(group, traceId, 'trace_full');

    const tkey = row ? Number(row.tkey) : newTraceKey(database);
    const { spanCount, errorCount, inputTokens, outputTokens, cost } = group.rollup;
    Object.assign(this.sums, { spanCount, errorCount, inputTokens, outputTokens, cost });
    let seq = nextSeq;
    for (const chunk of group.chunks) {
      if (this.storeChunk(tkey, tkey * CHUNKS_PER_TRACE + seq, chunk, row === undefined)) seq += 1;
    }
    if (!this.changed) return;
    if (row) this.updateTrace(row, group.rollup, seq);
    else this.insertTrace(tkey, traceId, group.rollup, seq);
    storeTests(database, args.application, tkey, group.rollup);
    storeAttributes(database, args.application, tkey, group.rollup);
    this.scheduleRewrite(tkey, row, seq);
  }

  /**
   * A replaced span makes the roll-up stale: the larger the trace, the longer it may stay so, which keeps the cost of
   * rewriting a small share of the cost of sending. Dead bytes and small chunks wait until the trace is quiet.
   */
  private scheduleRewrite(tkey: number, row: TraceRow | undefined, seq: number): void {
    const { database, args } = this;
    if (this.replaced) {
      const dueAt = args.at + REWRITE_DELAY_MS + Number(row?.span_count ?? 0) * REWRITE_DELAY_PER_SPAN_MS;
      database.run(
        'INSERT INTO rewrite (tkey, due_at) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET due_at = min(due_at, ?2)',
        tkey,
        dueAt,
      );
    } else if (this.overlaps || seq % MANY_CHUNKS === 0) {
      database.run(
        'INSERT INTO rewrite (tkey, due_at) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET due_at = max(due_at, ?2)',
        tkey,
        args.at + QUIET_DELAY_MS,
      );
    }
  }

  private refuse(group: TraceGroup, traceId: Buffer, reason: 'deleted' | 'trace_full'): void {
    const spans = group.chunks.reduce((sum, chunk) => sum + eventsOf(chunk), 0);
    this.outcome.refused.push({ reason, spans, traceId: traceId.toString('hex') });
  }

  /** Enters the spans in the directory, and keeps the chunk when at least one of them is new. */
  private storeChunk(tkey: number, ck: number, chunk: ChunkGroup, isNewTrace: boolean): boolean {
    const { database, outcome } = this;
    const spanIds = this.bytes(chunk.spanIds);
    const hashes = this.bytes(chunk.hashes);
    const added = database.run(
      `INSERT OR IGNORE INTO span (tkey, span_id, hash, chunk)
       SELECT ?, substr(?, i * 8 + 1, 8), substr(?, i * 8 + 1, 8), ? FROM ordinal WHERE i < ?`,
      tkey,
      spanIds,
      hashes,
      ck,
      chunk.count,
    );
    let fresh = eventsOf(chunk);
    let hasNews = added > 0;
    if (added < chunk.count && !isNewTrace) {
      const met = this.meetStored(tkey, ck, chunk, spanIds, hashes);
      fresh -= met.duplicate + met.replaced;
      outcome.duplicate += met.duplicate;
      outcome.replaced += met.replaced;
      hasNews ||= met.hasNews;
      this.overlaps = true;
    }
    outcome.stored += fresh;
    if (!hasNews) return false;
    database.run(
      'INSERT INTO chunk (ck, skeleton, payload) VALUES (?, ?, ?)',
      ck,
      this.bytes(chunk.skeleton),
      this.bytes(chunk.payload),
    );
    for (const index of chunk.resources) this.resourceRefs[index] = (this.resourceRefs[index] as number) + 1;
    this.changed = true;
    return true;
  }

  /** Goes through the spans of a chunk that the directory already knew: the same again, or another version. */
  private meetStored(
    tkey: number,
    ck: number,
    chunk: ChunkGroup,
    spanIds: Buffer,
    hashes: Buffer,
  ): { duplicate: number; replaced: number; hasNews: boolean } {
    const stored = this.database.all<{ i: number; hash: Buffer; chunk: number }>(
      `SELECT i, hash, chunk FROM ordinal CROSS JOIN span ON tkey = ?1 AND span_id = substr(?2, i * 8 + 1, 8)
       WHERE i < ?3 AND chunk <> ?4`,
      tkey,
      spanIds,
      chunk.count,
      ck,
    );
    const own = decodeSkeleton(this.bytes(chunk.skeleton), ck).spans;
    let duplicate = 0;
    let replaced = 0;
    let hasNews = false;
    for (const { i, hash, chunk: oldChunk } of stored) {
      const span = own[i] as SkeletonSpan;
      const newHash = hashes.subarray(i * 8, i * 8 + 8);
      const events = chunk.events?.[i] ?? 1;
      if (hash.equals(newHash)) {
        this.subtract(span);
        duplicate += events;
        continue;
      }
      hasNews = true;
      this.subtract(this.storedSpan(oldChunk, span.id));
      this.database.run(
        'UPDATE span SET hash = ?, chunk = ? WHERE tkey = ? AND span_id = ?',
        newHash,
        ck,
        tkey,
        spanIds.subarray(i * 8, i * 8 + 8),
      );
      if (chunk.completes?.[i]) continue;
      replaced += events;
      this.replaced = true;
    }
    return { duplicate, replaced, hasNews };
  }

  private storedSpan(ck: number, id: string): SkeletonSpan {
    const row = this.database.get<{ skeleton: Buffer }>('SELECT skeleton FROM chunk WHERE ck = ?', ck);
    const span = row && decodeSkeleton(row.skeleton, ck).spans.find((candidate) => candidate.id === id);
    if (!span) throw new Error(`the directory names chunk ${ck} for span ${id}, which it does not hold`);
    return span;
  }

  private subtract(span: SkeletonSpan): void {
    const { sums } = this;
    if (!(span.flags & SpanFlag.traceEvent)) {
      sums.spanCount -= 1;
      if (span.status === STATUS_ERROR) sums.errorCount -= 1;
    }
    sums.inputTokens -= span.inputTokens;
    sums.outputTokens -= span.outputTokens;
    sums.cost -= span.cost;
  }

  private insertTrace(tkey: number, traceId: Buffer, rollup: Rollup, nextSeq: number): void {
    const { database, args, sums } = this;
    database.run(
      `INSERT INTO trace (tkey, application, trace_id, native, start_ns, end_ns, received_at, updated_at, next_seq,
         span_count, error_count, input_tokens, output_tokens, cost, kinds, flags, root_rank, root_ns, root_name,
         session_id, user_id, models, services)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      tkey,
      args.application,
      traceId,
      args.native ? 1 : 0,
      rollup.start,
      rollup.end,
      args.at,
      args.at,
      nextSeq,
      sums.spanCount,
      sums.errorCount,
      sums.inputTokens,
      sums.outputTokens,
      sums.cost,
      rollup.kinds,
      rollup.flags | this.flags(),
      rollup.rootName.rank,
      rollup.rootName.at,
      rollup.rootName.text,
      rollup.sessionId,
      rollup.userId,
      JSON.stringify(rollup.models),
      JSON.stringify(rollup.services),
    );
    replacePreview(database, tkey, rollup);
  }

  private updateTrace(row: TraceRow, rollup: Rollup, nextSeq: number): void {
    const { database, args, sums } = this;
    const rootRank = Number(row.root_rank);
    const known: Candidate = { rank: rootRank, at: row.root_ns, text: row.root_name };
    const root = isBetter(rollup.rootName, known) ? rollup.rootName : known;
    database.run(
      `UPDATE trace SET updated_at = ?, next_seq = ?, end_ns = max(end_ns, ?), span_count = span_count + ?,
         input_tokens = input_tokens + ?, output_tokens = output_tokens + ?, cost = cost + ?, kinds = kinds | ?,
         flags = flags | ?, root_rank = ?, root_ns = ?, root_name = ?, models = ?, services = ?
       WHERE tkey = ?`,
      args.at,
      nextSeq,
      rollup.end,
      sums.spanCount,
      sums.inputTokens,
      sums.outputTokens,
      sums.cost,
      rollup.kinds,
      rollup.flags | this.flags(),
      root.rank,
      root.at,
      root.text,
      mergeList(row.models, rollup.models),
      mergeList(row.services, rollup.services),
      row.tkey,
    );
    // Indexed columns apart, and only when they change: naming one in an UPDATE rewrites its index entry.
    if (rollup.start < row.start_ns)
      database.run('UPDATE trace SET start_ns = ? WHERE tkey = ?', rollup.start, row.tkey);
    if (sums.errorCount !== 0) {
      database.run(
        'UPDATE trace SET error_count = error_count + ? WHERE tkey = ?',
        sums.errorCount,
        row.tkey,
      );
    }
    if (row.session_id === null && rollup.sessionId !== null) {
      database.run('UPDATE trace SET session_id = ? WHERE tkey = ?', rollup.sessionId, row.tkey);
    }
    if (row.user_id === null && rollup.userId !== null) {
      database.run('UPDATE trace SET user_id = ? WHERE tkey = ?', rollup.userId, row.tkey);
    }
    mergePreview(database, Number(row.tkey), rollup);
  }

  private flags(): number {
    return (this.replaced ? TraceFlag.replaced : 0) | (this.overlaps ? TraceFlag.overlap : 0);
  }

  private bytes([start, end]: Window): Buffer {
    const { arena } = this.args.batch;
    return Buffer.from(arena.buffer, arena.byteOffset + start, end - start);
  }
}

function findTrace(database: Database, application: number, traceId: Uint8Array): TraceRow | undefined {
  return database.getExact<TraceRow>(
    `SELECT tkey, start_ns, end_ns, next_seq, span_count, kinds, flags, root_rank, root_ns, root_name, session_id, user_id, models, services
     FROM trace WHERE application = ? AND trace_id = ?`,
    application,
    traceId,
  );
}

function isDeleted(database: Database, application: number, traceId: Uint8Array): boolean {
  return (
    database.get('SELECT 1 FROM tombstone WHERE application = ? AND trace_id = ?', application, traceId) !==
    undefined
  );
}

const lastKeys = new WeakMap<Database, number>();

/** Keys grow and are never used twice, so that bytes still waiting to be removed belong to nobody else. */
function newTraceKey(database: Database): number {
  const last =
    lastKeys.get(database) ??
    database.get<{ seq: number }>(`SELECT seq FROM sqlite_sequence WHERE name = 'trace'`)?.seq ??
    0;
  lastKeys.set(database, last + 1);
  return last + 1;
}

/** The union of a stored JSON list and some names. */
function mergeList(json: string, names: readonly string[]): string {
  if (names.length === 0) return json;
  const known = JSON.parse(json) as string[];
  const merged = new Set([...known, ...names]);
  return merged.size === known.length ? json : JSON.stringify([...merged].slice(0, 64));
}

function eventsOf(chunk: ChunkGroup): number {
  return chunk.events ? chunk.events.reduce((sum, count) => sum + count, 0) : chunk.count;
}

/** Keeps the resources of a batch that `refs` chunks name. */
export function storeResources(
  database: Database,
  application: number,
  batch: SpanBatch,
  refs: readonly number[],
): void {
  const { arena } = batch;
  const bytes = ([start, end]: Window): Buffer =>
    Buffer.from(arena.buffer, arena.byteOffset + start, end - start);
  for (const [index, resource] of batch.resources.entries()) {
    const count = refs[index] as number;
    if (count === 0) continue;
    database.run(
      `INSERT INTO resource (application, hash, refs, bytes) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET refs = refs + excluded.refs`,
      application,
      bytes(resource.hash),
      count,
      bytes(resource.bytes),
    );
  }
}
