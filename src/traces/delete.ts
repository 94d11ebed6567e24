import type { Database, RowStatement } from '../storage/database.ts';
import type { TraceKey } from './trace-keys.ts';
import { refreshSession } from './session-index.ts';
import { removeEmptyRange } from './trace-ranges.ts';
import { ambiguousId, otelTraceUuid, parseId } from './ids.ts';
import { findTraceByKey, loadSkeleton } from './load.ts';
import { VIA_DELIVERY, VIA_LONE_DELIVERY } from './rollup.ts';
import { SpanFlag } from './span.ts';
import { removeAttributes } from './trace-attributes.ts';

/** Hooks of features that remember deleted traces. */
export interface DeleteHooks {
  beforeTraceDeleted: readonly ((
    database: Database,
    trace: {
      application: number;
      traceId: Uint8Array;
      userId: string | null;
      sessionId: string | null;
      /** Time of the deletion, in Unix milliseconds. */
      at: number;
    },
  ) => void)[];
}

/**
 * Makes a trace unreachable and stores a tombstone. `purgeTrace` then removes, step by step, everything that grows
 * with its size: spans, log records, test links, and the copies of its texts in deliveries, evals and annotations.
 * `traceIds` are the keys it may be stored under; returns null when none is stored, and throws `conflict` when several traces are. A
 * trace whose removal is unfinished is returned again, so that a repeated request completes it. Later spans are rejected until `rejectUntil` in
 * Unix milliseconds; null = always.
 */
export function deleteTrace(
  database: Database,
  {
    application,
    traceIds,
    at,
    rejectUntil = null,
  }: { application: number; traceIds: Uint8Array[]; at: number; rejectUntil?: number | null },
  hooks: DeleteHooks = { beforeTraceDeleted: [] },
): { tkey: number; traceId: Uint8Array } | null {
  rejectAmbiguous(database, application, traceIds);
  for (const traceId of traceIds) {
    const trace = database.get<{
      tkey: number;
      session: string | null;
      userId: string | null;
      attributes: string;
    }>(
      'SELECT tkey, session_id AS session, user_id AS "userId", attributes FROM trace WHERE application = ? AND trace_id = ?',
      application,
      traceId,
    );
    if (!trace) continue;
    const { tkey } = trace;
    for (const before of hooks.beforeTraceDeleted)
      before(database, { application, traceId, userId: trace.userId, sessionId: trace.session, at });
    noteLoneDelivery(database, { application, tkey });
    removeAttributes(database, { application, tkey }, trace.attributes);
    database.run(
      `INSERT INTO tombstone (application, trace_id, deleted_at, expires_at)
       VALUES (:application, :traceId, :at, :rejectUntil)
       ON CONFLICT (application, trace_id) DO UPDATE
         SET deleted_at = excluded.deleted_at, expires_at = excluded.expires_at`,
      { application, traceId, at, rejectUntil },
    );
    database.run(
      `INSERT INTO purge (tkey, application, trace_id, session_id)
       VALUES (:tkey, :application, :traceId, :session)`,
      { tkey, application, traceId, session: trace.session },
    );
    for (const table of ['trace', 'trace_preview', 'rewrite', 'refresh']) {
      database.run(`DELETE FROM ${table} WHERE tkey = ?`, tkey);
    }
    removeEmptyRange(database, { application, tkey });
    if (trace.session !== null) refreshSession(database, application, trace.session);
    return { tkey, traceId };
  }
  return traceIds.map((traceId) => findPurge(database, application, traceId)).find(Boolean) ?? null;
}

/** Most spans of a trace that may be deliveries alone: one for each attempt. */
const MAX_DELIVERIES = 100;

/** Changes the links of a trace without a span of the app: what the tests did is not in it. */
function noteLoneDelivery(database: Database, { application, tkey }: TraceKey): void {
  const found = database.get(
    `SELECT 1 FROM trace WHERE tkey = :tkey AND span_count <= :most AND EXISTS (
       SELECT 1 FROM trace_test WHERE trace_test.tkey = trace.tkey AND via = ${VIA_DELIVERY})`,
    { tkey, most: MAX_DELIVERIES },
  );
  const trace = found === undefined ? undefined : findTraceByKey(database, tkey)?.trace;
  if (!trace || !loadSkeleton(database, trace).every(({ flags }) => (flags & SpanFlag.delivery) !== 0))
    return;
  database.run(
    `UPDATE trace_test SET via = ${VIA_LONE_DELIVERY} WHERE application = :application AND tkey = :tkey AND via = ${VIA_DELIVERY}`,
    { application, tkey },
  );
}

/** Throws `conflict` when one uuid stands for several traces: no other than the intended one may be deleted. */
function rejectAmbiguous(database: Database, application: number, traceIds: readonly Uint8Array[]): void {
  if (traceIds.length === 1) return;
  const stored = database.all<{ traceId: Buffer }>(
    `SELECT trace_id AS "traceId" FROM trace
     WHERE application = ? AND trace_id IN (${traceIds.map(() => '?').join(', ')})`,
    application,
    ...traceIds,
  );
  if (stored.length > 1) throw ambiguousId(stored.map(({ traceId }) => traceId));
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

interface DeletedTrace {
  application: number;
  traceId: Uint8Array;
  at: number;
}

/** Rejects all spans of a trace that is not stored, although it may never have been. */
export const rejectLaterSpans = (database: Database, trace: DeletedTrace): void =>
  addTombstone(database, { ...trace, isErased: false });

/** Marks a trace that is no longer stored as erased. */
export function markErased(database: Database, { application, traceId, at }: DeletedTrace): void {
  for (const id of [traceId, parseId(otelTraceUuid(traceId))])
    addTombstone(database, { application, traceId: id, at, isErased: true });
}

function addTombstone(
  database: Database,
  { isErased, ...trace }: DeletedTrace & { isErased: boolean },
): void {
  database.run(
    `INSERT INTO tombstone (application, trace_id, deleted_at, expires_at, erased)
     SELECT :application, :traceId, :at, NULL, :erased
     WHERE NOT EXISTS (SELECT 1 FROM trace WHERE application = :application AND trace_id = :traceId)
     ON CONFLICT (application, trace_id) DO UPDATE
       SET expires_at = NULL, erased = CASE WHEN :erased = 1 THEN 1 ELSE tombstone.erased END`,
    { ...trace, erased: Number(isErased) },
  );
}

/** Reports whether an erasure deleted a trace, so that no copy may bring its texts back. */
export const isErasedTrace = (database: Database, application: number, traceId: Uint8Array): boolean =>
  database.get(
    'SELECT 1 FROM tombstone WHERE application = :application AND trace_id = :traceId AND erased = 1',
    { application, traceId },
  ) !== undefined;

const FIND_TOMBSTONE: RowStatement = {
  sql: 'SELECT 1 AS found FROM tombstone WHERE application = ? AND trace_id = ?',
  columns: ['integer', 'blob'],
};

/** Reports which of some traces were deleted; spans of these that arrive later are rejected. */
export const areDeleted = (
  database: Database,
  traces: readonly { application: number; traceId: Uint8Array }[],
): boolean[] =>
  database
    .allMany(
      FIND_TOMBSTONE,
      traces.map(({ application, traceId }) => [application, traceId]),
    )
    .map((found) => found.length > 0);

/** Reports whether the trace was deleted, in which case spans that arrive later are rejected. */
export const isDeleted = (database: Database, application: number, traceId: Uint8Array): boolean =>
  areDeleted(database, [{ application, traceId }])[0] === true;
