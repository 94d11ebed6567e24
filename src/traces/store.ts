import type { Database } from '../storage/database.ts';
import { bytesAt, greater, lesser, orderedJoin } from '../storage/dialect.ts';
import { isDeleted } from './delete.ts';
import type { ByteRange } from './byte-buffer.ts';
import type { BlockGroup, SpanBatch, TraceGroup } from './batch.ts';
import { type RememberedAnswer, storeAnswer } from './idempotency.ts';
import { LedgerEntries, recordRejections, type Rejection } from './ledger.ts';
import { type NativeSteps, storeSteps } from './native-steps.ts';
import { formatUuid, isUuid } from './ids.ts';
import { scheduleRefresh } from './refresh.ts';
import { ResponseIndexes } from './response-index.ts';
import { ResourceReferences } from './resource-references.ts';
import { type Rollup, TraceFlag } from './rollup.ts';
import { SessionChanges } from './session-index.ts';
import { type RejectedSpans, rejectionsOf } from './store-rejections.ts';
import { decodeSkeleton, WantedSpans } from './skeleton.ts';
import { NO_SUMS, type SkeletonSpan, SpanFlag, STATUS_ERROR } from './span.ts';
import { adoptLogs } from './span-logs.ts';
import { addSums, countedSums, hasSums } from './sums.ts';
import { addAttributes, attributesOf, SAMPLE } from './trace-attributes.ts';
import { TestTouches } from './test-touches.ts';
import { hasSample, storeTests, touchTests } from './trace-index.ts';
import { BLOCKS_PER_TRACE, type TraceKey, TraceKeys } from './trace-keys.ts';
import { EarlierDays, type DayHooks } from './earlier-days.ts';
import { TraceRanges } from './trace-ranges.ts';
import {
  addToTraceRow,
  findTraceRow,
  insertTraceRow,
  type TraceChanges,
  type TraceRow,
  type TraceSums,
} from './trace-row.ts';

/** Delay before a trace with a replaced span is rewritten, plus an amount for each of its spans. */
const REWRITE_DELAY_MS = 1_000;
const REWRITE_DELAY_PER_SPAN_MS = 1;
/** Number of blocks above which a trace is rewritten once it is idle, if it needs fewer. */
const MANY_BLOCKS = 64;
const QUIET_DELAY_MS = 30_000;
/** Most tests that one command touches although no span of its slices carries their id. */
const MAX_TOUCHED = 4_000;

/** A request, or one slice of a large one, which is stored in one command. */
export interface StoreSpans {
  application: number;
  keyId: string;
  /** Time of arrival, in Unix milliseconds. */
  at: number;
  /** True if it arrived through `POST /v0/ingest`. */
  native: boolean;
  batch: SpanBatch;
  /** 1 for a request or its first slice, 0 for its other slices. */
  requests: number;
  received: number;
  rejected: Readonly<Record<string, number>>;
  notices: Readonly<Record<string, number>>;
  rejections: readonly Rejection[];
  steps: NativeSteps | null;
  idempotency: RememberedAnswer | null;
}

/** Numbers of spans of a batch by outcome, counted in events. */
export interface StoreOutcome {
  stored: number;
  duplicate: number;
  replaced: number;
  /** Spans that the store rejected, besides those rejected earlier. */
  rejected: RejectedSpans[];
}

/** Result when another request with the same `Idempotency-Key` was stored first; nothing of this one is stored. */
export interface KeyTaken {
  isKeyTaken: true;
}

/**
 * Stores slices in the given order, each with its entry in the ledger, within a transaction of the caller. Throws
 * only when the store fails; the fault of a slice is its result.
 */
export function storeSlices(
  database: Database,
  slices: readonly StoreSpans[],
  hooks: DayHooks = { onDaysChanged: [] },
): (StoreOutcome | KeyTaken)[] {
  const shared: SharedChanges = {
    keys: new TraceKeys(),
    ledger: new LedgerEntries(),
    sessions: new SessionChanges(),
    ranges: new TraceRanges(),
    resources: new ResourceReferences(),
    touches: new TestTouches(),
    responses: new ResponseIndexes(),
    touchable: MAX_TOUCHED,
    days: new EarlierDays(),
  };
  const results = slices.map((slice) => storeSlice(database, slice, shared));
  shared.ledger.write(database);
  shared.sessions.write(database);
  shared.ranges.write(database);
  shared.resources.write(database);
  shared.touches.write(database);
  shared.days.report(database, hooks);
  return results;
}

/** State that the slices of one commit share. */
interface SharedChanges extends TraceChanges {
  keys: TraceKeys;
  ledger: LedgerEntries;
  resources: ResourceReferences;
  touches: TestTouches;
  responses: ResponseIndexes;
  /** Number of tests that may still be touched although no span of the slices carries their id. */
  touchable: number;
  /** Days of the traces from before that got more spans. */
  days: EarlierDays;
}

function storeSlice(database: Database, args: StoreSpans, shared: SharedChanges): StoreOutcome | KeyTaken {
  const { application, at, batch } = args;
  if (args.idempotency && !storeAnswer(database, application, at, args.idempotency)) {
    return { isKeyTaken: true };
  }
  const outcome: StoreOutcome = {
    stored: 0,
    duplicate: batch.duplicate,
    replaced: batch.replaced,
    rejected: [],
  };
  for (const group of batch.traces) new GroupStore(database, args, outcome, shared).store(group);
  if (args.steps) storeSteps(database, application, args.steps);

  const rejected: Record<string, number> = { ...args.rejected };
  for (const { reason, spans } of outcome.rejected) rejected[reason] = (rejected[reason] ?? 0) + spans;
  shared.ledger.add({ ...args, ...outcome, rejected });
  recordRejections(database, args, [...args.rejections, ...rejectionsOf(args.native, outcome.rejected)]);
  return outcome;
}

/** Stores the spans of one slice that belong to one trace. */
class GroupStore {
  private readonly database: Database;
  private readonly args: StoreSpans;
  private readonly outcome: StoreOutcome;
  private readonly shared: SharedChanges;
  private readonly sums: TraceSums = { ...NO_SUMS, spanCount: 0, errorCount: 0 };
  private changed = false;
  private replaced = false;
  private overlaps = false;

  constructor(database: Database, args: StoreSpans, outcome: StoreOutcome, shared: SharedChanges) {
    this.database = database;
    this.args = args;
    this.outcome = outcome;
    this.shared = shared;
  }

  store(group: TraceGroup): void {
    const { database, args } = this;
    const { application, at } = args;
    const traceId = this.bytes(group.traceId);
    const row = findTraceRow(database, application, traceId);
    if (!row && isDeleted(database, application, traceId)) return this.reject(group, traceId, 'deleted');
    const nextSeq = row ? Number(row.next_seq) : 0;
    if (nextSeq + group.blocks.length > BLOCKS_PER_TRACE) return this.reject(group, traceId, 'trace_full');

    const tkey = row ? Number(row.tkey) : this.shared.keys.next(database, at);
    const key = { application, tkey };
    const { spanCount, errorCount } = group.rollup;
    Object.assign(this.sums, { spanCount, errorCount });
    addSums(this.sums, group.rollup);
    let seq = nextSeq;
    for (const block of group.blocks) {
      if (this.storeBlock(key, seq, block, row === undefined)) seq += 1;
    }
    if (!this.changed) return;
    this.shared.days.add(key, at);
    this.storeRow(group.rollup, traceId, tkey, row, seq);
    this.scheduleRewrite(key, row, seq);
    const isRefreshed = row
      ? hasSums(group.rollup) || group.rollup.isChoiceOpen
      : adoptLogs(database, application, traceId, tkey) > 0;
    if (isRefreshed) scheduleRefresh(database, key, at, Number(row?.span_count ?? 0));
  }

  /** Stores the contribution of these spans to the trace's row, with its tests and attributes. */
  private storeRow(
    rollup: Rollup,
    traceId: Buffer,
    tkey: number,
    row: TraceRow | undefined,
    nextSeq: number,
  ): void {
    const { database, args, shared } = this;
    const { application, native, at } = args;
    const namesTests = rollup.tests.length > 0;
    const isSample = namesTests && hasSample(database, application, rollup);
    const flags = rollup.flags | this.flags(namesTests, isSample);
    const added = isSample ? [...attributesOf(rollup), [SAMPLE, ''] as const] : attributesOf(rollup);
    const attributes = addAttributes(database, { application, tkey }, row?.attributes ?? '[]', added);
    if (row) {
      const changes = { application, at, nextSeq, flags, attributes };
      addToTraceRow(database, row, changes, rollup, this.sums, shared);
    } else {
      const isNative = native || (rollup.isOfEvents && isUuid(formatUuid(traceId)));
      const trace = { tkey, application, traceId, native: isNative, at, nextSeq, flags, attributes };
      insertTraceRow(database, trace, rollup, this.sums, shared);
    }
    storeTests(database, application, tkey, rollup.tests);
    // A new trace with only the service's own span has nothing of the app; an existing one may belong to a test.
    const mayTouch = row ? (Number(row.flags) | flags) & TraceFlag.hasTests : namesTests && !rollup.isOwn;
    if (!mayTouch) return;
    const trace = { application, tkey, at, room: shared.touchable };
    shared.touchable -= touchTests(database, trace, rollup, shared.touches);
  }

  private flags(namesTests: boolean, isSample: boolean): number {
    return (
      (this.replaced ? TraceFlag.replaced : 0) |
      (this.overlaps ? TraceFlag.overlap : 0) |
      (namesTests ? TraceFlag.hasTests : 0) |
      (isSample ? TraceFlag.sample : 0)
    );
  }

  /**
   * Schedules a rewrite. A replaced span makes the roll-up stale: the larger the trace, the longer it may be stale,
   * which keeps the cost of rewriting a small share of the cost of ingest. Dead bytes and small blocks wait until the
   * trace is idle.
   */
  private scheduleRewrite({ application, tkey }: TraceKey, row: TraceRow | undefined, seq: number): void {
    const { database, args } = this;
    const schedule = (dueAt: number, chosen: (a: string, b: string) => string): void => {
      database.run(
        `INSERT INTO rewrite (application, tkey, due_at) VALUES (?, ?, ?)
         ON CONFLICT (tkey) DO UPDATE SET due_at = ${chosen('rewrite.due_at', 'excluded.due_at')}`,
        application,
        tkey,
        dueAt,
      );
    };
    const staleMs = REWRITE_DELAY_MS + Number(row?.span_count ?? 0) * REWRITE_DELAY_PER_SPAN_MS;
    if (this.replaced) schedule(args.at + staleMs, lesser);
    else if (this.overlaps || seq % MANY_BLOCKS === 0) schedule(args.at + QUIET_DELAY_MS, greater);
  }

  private reject(group: TraceGroup, traceId: Buffer, reason: 'deleted' | 'trace_full'): void {
    const spans = group.blocks.reduce((sum, block) => sum + eventsOf(block), 0);
    this.outcome.rejected.push({ reason, spans, traceId: traceId.toString('hex') });
  }

  /** Adds the spans to the directory, and stores the block when at least one of them is new. */
  private storeBlock(key: TraceKey, seq: number, block: BlockGroup, isNewTrace: boolean): boolean {
    const { database, outcome } = this;
    const { application, tkey } = key;
    const spanIds = this.bytes(block.spanIds);
    const hashes = this.bytes(block.hashes);
    const added =
      block.count === 1
        ? database.run(
            'INSERT INTO span (application, tkey, span_id, hash, seq) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
            application,
            tkey,
            spanIds,
            hashes,
            seq,
          )
        : database.run(
            `INSERT INTO span (application, tkey, span_id, hash, seq)
             SELECT ?, ?, ${bytesAt('?', 'i * 8 + 1', 8)}, ${bytesAt('?', 'i * 8 + 1', 8)}, ? FROM ordinal WHERE i < ? ON CONFLICT DO NOTHING`,
            application,
            tkey,
            spanIds,
            hashes,
            seq,
            block.count,
          );
    let fresh = eventsOf(block);
    let hasNews = added > 0;
    if (added < block.count && !isNewTrace) {
      const counts = this.meetStored(key, seq, block, spanIds, hashes);
      fresh -= counts.duplicate + counts.replaced;
      outcome.duplicate += counts.duplicate;
      outcome.replaced += counts.replaced;
      hasNews ||= counts.hasNews;
      this.overlaps = true;
    }
    outcome.stored += fresh;
    if (!hasNews) return false;
    database.run(
      'INSERT INTO chunk (application, tkey, seq, skeleton, payload) VALUES (?, ?, ?, ?, ?)',
      application,
      tkey,
      seq,
      this.bytes(block.skeleton),
      this.bytes(block.payload),
    );
    this.shared.resources.add(application, this.args.batch, block.resources);
    this.shared.responses.add(database, key, () => this.bytes(block.skeleton), this.args.at);
    this.changed = true;
    return true;
  }

  /** Compares the spans of a block that the directory already contains: they are duplicates or other versions. */
  private meetStored(
    key: TraceKey,
    seq: number,
    block: BlockGroup,
    spanIds: Buffer,
    hashes: Buffer,
  ): { duplicate: number; replaced: number; hasNews: boolean } {
    const { application, tkey } = key;
    const stored = this.database.all<{ i: number; hash: Buffer; oldSeq: number }>(
      `SELECT i, hash, seq AS oldSeq
       FROM ordinal ${orderedJoin} span ON application = ? AND tkey = ? AND span_id = ${bytesAt('?', 'i * 8 + 1', 8)}
       WHERE i < ? AND seq <> ?`,
      application,
      tkey,
      spanIds,
      block.count,
      seq,
    );
    const own = decodeSkeleton(this.bytes(block.skeleton), seq).spans;
    const idOf = (i: number): Buffer => spanIds.subarray(i * 8, i * 8 + 8);
    const hashOf = (i: number): Buffer => hashes.subarray(i * 8, i * 8 + 8);
    let duplicate = 0;
    let replaced = 0;
    const changed: { i: number; oldSeq: number }[] = [];
    for (const { i, hash, oldSeq } of stored) {
      if (!hash.equals(hashOf(i))) changed.push({ i, oldSeq });
      else {
        this.subtract(own[i] as SkeletonSpan);
        duplicate += block.events?.[i] ?? 1;
      }
    }
    for (const [oldSeq, members] of Map.groupBy(changed, (member) => member.oldSeq)) {
      const old = this.storedSpans(
        key,
        oldSeq,
        members.map(({ i }) => idOf(i)),
      );
      for (const { i } of members) {
        const id = (own[i] as SkeletonSpan).id;
        const before = old.get(id);
        if (!before)
          throw new Error(`the directory names block ${oldSeq} for span ${id}, which it does not hold`);
        this.subtract(before);
        this.database.run(
          'UPDATE span SET hash = ?, seq = ? WHERE application = ? AND tkey = ? AND span_id = ?',
          hashOf(i),
          seq,
          application,
          tkey,
          idOf(i),
        );
        if (block.completes?.[i]) continue;
        replaced += block.events?.[i] ?? 1;
        this.replaced = true;
      }
    }
    return { duplicate, replaced, hasNews: changed.length > 0 };
  }

  /** Returns spans of a stored block by their ids, possibly with further ones. */
  private storedSpans(
    { application, tkey }: TraceKey,
    seq: number,
    ids: readonly Buffer[],
  ): Map<string, SkeletonSpan> {
    const row = this.database.get<{ skeleton: Buffer }>(
      'SELECT skeleton FROM chunk WHERE application = ? AND tkey = ? AND seq = ?',
      application,
      tkey,
      seq,
    );
    const wanted = new WantedSpans();
    for (const id of ids) wanted.add(id);
    const spans = row ? decodeSkeleton(row.skeleton, seq, wanted).spans : [];
    return new Map(spans.map((span) => [span.id, span]));
  }

  private subtract(span: SkeletonSpan): void {
    const { sums } = this;
    if (!(span.flags & SpanFlag.traceEvent)) {
      sums.spanCount -= 1;
      if (span.status === STATUS_ERROR) sums.errorCount -= 1;
    }
    addSums(sums, countedSums(span), -1);
  }

  private bytes([start, end]: ByteRange): Buffer {
    const { byteBuffer } = this.args.batch;
    return Buffer.from(byteBuffer.buffer, byteBuffer.byteOffset + start, end - start);
  }
}

function eventsOf(block: BlockGroup): number {
  return block.events ? block.events.reduce((sum, count) => sum + count, 0) : block.count;
}
