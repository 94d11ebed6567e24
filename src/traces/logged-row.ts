import type { Database } from '../storage/database.ts';
import { refreshSession } from './session-index.ts';
import type { TraceKey } from './trace-keys.ts';
import { mergeList } from './trace-row.ts';

/** Values that only the log records of a trace have. */
export interface LoggedOfTrace {
  /** One bit for each index of SPAN_KINDS. */
  kinds: number;
  /** TraceFlag bits. */
  flags: number;
  models: string[];
  sessionId: string | null;
}

/** Adds to the row of a trace what only its log records say; a session that its spans name remains. */
export function addLoggedToRow(
  database: Database,
  { application, tkey }: TraceKey,
  { kinds, flags, models, sessionId }: LoggedOfTrace,
): void {
  if (kinds === 0) return;
  const row = database.get<{ session: string | null; models: string }>(
    'SELECT session_id AS session, models FROM trace WHERE tkey = ?',
    tkey,
  );
  if (!row) return;
  database.run(
    'UPDATE trace SET kinds = kinds | ?, flags = flags | ?, models = ? WHERE tkey = ?',
    kinds,
    flags,
    mergeList(row.models, models),
    tkey,
  );
  if (row.session !== null || sessionId === null) return;
  database.run('UPDATE trace SET session_id = ? WHERE tkey = ?', sessionId, tkey);
  refreshSession(database, application, sessionId);
}
