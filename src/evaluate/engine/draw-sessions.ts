import type { Database } from '../../storage/database.ts';
import { isLiveTrace } from './monitor-store.ts';
import { isSampled, type SessionSampling, sessionSampling } from './session-store.ts';

/** Most sampled sessions of one application that may wait until they are idle; further ones are dropped. */
const MAX_WAITING = 50_000;

/** A session to judge when it is idle, or a trace in flight whose session is unknown. */
export interface DrawnSession {
  application: number;
  sessionId: string | null;
  /** Null if the session is known. */
  traceId: Uint8Array | null;
  /** Time when to check whether the session is idle, in Unix milliseconds. */
  dueAt: number;
}

export interface DrawnSessions {
  /** True if any definition judges live sessions. */
  isOn: boolean;
  /** Key of the last trace examined; null when none is stored. */
  last: number | null;
  /** True if there may be more traces to examine. */
  hasMore: boolean;
  /** Time when the next trace is old enough to be examined, in Unix milliseconds; null when none is stored. */
  nextAt: number | null;
  /** Shortest idle timeout of all definitions, in milliseconds. */
  idleMs: number;
  drawn: DrawnSession[];
}

interface Examined {
  tkey: number;
  application: number;
  traceId: Buffer;
  sessionId: string | null;
  receivedAt: number;
  updatedAt: number;
  isLive: number;
}

/**
 * Samples the sessions of the traces that arrived after the one with the key `after`. A trace is examined once it is as
 * old as the shortest idle timeout: earlier, its session is not idle, and may be unknown because its root span has not
 * arrived. Without `after`, it continues after the last recorded trace. If none is recorded, monitoring has just begun and
 * earlier traces are ignored.
 */
export function drawLiveSessions(
  database: Database,
  { after, now, limit }: { after: number | null; now: number; limit: number },
): DrawnSessions {
  const sampling = sessionSampling(database);
  const noted = database.get<{ last: number }>('SELECT last_tkey AS last FROM session_monitoring')?.last;
  const idleMs = Math.min(...[...sampling.values()].map((one) => one.idleMs));
  const nothing = { isOn: sampling.size > 0, hasMore: false, nextAt: null, idleMs, drawn: [] };
  if (sampling.size === 0) return { ...nothing, last: noted ?? null };
  const from = after ?? noted;
  if (from === undefined) {
    const row = database.get<{ last: number | null }>('SELECT max(tkey) AS last FROM trace');
    return { ...nothing, last: row?.last ?? 0 };
  }
  const rows = database.all<Examined>(
    `SELECT tkey, application, trace_id AS "traceId", session_id AS "sessionId", received_at AS "receivedAt",
       updated_at AS "updatedAt", ${isLiveTrace} AS "isLive"
     FROM trace WHERE tkey > :from ORDER BY tkey LIMIT :limit`,
    { from, limit },
  );
  // A trace from the future is as good as an old one: the clock was set back.
  const tooYoung = rows.findIndex(({ receivedAt }) => receivedAt <= now && receivedAt + idleMs > now);
  const examined = tooYoung < 0 ? rows : rows.slice(0, tooYoung);
  const next = rows[examined.length];
  return {
    ...nothing,
    last: examined.at(-1)?.tkey ?? from,
    hasMore: examined.length === limit,
    nextAt: next ? next.receivedAt + idleMs : null,
    drawn: drawnOf(examined, { sampling, now }),
  };
}

function drawnOf(
  traces: readonly Examined[],
  { sampling, now }: { sampling: ReadonlyMap<number, SessionSampling>; now: number },
): DrawnSession[] {
  const drawn = new Map<string, DrawnSession>();
  for (const { tkey, application, traceId, sessionId, updatedAt, isLive } of traces) {
    const ofApplication = sampling.get(application);
    if (!ofApplication || isLive === 0) continue;
    const dueAt = updatedAt + ofApplication.idleMs;
    if (sessionId === null) {
      if (dueAt > now) drawn.set(String(tkey), { application, sessionId, traceId, dueAt });
    } else if (isSampled(sessionId, ofApplication))
      drawn.set(`${application}:${sessionId}`, { application, sessionId, traceId: null, dueAt });
  }
  return [...drawn.values()];
}

/**
 * Records the sample up to the trace `last`, and returns how many sessions now wait, and how many were dropped because
 * too many wait. A null `last` means that no definition judges live sessions.
 */
export function noteLiveSessions(
  database: Database,
  { drawn, last }: { drawn: readonly DrawnSession[]; last: number | null },
): { added: number; dropped: number } {
  database.run('DELETE FROM session_monitoring');
  if (last !== null) database.run('INSERT INTO session_monitoring (last_tkey) VALUES (:last)', { last });
  const room = new Map<number, number>();
  let [added, dropped] = [0, 0];
  for (const one of drawn) {
    const left = room.get(one.application) ?? MAX_WAITING - countWaiting(database, one.application);
    const isAdded = left > 0 && addSession(database, one);
    room.set(one.application, isAdded ? left - 1 : left);
    if (isAdded) added += 1;
    else if (left <= 0 && !isWaiting(database, one)) dropped += 1;
  }
  return { added, dropped };
}

/** Adds a session to those that wait, if it is not one of them; returns whether it was added. */
export const addSession = (
  database: Database,
  { application, sessionId, traceId, dueAt }: DrawnSession,
): boolean =>
  database.run(
    `INSERT INTO monitored_session (application, session_id, trace_id, due_at)
     VALUES (:application, :sessionId, :traceId, :dueAt) ON CONFLICT DO NOTHING`,
    { application, sessionId, traceId: traceId && Buffer.from(traceId), dueAt },
  ) > 0;

const isWaiting = (database: Database, { application, sessionId, traceId }: DrawnSession): boolean =>
  database.get(
    `SELECT 1 FROM monitored_session
     WHERE application = :application AND (session_id = :sessionId OR trace_id = :traceId)`,
    { application, sessionId, traceId: traceId && Buffer.from(traceId) },
  ) !== undefined;

const countWaiting = (database: Database, application: number): number =>
  (
    database.get<{ n: number }>(
      'SELECT count(*) AS n FROM monitored_session WHERE application = :application',
      { application },
    ) as { n: number }
  ).n;
