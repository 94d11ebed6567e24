import type { Database } from '../storage/database.ts';
import { RowSet } from '../storage/row-set.ts';
import { refreshSession } from './session-index.ts';
import { ADD_ATTRIBUTE, addAttributes, typeAttributes } from './trace-attributes.ts';
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

/** Adds values of the log records of a trace to its row. A session that a span names takes precedence. */
export function addLoggedToRow(
  database: Database,
  { application, tkey }: TraceKey,
  { kinds, flags, models, sessionId }: LoggedOfTrace,
): void {
  if (kinds === 0) return;
  const row = database.get<{ session: string | null; models: string; attributes: string }>(
    'SELECT session_id AS session, models, attributes FROM trace WHERE tkey = ?',
    tkey,
  );
  if (!row) return;
  const added = new RowSet(ADD_ATTRIBUTE);
  const pairs = typeAttributes({ kinds, models });
  const attributes = addAttributes(added, { application, tkey }, row.attributes, pairs);
  added.write(database);
  database.run(
    'UPDATE trace SET kinds = kinds | ?, flags = flags | ?, models = ?, attributes = ? WHERE tkey = ?',
    kinds,
    flags,
    mergeList(row.models, models),
    attributes,
    tkey,
  );
  if (row.session !== null || sessionId === null) return;
  database.run('UPDATE trace SET session_id = ? WHERE tkey = ?', sessionId, tkey);
  refreshSession(database, application, sessionId);
}
