import type { Database } from '../storage/database.ts';
import { refreshSession } from './session-index.ts';
import { removeAttributes } from './trace-attributes.ts';

/**
 * Makes a trace unreachable and leaves its tombstone; `purgeTrace` then removes, step by step, all that grows with its
 * size: spans, log records, the tests it carries, and what deliveries, evals and annotations repeat or say of it.
 * `traceIds` are the keys it may be stored under; null when there is none of them. A trace that is still being removed is
 * returned again, so that the same request completes what a failure interrupted.
 */
export function deleteTrace(
  database: Database,
  { application, traceIds, at }: { application: number; traceIds: Uint8Array[]; at: number },
): { tkey: number; traceId: Uint8Array } | null {
  for (const traceId of traceIds) {
    const trace = database.get<{ tkey: number; session: string | null; attributes: string }>(
      'SELECT tkey, session_id AS session, attributes FROM trace WHERE application = ? AND trace_id = ?',
      application,
      traceId,
    );
    if (!trace) continue;
    const { tkey } = trace;
    noteDeleted(database);
    removeAttributes(database, { application, tkey }, trace.attributes);
    database.run(
      `INSERT INTO tombstone (application, trace_id, deleted_at) VALUES (:application, :traceId, :at)
       ON CONFLICT (application, trace_id) DO UPDATE SET deleted_at = excluded.deleted_at`,
      { application, traceId, at },
    );
    database.run('INSERT INTO purge (tkey, application, trace_id) VALUES (:tkey, :application, :traceId)', {
      tkey,
      application,
      traceId,
    });
    for (const table of ['trace', 'trace_preview', 'rewrite', 'refresh']) {
      database.run(`DELETE FROM ${table} WHERE tkey = ?`, tkey);
    }
    if (trace.session !== null) refreshSession(database, application, trace.session);
    return { tkey, traceId };
  }
  return traceIds.map((traceId) => findPurge(database, application, traceId)).find(Boolean) ?? null;
}

function findPurge(
  database: Database,
  application: number,
  traceId: Uint8Array,
): { tkey: number; traceId: Uint8Array } | undefined {
  return database.get<{ tkey: number; traceId: Buffer }>(
    'SELECT tkey, trace_id AS traceId FROM purge WHERE application = ? AND trace_id = ?',
    application,
    traceId,
  );
}

/** Stores with tombstones. In most no trace was ever deleted, and batches are spared the search for each trace. */
const withTombstones = new WeakMap<Database, boolean>();

function noteDeleted(database: Database): void {
  withTombstones.set(database, true);
}

function mayBeDeleted(database: Database): boolean {
  let known = withTombstones.get(database);
  if (known === undefined) {
    known = database.get('SELECT 1 FROM tombstone LIMIT 1') !== undefined;
    withTombstones.set(database, known);
  }
  return known;
}

/** Reports whether the trace was deleted: spans that arrive for it later are rejected. */
export function isDeleted(database: Database, application: number, traceId: Uint8Array): boolean {
  return (
    mayBeDeleted(database) &&
    database.get('SELECT 1 FROM tombstone WHERE application = ? AND trace_id = ?', application, traceId) !==
      undefined
  );
}
