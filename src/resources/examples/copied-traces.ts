import type { Database } from '../../storage/database.ts';
import { valuesOf } from '../../storage/dialect.ts';
import { hashOfId } from '../../traces/subject-ids.ts';
import { copiesOfTrace } from './erase-copies.ts';

interface DeletedTrace {
  application: number;
  traceId: Uint8Array;
  userId: string | null;
  sessionId: string | null;
}

/** Notes whose texts the copies of a trace have, before the trace is deleted. */
export function noteCopiedTrace(
  database: Database,
  { application, traceId, userId, sessionId }: DeletedTrace,
): void {
  if (userId === null && sessionId === null) return;
  if (copiesOfTrace(database, { application, traceId }).shownTaskIds.length === 0) return;
  database.run(
    `INSERT INTO copied_trace (application, trace_id, user_hash, session_hash)
     VALUES (:application, :traceId, :userHash, :sessionHash)
     ON CONFLICT (application, trace_id) DO UPDATE
       SET user_hash = excluded.user_hash, session_hash = excluded.session_hash`,
    { application, traceId, userHash: hashOf(userId), sessionHash: hashOf(sessionId) },
  );
}

interface OfSubject {
  application: number;
  subjectType: 'user' | 'session';
  /** Ids of the subject, raw and masked. */
  values: readonly string[];
  limit: number;
}

/** Returns the ids of some deleted traces of a user or a session of which copies may be left. */
export const copiedTracesOf = (
  database: Database,
  { application, subjectType, values, limit }: OfSubject,
): Buffer[] =>
  database
    .all<{ traceId: Buffer }>(
      `SELECT trace_id AS "traceId" FROM copied_trace
       WHERE application = :application AND ${subjectType}_hash IN ${valuesOf(':hashes')} LIMIT :limit`,
      { application, hashes: JSON.stringify(values.map(hashOf)), limit },
    )
    .map(({ traceId }) => traceId);

/** Forgets a deleted trace of which no copy is left. */
export function forgetCopiedTrace(
  database: Database,
  of: { application: number; traceId: Uint8Array },
): void {
  database.run('DELETE FROM copied_trace WHERE application = :application AND trace_id = :traceId', {
    ...of,
  });
}

const hashOf = (id: string | null): string | null => (id === null ? null : hashOfId(id));
