import type { Database } from '../storage/sqlite/database.ts';
import { isDeleted } from './delete.ts';
import type { Window } from './arena.ts';
import type { ChunkGroup, SpanBatch, TraceGroup } from './batch.ts';
import { CHUNKS_PER_TRACE } from './chunk-keys.ts';
import { type RememberedAnswer, storeAnswer } from './idempotency.ts';
import { type LedgerEntry, recordLedger, recordRejections, type Rejection } from './ledger.ts';
import { type NativeSteps, storeSteps } from './native-steps.ts';
import { scheduleRefresh } from './refresh.ts';
import { type Rollup, TraceFlag } from './rollup.ts';
import { decodeSkeleton } from './skeleton.ts';
import { NO_SUMS, type SkeletonSpan, SpanFlag, STATUS_ERROR } from './span.ts';
import { adoptLogs } from './span-logs.ts';
import { addSums, countedSums, hasSums } from './sums.ts';
import { markSample, storeAttributes, storeTests, touchTests } from './trace-index.ts';
import { addToTraceRow, findTraceRow, insertTraceRow, type TraceRow, type TraceSums } from './trace-row.ts';

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

/** Stores the spans of one batch that belong to one trace. */
class GroupStore {
  private readonly database: Database;
  private readonly args: StoreSpans;
  private readonly outcome: StoreOutcome;
  private readonly resourceRefs: number[];
  private readonly sums: TraceSums = { ...NO_SUMS, spanCount: 0, errorCount: 0 };
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
    const row = findTraceRow(database, args.application, traceId);
    if (!row && isDeleted(database, args.application, traceId)) return this.refuse(group, traceId, 'deleted');
    const nextSeq = row ? Number(row.next_seq) : 0;
    if (nextSeq + group.chunks.length > CHUNKS_PER_TRACE) return this.refuse(group, traceId, 'trace_full');

    const tkey = row ? Number(row.tkey) : newTraceKey(database);
    const { spanCount, errorCount } = group.rollup;
    Object.assign(this.sums, { spanCount, errorCount });
    addSums(this.sums, group.rollup);
    let seq = nextSeq;
    for (const chunk of group.chunks) {
      if (this.storeChunk(tkey, tkey * CHUNKS_PER_TRACE + seq, chunk, row === undefined)) seq += 1;
    }
    if (!this.changed) return;
    const rollup = this.withFlags(group.rollup);
    const { application, native, at } = args;
    if (row) addToTraceRow(database, row, { at, nextSeq: seq }, rollup, this.sums);
    else {
      insertTraceRow(database, { tkey, application, traceId, native, at, nextSeq: seq }, rollup, this.sums);
    }
    storeTests(database, application, tkey, rollup);
    if (rollup.tests.length > 0) markSample(database, application, tkey);
    // A trace that our own span begins says nothing of the app; one that it joins may be a test's by that alone.
    if (row || (rollup.tests.length > 0 && !rollup.isOwn)) touchTests(database, { application, tkey, at });
    storeAttributes(database, application, tkey, rollup);
    this.scheduleRewrite(tkey, row, seq);
    const isRefreshed = row ? hasSums(rollup) : adoptLogs(database, application, traceId, tkey) > 0;
    if (isRefreshed) scheduleRefresh(database, tkey, at, Number(row?.span_count ?? 0));
  }

  private withFlags(rollup: Rollup): Rollup {
    const flags =
      rollup.flags | (this.replaced ? TraceFlag.replaced : 0) | (this.overlaps ? TraceFlag.overlap : 0);
    return { ...rollup, flags };
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
    addSums(sums, countedSums(span), -1);
  }

  private bytes([start, end]: Window): Buffer {
    const { arena } = this.args.batch;
    return Buffer.from(arena.buffer, arena.byteOffset + start, end - start);
  }
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
