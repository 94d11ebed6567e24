import type { Database } from '../storage/database.ts';
import { type StoredTrace, storedTrace, TRACE_ROW_COLUMNS } from '../traces/load.ts';
import { OpenTrace } from '../traces/open-trace.ts';
import type { BoundedTexts } from './bounded-texts.ts';
import type { ConversationTurn } from './subject.ts';

/** Most traces of a conversation that are read, the latest ones. */
export const MAX_TRACES = 50;

/**
 * Returns the traces of the session of a trace up to that one, earliest first: at most as many as are read, and one more.
 * Empty for a trace without a session.
 */
export function tracesOfSession(database: Database, { application, sessionId, start, traceId }: StoredTrace) {
  if (sessionId === null) return [];
  return database
    .allExact<Parameters<typeof storedTrace>[0]>(
      `SELECT ${TRACE_ROW_COLUMNS} FROM trace
       WHERE application = :application AND session_id = :sessionId AND (start_ns, trace_id) <= (:start, :traceId)
       ORDER BY start_ns DESC, trace_id DESC LIMIT :limit`,
      { application, sessionId, start, traceId, limit: MAX_TRACES + 1 },
    )
    .map(storedTrace)
    .reverse();
}

/** Loads the turns of a conversation, one of each of its traces, earliest first. */
export function loadTurns(
  database: Database,
  { traces, texts }: { traces: readonly StoredTrace[]; texts: BoundedTexts },
): { turns: ConversationTurn[]; isTruncated: boolean } {
  const turns = traces.slice(-MAX_TRACES).flatMap((stored): ConversationTurn[] => {
    const trace = new OpenTrace(database, stored);
    const [input, output] = [texts.take(trace.content('input')), texts.take(trace.content('output'))];
    // The trace of a delivery has neither.
    return input === null && output === null ? [] : [{ input, output }];
  });
  return { turns, isTruncated: traces.length > MAX_TRACES };
}
