/** The table `session`: start of the first and the last trace of each session. */
import type { Database, RowStatement } from '../storage/database.ts';
import { greater, lesser } from '../storage/dialect.ts';
import { inKeyOrder } from '../storage/row-set.ts';

interface SessionId {
  application: number;
  id: string;
}

const JOIN: RowStatement = {
  sql: `INSERT INTO session (application, id, first_ns, last_ns) VALUES (?, ?, ?, ?)
         ON CONFLICT (application, id) DO UPDATE SET
           first_ns = ${lesser('session.first_ns', 'excluded.first_ns')},
           last_ns = ${greater('session.last_ns', 'excluded.last_ns')}
         WHERE excluded.first_ns < session.first_ns OR excluded.last_ns > session.last_ns`,
  columns: ['integer', 'text', 'integer', 'integer'],
};
const FIND_BOUNDS: RowStatement = {
  sql: `SELECT (SELECT min(start_ns) FROM trace WHERE application = ? AND session_id = ?) AS first,
       (SELECT max(start_ns) FROM trace WHERE application = ? AND session_id = ?) AS last`,
  columns: ['integer', 'text', 'integer', 'text'],
};
const REPLACE: RowStatement = {
  sql: `INSERT INTO session (application, id, first_ns, last_ns) VALUES (?, ?, ?, ?)
     ON CONFLICT (application, id) DO UPDATE SET first_ns = excluded.first_ns, last_ns = excluded.last_ns`,
  columns: ['integer', 'text', 'integer', 'integer'],
};
const REMOVE: RowStatement = {
  sql: 'DELETE FROM session WHERE application = ? AND id = ?',
  columns: ['integer', 'text'],
};

/** Sessions of changed traces, written together because many traces of one batch share a session. */
export class SessionChanges {
  private readonly sessions = new Map<string, SessionId & { first: bigint; last: bigint }>();
  private readonly moved = new Map<string, SessionId>();

  /** Records a trace that now belongs to a session; `start` is in Unix nanoseconds. */
  join(application: number, id: string, start: bigint): void {
    const key = `${application} ${id}`;
    const known = this.sessions.get(key);
    if (!known) this.sessions.set(key, { id, application, first: start, last: start });
    else if (start < known.first) known.first = start;
    else if (start > known.last) known.last = start;
  }

  /** Records a session with a trace that now starts earlier. */
  move(application: number, id: string): void {
    this.moved.set(`${application} ${id}`, { application, id });
  }

  /** Writes the sessions; the rows of their traces must be stored. */
  write(database: Database): void {
    const joined = inKeyOrder(this.sessions).map(({ application, id, first, last }) => [
      application,
      id,
      first,
      last,
    ]);
    database.runMany(JOIN, joined);
    refreshSessions(database, inKeyOrder(this.moved));
    this.sessions.clear();
    this.moved.clear();
  }
}

/** Computes sessions again from their traces, after one of these changed its start or left the session. */
function refreshSessions(database: Database, sessions: readonly SessionId[]): void {
  const found = database.allManyExact<{ first: bigint | null; last: bigint | null }>(
    FIND_BOUNDS,
    sessions.map(({ application, id }) => [application, id, application, id]),
  );
  const rows = sessions.map(({ application, id }, index) => {
    const { first = null, last = null } = found[index]?.[0] ?? {};
    return [application, id, first, last] as const;
  });
  database.runMany(
    REMOVE,
    rows.filter(([, , first]) => first === null).map(([application, id]) => [application, id]),
  );
  database.runMany(
    REPLACE,
    rows.filter(([, , first]) => first !== null),
  );
}

/** Computes a session again from its traces, after one of them changed its start or left the session. */
export const refreshSession = (database: Database, application: number, id: string): void =>
  refreshSessions(database, [{ application, id }]);
