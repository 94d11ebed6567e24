import type { Database } from '../storage/sqlite/database.ts';
import { traceTests } from './load.ts';
import { skeletonResources } from './skeleton.ts';
import { deleteLogs } from './span-logs.ts';
import { CHUNKS_PER_TRACE } from './chunk-keys.ts';

/** Rows removed by one command, so that no commit takes long. */
const PURGE_CHUNKS = 500;
const PURGE_SPANS = 20_000;

/**
 * Makes a trace unreachable and leaves its tombstone; `purgeTrace` then removes its bytes.
 * `traceIds` are the keys it may be stored under; null when there is none of them.
 */
export function deleteTrace(
  database: Database,
  { application, traceIds, at }: { application: number; traceIds: Uint8Array[]; at: number },
): { tkey: number; traceId: Uint8Array } | null {
  for (const traceId of traceIds) {
    const trace = database.get<{ tkey: number }>(
      'SELECT tkey FROM trace WHERE application = ? AND trace_id = ?',
      application,
      traceId,
    );
    if (!trace) continue;
    const { tkey } = trace;
    database.run('INSERT OR REPLACE INTO tombstone VALUES (?, ?, ?)', application, traceId, at);
    database.run('INSERT INTO purge (tkey, application) VALUES (?, ?)', tkey, application);
    const testIds = traceTests(database, tkey);
    forgetDeliveries(database, application, testIds);
    forgetVerdicts(database, { application, traceId, testIds, at });
    for (const table of [
      'trace',
      'trace_preview',
      'trace_test',
      'trace_attr',
      'open_step',
      'closed_step',
      'rewrite',
      'refresh',
    ]) {
      database.run(`DELETE FROM ${table} WHERE tkey = ?`, tkey);
    }
    deleteLogs(database, application, traceId);
    return { tkey, traceId };
  }
  return null;
}

/** What was sent and answered for the tests of a trace repeats its texts; that there were deliveries stays. */
function forgetDeliveries(database: Database, application: number, testIds: readonly string[]): void {
  for (const testId of testIds) {
    database.run(
      `UPDATE delivery SET request_body = x'', response_body = NULL WHERE application = ? AND test_id = ?`,
      application,
      testId,
    );
  }
}

/** Judges quote what they judge; how they judged, and what it cost, stays. What is not judged yet can't be any more. */
function forgetVerdicts(
  database: Database,
  {
    application,
    traceId,
    testIds,
    at,
  }: { application: number; traceId: Uint8Array; testIds: readonly string[]; at: number },
): void {
  const ofTrace = `IN (
    SELECT id FROM eval WHERE application = ?1 AND trace_id = ?2
    UNION ALL SELECT id FROM eval WHERE application = ?1 AND test_id IN (SELECT value FROM json_each(?3)))`;
  const values = [application, traceId, JSON.stringify(testIds)];
  database.run(
    `UPDATE judge_call SET request = NULL, raw = NULL WHERE application = ?1 AND eval_id ${ofTrace}`,
    ...values,
  );
  database.run(
    `UPDATE eval SET results = NULL, judge = NULL, modified_at = ?4,
       reason = iif(status IN ('PENDING', 'IN_PROGRESS'), 'The trace was deleted.', NULL),
       status = iif(status IN ('PENDING', 'IN_PROGRESS'), 'SKIPPED', status)
     WHERE application = ?1 AND id ${ofTrace}`,
    ...values,
    at,
  );
}

/** Whether the trace was deleted: what comes for it later is refused. */
export function isDeleted(database: Database, application: number, traceId: Uint8Array): boolean {
  return (
    database.get('SELECT 1 FROM tombstone WHERE application = ? AND trace_id = ?', application, traceId) !==
    undefined
  );
}

/** Removes some of the bytes of a deleted trace; false when nothing is left to remove. */
export function purgeTrace(database: Database, { tkey }: { tkey: number }): boolean {
  const purge = database.get<{ application: number }>('SELECT application FROM purge WHERE tkey = ?', tkey);
  if (!purge) return false;
  const first = tkey * CHUNKS_PER_TRACE;
  const chunks = database.all<{ ck: number; skeleton: Buffer }>(
    'SELECT ck, skeleton FROM chunk WHERE ck >= ? AND ck < ? ORDER BY ck LIMIT ?',
    first,
    first + CHUNKS_PER_TRACE,
    PURGE_CHUNKS,
  );
  for (const { ck, skeleton } of chunks) removeChunk(database, purge.application, ck, skeleton);
  const spans = database.run(
    'DELETE FROM span WHERE tkey = ?1 AND span_id IN (SELECT span_id FROM span WHERE tkey = ?1 LIMIT ?2)',
    tkey,
    PURGE_SPANS,
  );
  if (chunks.length === PURGE_CHUNKS || spans === PURGE_SPANS) return true;
  database.run('DELETE FROM purge WHERE tkey = ?', tkey);
  return false;
}

/** Traces whose removal a stop interrupted. */
export function pendingPurges(database: Database, _args: null): number[] {
  return database.all<{ tkey: number }>('SELECT tkey FROM purge').map(({ tkey }) => tkey);
}

/** Deletes a chunk, and the resources nobody names any more. */
export function removeChunk(database: Database, application: number, ck: number, skeleton: Buffer): void {
  database.run('DELETE FROM chunk WHERE ck = ?', ck);
  for (const hash of skeletonResources(skeleton)) {
    database.run('UPDATE resource SET refs = refs - 1 WHERE application = ? AND hash = ?', application, hash);
    database.run('DELETE FROM resource WHERE application = ? AND hash = ? AND refs <= 0', application, hash);
  }
}
