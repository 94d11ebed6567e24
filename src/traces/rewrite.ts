import type { Database } from '../storage/database.ts';
import { bytesAt } from '../storage/dialect.ts';
import { RowSet } from '../storage/row-set.ts';
import type { BlockGroup, SpanBatch } from './batch.ts';
import { scheduledTraces } from './due-traces.ts';
import { type AppliedOwnRules, appliedOwnRules } from './own-rules/store.ts';
import { removeBlock } from './purge.ts';
import { Refreshes, scheduleRefreshForLogs } from './refresh.ts';
import { ResourceReferences } from './resource-references.ts';
import { ResponseIndexes } from './response-index.ts';
import { type Rollup, type TestLink, TraceFlag } from './rollup.ts';
import { skeletonResources } from './skeleton.ts';
import { ADD_ATTRIBUTE, addAttributes, attributesOf, removeAttributes, SAMPLE } from './trace-attributes.ts';
import { storeTests } from './trace-index.ts';
import { BLOCKS_PER_TRACE, type TraceKey } from './trace-keys.ts';
import { replaceTraceRow } from './trace-row.ts';

/**
 * Rewrites a trace: its current spans are mapped again and stored in as few blocks as possible; outdated versions are
 * dropped, and the roll-up is computed from scratch. Each command does a bounded part: pages are loaded, spans are
 * moved to new blocks, blocks without a current span are dropped, and the row is replaced last. After each command
 * the trace reads as before: while spans move, its blocks overlap, and the directory shows which version is current.
 * A rewrite that is interrupted by a crash or by new spans is due again.
 */

/** Limits of stored bytes and spans of a trace that is rewritten, because a rewrite keeps all of it in memory. */
const MAX_REWRITE_BYTES = 32 * 1024 * 1024;
const MAX_REWRITE_SPANS = 131_072;
/** Pause before the next attempt when spans arrived during the rewrite. */
const RETRY_MS = 2_000;
/** Pause before the next attempt after a failure. */
const POSTPONE_MS = 3_600_000;

export const dueRewrites = (database: Database, args: { now: number; limit: number }): number[] =>
  scheduledTraces(database, 'rewrite', args);

/** Postpones a rewrite that failed, so that it does not delay others. */
export function postponeRewrite(database: Database, { tkey, now }: { tkey: number; now: number }): void {
  database.run('UPDATE rewrite SET due_at = ? WHERE tkey = ?', now + POSTPONE_MS, tkey);
}

/** Data that a rewrite starts from. */
export interface RewriteInput {
  application: number;
  /** Version that changes with every batch of spans. */
  version: number;
  /** Time of arrival in Unix milliseconds; replaces missing times, as on arrival. */
  receivedAt: number;
  /** Own rules of the application; null without any. */
  ownRules?: AppliedOwnRules | null;
  blocks: { seq: number; skeleton: Uint8Array; payload: Uint8Array }[];
  /** Ids of 8 bytes per span in one buffer, and the block of each. */
  spanIds: Uint8Array;
  spanBlocks: number[];
  resources: { hash: Uint8Array; bytes: Uint8Array }[];
}

/** A page of the data. All pages belong together as long as the version stays the same. */
export interface RewritePage extends RewriteInput {
  /** Position of the next page; null after the last one. */
  next: RewritePosition | null;
}

export type RewritePosition =
  /** Position in the blocks or spans; `bytes` is the total of the earlier blocks. */
  { part: 'blocks'; seq: number; bytes: number } | { part: 'spans'; after: Uint8Array };

/** Bytes of one page; a single span block may be larger. */
const PAGE_BYTES = 4 * 1024 * 1024;
const PAGE_BLOCKS = 1_000;
const PAGE_SPANS = 16_384;

/**
 * Returns the next page of a trace. Returns null, and ends the work, when the trace no longer exists or is too large.
 */
export function loadForRewrite(
  database: Database,
  { tkey, from = { part: 'blocks', seq: 0, bytes: 0 } }: { tkey: number; from?: RewritePosition },
): RewritePage | null {
  const trace = database.get<{
    application: number;
    version: number;
    receivedAt: number;
    spanCount: number;
  }>(
    `SELECT application, next_seq AS version, received_at AS receivedAt, span_count AS spanCount
     FROM trace WHERE tkey = ?`,
    tkey,
  );
  const page =
    trace && trace.spanCount <= MAX_REWRITE_SPANS
      ? pageOf(database, { application: trace.application, tkey }, from)
      : null;
  if (!trace || !page) {
    database.run('DELETE FROM rewrite WHERE tkey = ?', tkey);
    return null;
  }
  const { application } = trace;
  const ownRules = appliedOwnRules(database, { application });
  return {
    ...trace,
    ownRules,
    ...page,
    resources: resourcesOfBlocks(database, trace.application, page.blocks),
  };
}

type PageParts = Pick<RewritePage, 'blocks' | 'spanIds' | 'spanBlocks' | 'next'>;

/** Returns a page; null when the trace is too large. */
function pageOf(database: Database, key: TraceKey, from: RewritePosition): PageParts | null {
  return from.part === 'blocks' ? blockPage(database, key, from) : spanPage(database, key, from.after);
}

function blockPage(
  database: Database,
  { application, tkey }: TraceKey,
  from: { seq: number; bytes: number },
): PageParts | null {
  const rows = database.all<{ seq: number; bytes: number }>(
    `SELECT seq, length(skeleton) + length(payload) AS bytes FROM chunk
     WHERE application = :application AND tkey = :tkey AND seq >= :seq ORDER BY seq LIMIT :limit`,
    { application, tkey, seq: from.seq, limit: PAGE_BLOCKS },
  );
  const blocks: RewriteInput['blocks'] = [];
  let bytes = 0;
  for (const row of rows) {
    if (bytes >= PAGE_BYTES) break;
    bytes += row.bytes;
    if (from.bytes + bytes > MAX_REWRITE_BYTES) return null;
    blocks.push(
      database.get(
        'SELECT seq, skeleton, payload FROM chunk WHERE application = :application AND tkey = :tkey AND seq = :seq',
        { application, tkey, seq: row.seq },
      ) as (typeof blocks)[number],
    );
  }
  const isLast = blocks.length === rows.length && rows.length < PAGE_BLOCKS;
  const seq = (blocks.at(-1)?.seq ?? -1) + 1;
  const next: RewritePosition = isLast
    ? { part: 'spans', after: Buffer.alloc(0) }
    : { part: 'blocks', seq, bytes: from.bytes + bytes };
  return { blocks, spanIds: Buffer.alloc(0), spanBlocks: [], next };
}

function spanPage(database: Database, { application, tkey }: TraceKey, after: Uint8Array): PageParts {
  const spans = database.all<{ span_id: Buffer; seq: number }>(
    `SELECT span_id, seq FROM span WHERE application = :application AND tkey = :tkey AND span_id > :after
     ORDER BY span_id LIMIT :limit`,
    { application, tkey, after, limit: PAGE_SPANS },
  );
  const last = spans.length === PAGE_SPANS ? spans.at(-1) : undefined;
  return {
    blocks: [],
    spanIds: Buffer.concat(spans.map(({ span_id }) => span_id)),
    spanBlocks: spans.map(({ seq }) => seq),
    next: last ? { part: 'spans', after: last.span_id } : null,
  };
}

/** Returns the resources that span blocks refer to. */
export function resourcesOfBlocks(
  database: Database,
  application: number,
  blocks: RewriteInput['blocks'],
): RewriteInput['resources'] {
  const hashes = new Map(
    blocks
      .flatMap(({ skeleton }) => skeletonResources(Buffer.from(skeleton)))
      .map((hash) => [hash.toString('hex'), hash]),
  );
  return [...hashes.values()].flatMap(
    (hash) =>
      database.get<{ hash: Buffer; bytes: Buffer }>(
        'SELECT hash, bytes FROM resource WHERE application = ? AND hash = ?',
        application,
        hash,
      ) ?? [],
  );
}

interface RewriteStep extends TraceKey {
  /** Version of the trace after the last step. */
  version: number;
  now: number;
}

export interface MoveSpans extends RewriteStep {
  batch: Pick<SpanBatch, 'byteBuffer' | 'resources'>;
  blocks: readonly Pick<BlockGroup, 'count' | 'spanIds' | 'skeleton' | 'payload' | 'resources'>[];
}

/**
 * Stores new blocks and makes their spans current. Returns false when spans have arrived in the meantime; the trace
 * is then due again.
 */
export function moveSpans(database: Database, step: MoveSpans): boolean {
  const { tkey, application, version, batch, blocks } = step;
  const nextSeq = version + blocks.length;
  if (!isUnchanged(database, step) || nextSeq > BLOCKS_PER_TRACE) return postponeShortly(database, step);
  database.run('UPDATE trace SET next_seq = :nextSeq, flags = flags | :overlap WHERE tkey = :tkey', {
    nextSeq,
    overlap: TraceFlag.overlap,
    tkey,
  });
  const bytes = ([start, end]: readonly [number, number]): Buffer =>
    Buffer.from(batch.byteBuffer.buffer, batch.byteBuffer.byteOffset + start, end - start);
  const references = new ResourceReferences();
  const responses = new ResponseIndexes();
  for (const [index, block] of blocks.entries()) {
    const seq = version + index;
    responses.add(database, { application, tkey }, () => bytes(block.skeleton), step.now);
    database.run(
      'INSERT INTO chunk (application, tkey, seq, skeleton, payload) VALUES (:application, :tkey, :seq, :skeleton, :payload)',
      { application, tkey, seq, skeleton: bytes(block.skeleton), payload: bytes(block.payload) },
    );
    database.run(
      `UPDATE span SET seq = :seq WHERE application = :application AND tkey = :tkey AND span_id IN
         (SELECT ${bytesAt(':spanIds', 'i * 8 + 1', 8)} FROM ordinal WHERE i < :count)`,
      { seq, application, tkey, spanIds: bytes(block.spanIds), count: block.count },
    );
    references.add(application, batch, block.resources);
  }
  const refreshes = new Refreshes();
  responses.write(database, refreshes);
  refreshes.write(database);
  references.write(database);
  return true;
}

/**
 * Drops blocks without a current span. Needs no version, because spans only move to new blocks, so such a block never
 * becomes current again. Skips blocks that a deletion has removed in the meantime.
 */
export function dropBlocks(
  database: Database,
  { application, tkey, seqs }: TraceKey & { seqs: readonly number[] },
): void {
  for (const seq of seqs) removeBlock(database, { application, tkey, seq });
}

/**
 * Links a trace to the tests of its current spans; returns false when spans have arrived in the meantime. Existing
 * links stay, because a trace can be looked up by every test it ever carried.
 */
export function linkTests(database: Database, args: RewriteStep & { tests: readonly TestLink[] }): boolean {
  if (!isUnchanged(database, args)) return postponeShortly(database, args);
  storeTests(database, args.application, args.tkey, args.tests);
  return true;
}

export interface FinishRewrite extends RewriteStep {
  /** Roll-up over all current spans of the trace; `linkTests` has stored its tests. */
  rollup: Rollup;
}

/**
 * Replaces the row of a trace whose spans have all been moved. Returns false when spans have arrived in the meantime;
 * the trace is then due again.
 */
export function finishRewrite(database: Database, args: FinishRewrite): boolean {
  const { tkey, application, version, rollup, now } = args;
  if (!isUnchanged(database, args)) return postponeShortly(database, args);
  const stored = database.get<{ attributes: string }>('SELECT attributes FROM trace WHERE tkey = ?', tkey);
  const kept = removeAttributes(database, args, stored?.attributes ?? '[]', [SAMPLE]);
  const added = new RowSet(ADD_ATTRIBUTE);
  const attributes = addAttributes(added, args, kept, attributesOf(rollup));
  added.write(database);
  replaceTraceRow(database, { tkey, application, nextSeq: version, attributes }, rollup);
  database.run('DELETE FROM rewrite WHERE tkey = ?', tkey);
  // A roll-up over spans does not include log records.
  scheduleRefreshForLogs(database, tkey, now);
  return true;
}

function isUnchanged(database: Database, { tkey, version }: RewriteStep): boolean {
  return (
    database.get<{ version: number }>('SELECT next_seq AS version FROM trace WHERE tkey = ?', tkey)
      ?.version === version
  );
}

/** Schedules an interrupted rewrite to begin again soon. */
export function postponeShortly(database: Database, { tkey, now }: Pick<RewriteStep, 'tkey' | 'now'>): false {
  database.run('UPDATE rewrite SET due_at = ? WHERE tkey = ?', now + RETRY_MS, tkey);
  return false;
}
