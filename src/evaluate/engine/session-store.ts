import type { Database } from '../../storage/database.ts';
import { byIndex, jsonNumber, orderedJoin } from '../../storage/dialect.ts';
import type { PlannedDefinition } from '../applicable.ts';
import { MAX_TRACES } from '../load-turns.ts';
import { isLiveTrace, placeOf, sampleRate } from './monitor-store.ts';

/** Default of `monitoring.idleTimeoutMs`, in milliseconds. */
const DEFAULT_IDLE_MS = 600_000;

/** SQL for the time without new spans after which a definition judges a session. */
const idleTimeout = `coalesce(${jsonNumber('global_config', 'monitoring', 'idleTimeoutMs')}, ${DEFAULT_IDLE_MS})`;

/** Sampling of the sessions of an application, by all its definitions together. */
export interface SessionSampling {
  /** Largest share of sessions that a definition judges. */
  rate: number;
  /** Shortest idle timeout, in milliseconds. */
  idleMs: number;
}

/** Returns how sessions are sampled, by application. Applications whose live sessions nothing judges are absent. */
export function sessionSampling(database: Database): Map<number, SessionSampling> {
  const rows = database.all<SessionSampling & { application: number }>(
    `SELECT application, max(${sampleRate}) AS rate, min(${idleTimeout}) AS "idleMs"
     FROM definition ${byIndex('definition_monitoring')}
     WHERE status = 'ACTIVE' AND ${sampleRate} > 0 AND type = 'CONVERSATION' AND EXISTS (
       SELECT 1 FROM definition_link AS link
       WHERE link.application = definition.application AND definition_id = definition.id AND kind = 'application')
     GROUP BY application`,
  );
  return new Map(rows.map(({ application, ...sampling }) => [application, sampling]));
}

/** A definition that judges live sessions. */
export interface SessionMonitor extends PlannedDefinition, SessionSampling {}

/** Returns the definitions that judge the live sessions of an application. */
export const sessionMonitors = (database: Database, application: number): SessionMonitor[] =>
  database.all<SessionMonitor>(
    `SELECT definition.id AS "definitionId", version, type, ${sampleRate} AS rate, ${idleTimeout} AS "idleMs"
     FROM definition_link AS link
       ${orderedJoin} definition ${byIndex('definition_monitoring')} ON definition.id = definition_id
     WHERE link.application = :application AND kind = 'application' AND definition.application = :application
       AND status = 'ACTIVE' AND ${sampleRate} > 0 AND type = 'CONVERSATION'
     ORDER BY link.id`,
    { application },
  );

/** Reports whether a session is in a sample. The same sessions are in every sample with this rate. */
export const isSampled = (sessionId: string, { rate }: Pick<SessionSampling, 'rate'>): boolean =>
  placeOf(sessionId) < rate;

/** State of a session by its latest traces, those that a judge sees. */
export interface SessionState {
  /** Last trace of the session, to which its evals belong. */
  traceId: Uint8Array;
  /** True if the last trace is one of the app itself, not of a test or a sample request. */
  isLive: boolean;
  /** Time when the last of its spans arrived, in Unix milliseconds. */
  updatedAt: number;
}

/** Returns the state of a session; null when no trace belongs to it. */
export function sessionState(
  database: Database,
  { application, sessionId }: { application: number; sessionId: string },
): SessionState | null {
  const traces = database.all<{ traceId: Buffer; updatedAt: number; isLive: number }>(
    `SELECT trace_id AS "traceId", updated_at AS "updatedAt", ${isLiveTrace} AS "isLive" FROM trace
     WHERE application = :application AND session_id = :sessionId
     ORDER BY start_ns DESC, trace_id DESC LIMIT :limit`,
    { application, sessionId, limit: MAX_TRACES },
  );
  const [last] = traces;
  if (!last) return null;
  const updatedAt = Math.max(...traces.map((trace) => trace.updatedAt));
  return { traceId: last.traceId, isLive: last.isLive === 1, updatedAt };
}
