import type { Database } from '../storage/database.ts';
import { RowSet } from '../storage/row-set.ts';
import type { SpanBatch, TraceGroup } from './batch.ts';
import { areDeleted } from './delete.ts';
import { EarlierDays, type DayHooks } from './earlier-days.ts';
import { type RememberedAnswer, storeAnswer } from './idempotency.ts';
import { formatUuid, isUuid } from './ids.ts';
import { LedgerEntries, recordRejections, type Rejection } from './ledger.ts';
import { findTraceKey, type NativeSteps, StepChanges } from './native-steps.ts';
import { Previews } from './preview.ts';
import { Refreshes } from './refresh.ts';
import { ResourceReferences } from './resource-references.ts';
import { ResponseIndexes } from './response-index.ts';
import { Rewrites } from './rewrite-schedule.ts';
import { TraceFlag } from './rollup.ts';
import { SessionChanges } from './session-index.ts';
import { adoptLogs } from './span-logs.ts';
import { type BlockOutcome, eventsOf, type SentBlock, storeBlocks, bytesIn } from './store-blocks.ts';
import { type RejectedSpans, rejectionsOf } from './store-rejections.ts';
import { hasSums } from './sums.ts';
import { TestTouches } from './test-touches.ts';
import { ADD_ATTRIBUTE, addAttributes, attributesOf, SAMPLE } from './trace-attributes.ts';
import { findSamples, sampleKey, TestLinks, TouchedTraces } from './trace-index.ts';
import { BLOCKS_PER_TRACE, TraceKeys } from './trace-keys.ts';
import { TraceRanges } from './trace-ranges.ts';
import { findTraceRows, OpenRow, type SentTrace, TraceRows, type TraceSums } from './trace-row.ts';

/** Number of blocks above which a trace is rewritten once it is idle, if it needs fewer. */
const MANY_BLOCKS = 64;

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
 * Stores slices in the given order, each with its entry in the ledger, within a transaction of the caller. Writes each
 * table once; last those with rows that many traces share, in one order, so that writers never wait for each other in
 * a circle. Throws only when the store fails; the fault of a slice is its result.
 */
export function storeSlices(
  database: Database,
  slices: readonly StoreSpans[],
  hooks: DayHooks = { onDaysChanged: [] },
): (StoreOutcome | KeyTaken)[] {
  return new SlicesStore(database, slices).store(hooks);
}

/** A slice that is stored. */
interface OpenSlice {
  args: StoreSpans;
  outcome: StoreOutcome;
}

/** A trace that gets spans. */
interface StoredTrace extends SentTrace {
  tkey: number;
  row: OpenRow;
  isDeleted: boolean;
  /** Sequence number of the next block, also if earlier ones are not stored. */
  nextSeq: number;
}

/** Spans of one slice that belong to one trace. */
interface SentGroup {
  slice: OpenSlice;
  group: TraceGroup;
  trace: StoredTrace;
  sums: TraceSums;
  blocks: readonly SentBlock[];
}

/** A group of which at least one block is stored. */
interface StoredGroup extends SentGroup {
  /** Sequence number after its last stored block. */
  nextSeq: number;
  isReplaced: boolean;
  overlaps: boolean;
}

/** Stores the slices of one command. */
class SlicesStore {
  private readonly database: Database;
  private readonly slices: readonly (OpenSlice | KeyTaken)[];
  private readonly traces: ReadonlyMap<string, StoredTrace>;
  private readonly keys: TraceKeys;
  private readonly attributes = new RowSet(ADD_ATTRIBUTE);
  private readonly previews = new Previews();
  private readonly links = new TestLinks();
  private readonly touched = new TouchedTraces();
  private readonly refreshes = new Refreshes();
  private readonly rewrites = new Rewrites();
  private readonly responses = new ResponseIndexes();
  private readonly resources = new ResourceReferences();
  private readonly days = new EarlierDays();

  constructor(database: Database, slices: readonly StoreSpans[]) {
    this.database = database;
    this.slices = slices.map((args) => openSlice(database, args));
    this.traces = openTraces(database, this.openSlices());
    const isNew = ({ tkey, isDeleted }: StoredTrace): boolean => tkey === NO_KEY && !isDeleted;
    this.keys = new TraceKeys([...this.traces.values()].filter(isNew).length);
  }

  store(hooks: DayHooks): (StoreOutcome | KeyTaken)[] {
    const { database, days } = this;
    const groups = this.storeGroups();
    this.addRows(groups);
    this.writeTraces();
    this.writeSteps();
    this.writeTouches();
    for (const slice of this.openSlices()) recordRejectionsOf(database, slice);
    days.report(database, hooks);
    this.writeShared();
    return this.slices.map((slice) => ('isKeyTaken' in slice ? slice : slice.outcome));
  }

  private *openSlices(): Generator<OpenSlice> {
    for (const slice of this.slices) if (!('isKeyTaken' in slice)) yield slice;
  }

  private traceOf(application: number, traceId: Uint8Array): StoredTrace | undefined {
    return this.traces.get(traceName(application, traceId));
  }

  /** Stores the blocks of all groups; returns the groups with a new span or version. */
  private storeGroups(): StoredGroup[] {
    const groups = [...this.openSlices()].flatMap((slice) =>
      slice.args.batch.traces.flatMap((group) => this.openGroup(slice, group) ?? []),
    );
    const outcomes = storeBlocks(
      this.database,
      groups.flatMap(({ blocks }) => blocks),
    );
    let done = 0;
    return groups.flatMap((sent) => {
      const own = outcomes.slice(done, (done += sent.blocks.length));
      return this.closeGroup(sent, own) ?? [];
    });
  }

  /** Gives the blocks of a group their places; returns undefined when its spans are rejected. */
  private openGroup(slice: OpenSlice, group: TraceGroup): SentGroup | undefined {
    const { application, at, batch } = slice.args;
    const traceId = bytesIn(batch.byteBuffer, group.traceId);
    const trace = this.traceOf(application, traceId) as StoredTrace;
    if (trace.isDeleted) return reject(slice, group, traceId, 'deleted');
    if (trace.nextSeq + group.blocks.length > BLOCKS_PER_TRACE)
      return reject(slice, group, traceId, 'trace_full');
    if (trace.tkey === NO_KEY) trace.tkey = this.keys.next(this.database, at);
    const sums = sumsOf(group.rollup);
    const key = { application, tkey: trace.tkey };
    const { byteBuffer } = batch;
    const blocks = group.blocks.map((block) => {
      trace.nextSeq += 1;
      return { key, seq: trace.nextSeq - 1, block, byteBuffer, sums };
    });
    return { slice, group, trace, sums, blocks };
  }

  /** Counts what became of the blocks of a group; returns undefined when none is stored. */
  private closeGroup(sent: SentGroup, outcomes: readonly BlockOutcome[]): StoredGroup | undefined {
    const { args, outcome } = sent.slice;
    const stored: StoredGroup = { ...sent, nextSeq: -1, isReplaced: false, overlaps: false };
    for (const [index, { key, seq, block, byteBuffer }] of sent.blocks.entries()) {
      const of = outcomes[index] as BlockOutcome;
      outcome.stored += of.stored;
      outcome.duplicate += of.duplicate;
      outcome.replaced += of.replaced;
      stored.isReplaced ||= of.replaced > 0;
      stored.overlaps ||= of.overlaps;
      if (!of.hasNews) continue;
      stored.nextSeq = seq + 1;
      this.resources.add(args.application, args.batch, block.resources);
      this.responses.add(this.database, key, () => bytesIn(byteBuffer, block.skeleton), args.at);
    }
    return stored.nextSeq === -1 ? undefined : stored;
  }

  /** Adds the contributions of groups to the rows of their traces, with their tests and attributes. */
  private addRows(groups: readonly StoredGroup[]): void {
    const samples = findSamples(
      this.database,
      groups.flatMap(({ trace: { application }, group }) =>
        group.rollup.tests.map(({ testId }) => ({ application, testId })),
      ),
    );
    this.responses.write(this.database, this.refreshes);
    const adopting = adoptLogs(this.database, newTraces(groups));
    for (const stored of groups) this.addRow(stored, samples, adopting);
  }

  private addRow(stored: StoredGroup, samples: ReadonlySet<string>, adopting: ReadonlySet<number>): void {
    const { trace, group, sums, nextSeq } = stored;
    const { rollup } = group;
    const { application, tkey, traceId, row } = trace;
    const { native, at } = stored.slice.args;
    const key = { application, tkey };
    const isNew = !row.exists;
    const spansBefore = row.spanCount;
    const namesTests = rollup.tests.length > 0;
    const isSample = rollup.tests.some(({ testId }) => samples.has(sampleKey(application, testId)));
    const flags = rollup.flags | flagsOf(stored, namesTests, isSample);
    const added = isSample ? [...attributesOf(rollup), [SAMPLE, ''] as const] : attributesOf(rollup);
    const attributes = addAttributes(this.attributes, key, row.attributes, added);
    if (isNew) row.native = native || (rollup.isOfEvents && isUuid(formatUuid(traceId)));
    row.add(rollup, sums, { at, nextSeq, flags, attributes });
    this.previews.offer(key, rollup, row.stored === undefined);
    this.links.add(key, rollup.tests);
    // A new trace with only the service's own span has nothing of the app; an existing one may belong to a test.
    const mayTouch = isNew ? namesTests && !rollup.isOwn : (row.allFlags & TraceFlag.hasTests) !== 0;
    if (mayTouch) this.touched.add(key, at, rollup);
    this.days.add(key, at);
    if (stored.isReplaced) this.rewrites.addStale(key, at, spansBefore);
    else if (stored.overlaps || nextSeq % MANY_BLOCKS === 0) this.rewrites.addWasteful(key, at);
    const isRefreshed = isNew ? adopting.has(tkey) : hasSums(rollup) || rollup.isChoiceOpen;
    if (isRefreshed) this.refreshes.add(key, at, spansBefore);
  }

  private writeTraces(): void {
    const { database } = this;
    const rows = new TraceRows();
    for (const trace of this.changedTraces()) rows.add(trace, trace.traceId, trace.row);
    rows.write(database);
    for (const part of [this.previews, this.attributes, this.links, this.refreshes, this.rewrites])
      part.write(database);
  }

  private *changedTraces(): Generator<StoredTrace> {
    for (const trace of this.traces.values()) if (trace.row.isChanged) yield trace;
  }

  private writeSteps(): void {
    const steps = new StepChanges();
    for (const { args } of this.openSlices()) {
      if (!args.steps) continue;
      const { application } = args;
      steps.add(application, args.steps, (traceId) => {
        const trace = this.traceOf(application, traceId);
        if (!trace) return findTraceKey(this.database, application, traceId);
        return trace.row.exists ? trace.tkey : undefined;
      });
    }
    steps.write(this.database);
  }

  private writeTouches(): void {
    const touches = new TestTouches();
    this.touched.touch(this.database, touches);
    touches.write(this.database);
  }

  /** Writes rows that many traces share. */
  private writeShared(): void {
    const ledger = new LedgerEntries();
    const sessions = new SessionChanges();
    const ranges = new TraceRanges();
    for (const { args, outcome } of this.openSlices())
      ledger.add({ ...args, ...outcome, rejected: rejectedOf(args, outcome) });
    for (const trace of this.changedTraces()) {
      const { application, row } = trace;
      const { stored, sessionId, start } = row;
      if (sessionId !== null) {
        if (stored === undefined || stored.session_id === null) sessions.join(application, sessionId, start);
        else if (start < stored.start_ns) sessions.move(application, sessionId);
      }
      ranges.raise(trace, row.extent);
    }
    for (const part of [ledger, sessions, ranges, this.resources]) part.write(this.database);
  }
}

function openSlice(database: Database, args: StoreSpans): OpenSlice | KeyTaken {
  const { application, at, batch, idempotency } = args;
  if (idempotency && !storeAnswer(database, application, at, idempotency)) return { isKeyTaken: true };
  const { duplicate, replaced } = batch;
  return { args, outcome: { stored: 0, duplicate, replaced, rejected: [] } };
}

const NO_KEY = -1;

const traceName = (application: number, traceId: Uint8Array): string =>
  `${application} ${Buffer.from(traceId.buffer, traceId.byteOffset, traceId.length).toString('latin1')}`;

/** Reads the rows of the traces of slices, and which of the others were deleted. */
function openTraces(database: Database, slices: Iterable<OpenSlice>): Map<string, StoredTrace> {
  const sent = new Map<string, SentTrace>();
  for (const { args } of slices) {
    const { application, batch } = args;
    for (const group of batch.traces) {
      const traceId = bytesIn(batch.byteBuffer, group.traceId);
      sent.set(traceName(application, traceId), { application, traceId });
    }
  }
  const rows = findTraceRows(database, [...sent.values()]);
  const traces = new Map<string, StoredTrace>();
  for (const [index, [name, trace]] of [...sent].entries()) {
    const row = new OpenRow(rows[index]);
    const tkey = Number(rows[index]?.tkey ?? NO_KEY);
    traces.set(name, { ...trace, tkey, row, isDeleted: false, nextSeq: row.nextSeq });
  }
  const missing = [...traces.values()].filter(({ row }) => !row.exists);
  for (const [index, isDeleted] of areDeleted(database, missing).entries())
    if (isDeleted) (missing[index] as StoredTrace).isDeleted = true;
  return traces;
}

function reject(
  { outcome }: OpenSlice,
  group: TraceGroup,
  traceId: Buffer,
  reason: 'deleted' | 'trace_full',
): undefined {
  const spans = group.blocks.reduce((sum, block) => sum + eventsOf(block), 0);
  outcome.rejected.push({ reason, spans, traceId: traceId.toString('hex') });
}

function newTraces(groups: readonly StoredGroup[]): StoredTrace[] {
  return [...new Set(groups.map(({ trace }) => trace))].filter(({ row }) => !row.exists);
}

const flagsOf = ({ isReplaced, overlaps }: StoredGroup, namesTests: boolean, isSample: boolean): number =>
  (isReplaced ? TraceFlag.replaced : 0) |
  (overlaps ? TraceFlag.overlap : 0) |
  (namesTests ? TraceFlag.hasTests : 0) |
  (isSample ? TraceFlag.sample : 0);

const sumsOf = (sums: TraceSums): TraceSums => ({
  spanCount: sums.spanCount,
  errorCount: sums.errorCount,
  inputTokens: sums.inputTokens,
  outputTokens: sums.outputTokens,
  totalTokens: sums.totalTokens,
  cacheReadTokens: sums.cacheReadTokens,
  cacheWriteTokens: sums.cacheWriteTokens,
  reasoningTokens: sums.reasoningTokens,
  cost: sums.cost,
});

function rejectedOf(args: StoreSpans, outcome: StoreOutcome): Record<string, number> {
  const rejected: Record<string, number> = { ...args.rejected };
  for (const { reason, spans } of outcome.rejected) rejected[reason] = (rejected[reason] ?? 0) + spans;
  return rejected;
}

function recordRejectionsOf(database: Database, { args, outcome }: OpenSlice): void {
  recordRejections(database, args, [...args.rejections, ...rejectionsOf(args.native, outcome.rejected)]);
}
