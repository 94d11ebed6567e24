import type { Database } from '../storage/sqlite/database.ts';
import type { Window } from './arena.ts';
import type { SpanBatch, TraceGroup } from './batch.ts';
import { removeChunk } from './delete.ts';
import { scheduleRefreshForLogs } from './refresh.ts';
import { skeletonResources } from './skeleton.ts';
import { CHUNKS_PER_TRACE } from './chunk-keys.ts';
import { storeResources } from './store.ts';
import { SAMPLE, storeAttributes, storeTests } from './trace-index.ts';
import { replaceTraceRow } from './trace-row.ts';

/**
 * Rewriting a trace: its current spans are taken out of their chunks, mapped anew, and stored in as few chunks as they
 * need; versions that no longer count are dropped, and the roll-up is made from scratch.
 */

/** Stored bytes, and spans, of a trace beyond which it stays as it is: a rewrite holds it in memory whole. */
const MAX_REWRITE_BYTES = 32 * 1024 * 1024;
const MAX_REWRITE_SPANS = 131_072;
/** Again later, when spans came while the rewrite was under way. */
const RETRY_MS = 2_000;
/** Again later, when something went wrong. */
const POSTPONE_MS = 3_600_000;

/** The traces whose rewrite is due. */
export function dueRewrites(database: Database, { now, limit }: { now: number; limit: number }): number[] {
  return database
    .all<{ tkey: number }>('SELECT tkey FROM rewrite WHERE due_at <= ? ORDER BY due_at LIMIT ?', now, limit)
    .map(({ tkey }) => tkey);
}

/** Puts off a rewrite that failed, so that it does not keep others waiting. */
export function postponeRewrite(database: Database, { tkey, now }: { tkey: number; now: number }): void {
  database.run('UPDATE rewrite SET due_at = ? WHERE tkey = ?', now + POSTPONE_MS, tkey);
}

export interface RewriteInput {
  application: number;
  /** Changes with every batch of spans. */
  version: number;
  /** Unix milliseconds; stands in for missing times, as it did at first. */
  receivedAt: number;
  chunks: { ck: number; skeleton: Uint8Array; payload: Uint8Array }[];
  /** 8 bytes a span, in one piece, and the chunk that holds each. */
  spanIds: Uint8Array;
  spanChunks: number[];
  resources: { hash: Uint8Array; bytes: Uint8Array }[];
}

/** What a rewrite starts from; null, and no longer due, when the trace is gone or too large. */
export function loadForRewrite(database: Database, { tkey }: { tkey: number }): RewriteInput | null {
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
  const bounds = [tkey * CHUNKS_PER_TRACE, (tkey + 1) * CHUNKS_PER_TRACE] as const;
  const size =
    database.get<{ bytes: number }>(
      'SELECT ifnull(sum(length(skeleton) + length(payload)), 0) AS bytes FROM chunk WHERE ck >= ? AND ck < ?',
      ...bounds,
    )?.bytes ?? 0;
  const isTooLarge = size > MAX_REWRITE_BYTES || (trace?.spanCount ?? 0) > MAX_REWRITE_SPANS;
  if (!trace || size === 0 || isTooLarge) {
    database.run('DELETE FROM rewrite WHERE tkey = ?', tkey);
    return null;
  }
  const chunks = database.all<{ ck: number; skeleton: Buffer; payload: Buffer }>(
    'SELECT ck, skeleton, payload FROM chunk WHERE ck >= ? AND ck < ? ORDER BY ck',
    ...bounds,
  );
  const spans = database.all<{ span_id: Buffer; chunk: number }>(
    'SELECT span_id, chunk FROM span WHERE tkey = ?',
    tkey,
  );
  const hashes = new Map(
    chunks.flatMap(({ skeleton }) => skeletonResources(skeleton)).map((h) => [h.toString('hex'), h]),
  );
  const resources = [...hashes.values()].flatMap(
    (hash) =>
      database.get<{ hash: Buffer; bytes: Buffer }>(
        'SELECT hash, bytes FROM resource WHERE application = ? AND hash = ?',
        trace.application,
        hash,
      ) ?? [],
  );
  return {
    ...trace,
    chunks,
    spanIds: Buffer.concat(spans.map(({ span_id }) => span_id)),
    spanChunks: spans.map(({ chunk }) => chunk),
    resources,
  };
}

export interface FinishRewrite {
  tkey: number;
  application: number;
  version: number;
  /** All current spans of the trace, as one group. */
  batch: SpanBatch;
  now: number;
}

/** Puts the rewritten spans in the place of the old chunks. False when spans came meanwhile: it is due again then. */
export function finishRewrite(database: Database, args: FinishRewrite): boolean {
  const { tkey, application, batch } = args;
  const group = batch.traces[0] as TraceGroup;
  const trace = database.get<{ version: number }>(
    'SELECT next_seq AS version FROM trace WHERE tkey = ?',
    tkey,
  );
  if (trace?.version !== args.version || args.version + group.chunks.length > CHUNKS_PER_TRACE) {
    database.run('UPDATE rewrite SET due_at = ? WHERE tkey = ?', args.now + RETRY_MS, tkey);
    return false;
  }
  const bytes = ([start, end]: Window): Buffer =>
    Buffer.from(batch.arena.buffer, batch.arena.byteOffset + start, end - start);
  const old = database.all<{ ck: number; skeleton: Buffer }>(
    'SELECT ck, skeleton FROM chunk WHERE ck >= ? AND ck < ?',
    tkey * CHUNKS_PER_TRACE,
    (tkey + 1) * CHUNKS_PER_TRACE,
  );
  const refs = new Array<number>(batch.resources.length).fill(0);
  for (const [index, chunk] of group.chunks.entries()) {
    const ck = tkey * CHUNKS_PER_TRACE + args.version + index;
    database.run(
      'INSERT INTO chunk (ck, skeleton, payload) VALUES (?, ?, ?)',
      ck,
      bytes(chunk.skeleton),
      bytes(chunk.payload),
    );
    database.run(
      `UPDATE span SET chunk = ?1 WHERE tkey = ?2 AND span_id IN
         (SELECT substr(?3, i * 8 + 1, 8) FROM ordinal WHERE i < ?4)`,
      ck,
      tkey,
      bytes(chunk.spanIds),
      chunk.count,
    );
    for (const resource of chunk.resources) refs[resource] = (refs[resource] as number) + 1;
  }
  storeResources(database, application, batch, refs);
  for (const { ck, skeleton } of old) removeChunk(database, application, ck, skeleton);

  const { rollup } = group;
  replaceTraceRow(database, tkey, args.version + group.chunks.length, rollup);
  // Test ids stay: a trace answers to every one it ever carried.
  storeTests(database, application, tkey, rollup);
  database.run('DELETE FROM trace_attr WHERE tkey = ? AND key <> ?', tkey, SAMPLE);
  storeAttributes(database, application, tkey, rollup);
  database.run('DELETE FROM rewrite WHERE tkey = ?', tkey);
  // Log records are no part of a roll-up over spans.
  scheduleRefreshForLogs(database, tkey, args.now);
  return true;
}
