import type { Database } from '../../storage/database.ts';
import { addSession, type DrawnSession } from './draw-sessions.ts';
import { isLiveTrace } from './monitor-store.ts';
import { firstEval, planEvals, type WantedEval } from './plan.ts';
import { currentEvals } from './rows.ts';
import {
  isSampled,
  sessionMonitors,
  type SessionMonitor,
  type SessionState,
  sessionState,
} from './session-store.ts';
import { wantedEvals } from './work.ts';

/** Most sessions of one query whose turns are read. */
const MAX_READ = 10;
/** Evals after which a command plans no further session. A session has at most one per definition. */
const STEP_EVALS = 500;

/** A session that is idle long enough for some definitions. */
export interface IdleSession extends SessionState {
  sessionId: string;
  /** Evals by these definitions, with the hashes of their input where the last trace was judged before. */
  evals: WantedEval[];
}

/** Outcome of the check of a waiting session that is due. */
export interface DueSession {
  id: number;
  application: number;
  /** Time of the next check, in Unix milliseconds; null when the session no longer waits. */
  dueAt: number | null;
  /** Session that the trace turned out to belong to; null unless it was unknown. */
  found: DrawnSession | null;
  /** Null when there is nothing to judge. */
  idle: IdleSession | null;
}

interface WaitingRow {
  id: number;
  application: number;
  sessionId: string | null;
  traceId: Buffer | null;
}

const DROPPED = { dueAt: null, found: null, idle: null };

/** Time when the next waiting session is due, in Unix milliseconds; null when none waits. */
export function nextSessionAt(database: Database, _args: null): number | null {
  const sql = 'SELECT min(due_at) AS "nextAt" FROM monitored_session';
  return database.get<{ nextAt: number | null }>(sql)?.nextAt ?? null;
}

export interface DueSessionsArgs {
  now: number;
  limit: number;
  /** False to leave out evals of definitions that judged the last trace before, instead of reading all turns for their hashes. */
  hashes: boolean;
}

/** Returns what becomes of the sessions that are due, a limited number at a time; empty when none is due. */
export function dueSessions(database: Database, { now, limit, hashes }: DueSessionsArgs): DueSession[] {
  const rows = database.all<WaitingRow>(
    `SELECT id, application, session_id AS "sessionId", trace_id AS "traceId" FROM monitored_session
     WHERE due_at <= :now ORDER BY due_at LIMIT :limit`,
    { now, limit },
  );
  const monitors = new Map<number, SessionMonitor[]>();
  const due: DueSession[] = [];
  let hashed = 0;
  for (const { id, application, sessionId, traceId } of rows) {
    const known = monitors.get(application) ?? sessionMonitors(database, application);
    monitors.set(application, known);
    const outcome =
      sessionId === null
        ? ofTrace(database, { application, traceId: traceId as Buffer, monitors: known, now })
        : ofSession(database, { application, sessionId, monitors: known, now });
    const idle = outcome.idle && withoutRepeats(database, application, { idle: outcome.idle, hashes });
    due.push({ id, application, ...outcome, idle });
    if (idle !== outcome.idle && ++hashed === MAX_READ) break;
  }
  return due;
}

/** Sets the hashes of evals whose session was judged at the same trace before, so that the same state is not judged twice. */
function withoutRepeats(
  database: Database,
  application: number,
  { idle, hashes }: { idle: IdleSession; hashes: boolean },
): IdleSession {
  const target = { traceId: idle.traceId };
  const current = new Set(currentEvals(database, application, target).map((row) => row.definitionId));
  if (!idle.evals.some(({ definitionId }) => current.has(definitionId))) return idle;
  if (!hashes) return { ...idle, evals: idle.evals.filter(({ definitionId }) => !current.has(definitionId)) };
  const ids = new Set(idle.evals.map(({ definitionId }) => definitionId));
  const wanted = wantedEvals(database, { application, target, hashes: true, onlyOfTurns: true });
  return { ...idle, evals: wanted.filter(({ definitionId }) => ids.has(definitionId)) };
}

interface Of {
  application: number;
  monitors: readonly SessionMonitor[];
  now: number;
}

function ofSession(
  database: Database,
  { application, sessionId, monitors, now }: Of & { sessionId: string },
): Omit<DueSession, 'id' | 'application'> {
  const state = sessionState(database, { application, sessionId });
  const sampled = monitors.filter((monitor) => isSampled(sessionId, monitor));
  if (!state?.isLive || sampled.length === 0) return DROPPED;
  const dueAt = (monitor: SessionMonitor): number => state.updatedAt + monitor.idleMs;
  const evals = sampled.filter((monitor) => dueAt(monitor) <= now).map(firstEval);
  const later = sampled.map(dueAt).filter((at) => at > now);
  return {
    dueAt: later.length > 0 ? Math.min(...later) : null,
    found: null,
    idle: evals.length > 0 ? { ...state, sessionId, evals } : null,
  };
}

/** Returns what becomes of a trace that waits because its session was unknown. */
function ofTrace(
  database: Database,
  { application, traceId, monitors, now }: Of & { traceId: Buffer },
): Omit<DueSession, 'id' | 'application'> {
  const trace = database.get<{ sessionId: string | null; updatedAt: number }>(
    `SELECT session_id AS "sessionId", updated_at AS "updatedAt" FROM trace
     WHERE application = :application AND trace_id = :traceId AND ${isLiveTrace}`,
    { application, traceId },
  );
  if (!trace || monitors.length === 0) return DROPPED;
  const { sessionId, updatedAt } = trace;
  const dueAt = updatedAt + Math.min(...monitors.map(({ idleMs }) => idleMs));
  if (sessionId !== null) {
    const isDrawn = monitors.some((monitor) => isSampled(sessionId, monitor));
    return { ...DROPPED, found: isDrawn ? { application, sessionId, traceId: null, dueAt } : null };
  }
  return { ...DROPPED, dueAt: dueAt > now ? dueAt : null };
}

/**
 * Plans the evals of idle sessions, and removes sessions from those that wait. A session that has changed since it was
 * read stays due. Returns the number of sessions with planned evals.
 */
export function planSessions(
  database: Database,
  { due, now }: { due: readonly DueSession[]; now: number },
): number {
  let [planned, room] = [0, STEP_EVALS];
  for (const { id, application, dueAt, found, idle } of due) {
    if (room <= 0) break;
    if (idle && !isUnchanged(database, application, idle)) continue;
    if (found) addSession(database, found);
    if (dueAt === null)
      database.run('DELETE FROM monitored_session WHERE application = :application AND id = :id', {
        application,
        id,
      });
    else
      database.run(
        'UPDATE monitored_session SET due_at = :dueAt WHERE application = :application AND id = :id',
        { dueAt, application, id },
      );
    if (!idle) continue;
    const { traceId, evals } = idle;
    const count = planEvals(database, { application, target: { traceId }, evals, force: false, at: now });
    room -= count;
    if (count > 0) planned += 1;
  }
  return planned;
}

function isUnchanged(
  database: Database,
  application: number,
  { sessionId, traceId, updatedAt }: IdleSession,
): boolean {
  const state = sessionState(database, { application, sessionId });
  return state?.updatedAt === updatedAt && Buffer.from(traceId).equals(state.traceId);
}
