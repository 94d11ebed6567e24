/** The table `session`: start of the first and the last trace of each session. */
import type { Database } from '../storage/database.ts';
import { greater, lesser } from '../storage/dialect.ts';

/** Sessions of new traces, written together because many traces of one batch share a session. */
export class SessionChanges {
  private readonly sessions = new Map<
    string,
    { id: string; application: number; first: bigint; last: bigint }
  >();

  /** Records a trace that now belongs to a session; `start` is in Unix nanoseconds. */
  join(application: number, id: string, start: bigint): void {
    const key = `${application} ${id}`;
    const known = this.sessions.get(key);
    if (!known) this.sessions.set(key, { id, application, first: start, last: start });
    else if (start < known.first) known.first = start;
    else if (start > known.last) known.last = start;
  }

  write(database: Database): void {
    for (const { id, application, first, last } of this.sessions.values()) {
      database.run(
        `INSERT INTO session (application, id, first_ns, last_ns) VALUES (?, ?, ?, ?)
         ON CONFLICT (application, id) DO UPDATE SET
           first_ns = ${lesser('session.first_ns', 'excluded.first_ns')},
           last_ns = ${greater('session.last_ns', 'excluded.last_ns')}
         WHERE excluded.first_ns < session.first_ns OR excluded.last_ns > session.last_ns`,
        application,
        id,
        first,
        last,
      );
    }
    this.sessions.clear();
  }
}

/** Computes a session again from its traces, after one of them changed its start or left the session. */
export function refreshSession(database: Database, application: number, id: string): void {
  const bounds = database.getExact<{ first: bigint | null; last: bigint | null }>(
    `SELECT (SELECT min(start_ns) FROM trace WHERE application = :application AND session_id = :id) AS first,
       (SELECT max(start_ns) FROM trace WHERE application = :application AND session_id = :id) AS last`,
    { application, id },
  );
  if (bounds?.first == null || bounds.last === null) {
    database.run('DELETE FROM session WHERE application = ? AND id = ?', application, id);
    return;
  }
  database.run(
    `INSERT INTO session (application, id, first_ns, last_ns) VALUES (?, ?, ?, ?)
     ON CONFLICT (application, id) DO UPDATE SET first_ns = excluded.first_ns, last_ns = excluded.last_ns`,
    application,
    id,
    bounds.first,
    bounds.last,
  );
}
