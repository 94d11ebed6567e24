import type { Database } from '../storage/database.ts';
import { locking } from '../storage/operations.ts';
import { FORGOTTEN_FAILURES } from './attempt-store.ts';
import { IDLE_MS } from './login-store.ts';

const EXPIRED = '(expires_at <= :at OR used_at <= :idleSince)';

/** Reports whether there are expired logins, browsers, invitations or links, or failures to sign in that are forgotten. */
function hasExpiredLogins(database: Database, { at }: { at: number }): boolean {
  const found = database.get(
    `SELECT 1 FROM user_login WHERE ${EXPIRED}
     UNION ALL SELECT 1 FROM known_browser WHERE expires_at <= :at
     UNION ALL SELECT 1 FROM invitation WHERE expires_at <= :at
     UNION ALL SELECT 1 FROM setup_link WHERE expires_at <= :at
     UNION ALL SELECT 1 FROM sign_in_failure WHERE ${FORGOTTEN_FAILURES} LIMIT 1`,
    { at, idleSince: at - IDLE_MS },
  );
  return found !== undefined;
}

/** Deletes some of them; returns how many. */
function purgeLogins(database: Database, { at, limit }: { at: number; limit: number }): number {
  const logins = database.run(
    `DELETE FROM user_login WHERE token_hash IN (
       SELECT token_hash FROM user_login WHERE ${EXPIRED} LIMIT :limit)`,
    { at, idleSince: at - IDLE_MS, limit },
  );
  const invitations = database.run(
    'DELETE FROM invitation WHERE id IN (SELECT id FROM invitation WHERE expires_at <= :at LIMIT :limit)',
    { at, limit },
  );
  const browsers = database.run(
    `DELETE FROM known_browser WHERE token_hash IN (
       SELECT token_hash FROM known_browser WHERE expires_at <= :at LIMIT :limit)`,
    { at, limit },
  );
  const failures = database.run(
    `DELETE FROM sign_in_failure WHERE subject IN (
       SELECT subject FROM sign_in_failure WHERE ${FORGOTTEN_FAILURES} LIMIT :limit)`,
    { at, limit },
  );
  const links = database.run('DELETE FROM setup_link WHERE expires_at <= :at', { at });
  return logins + invitations + browsers + failures + links;
}

/** Finds the applications that have audit entries of before a time, or more than `most`. */
const applicationsWithOldEntries = (
  database: Database,
  { before, most }: { before: number; most: number },
): number[] =>
  database
    .all<{ application: number }>(
      `SELECT application FROM application a
       WHERE EXISTS (SELECT 1 FROM audit_entry e WHERE e.application = a.application AND e.created_at < :before)
          OR (SELECT count(*) FROM (
                SELECT 1 FROM audit_entry e WHERE e.application = a.application LIMIT :enough)) = :enough`,
      { before, enough: most + 2 },
    )
    .map(({ application }) => application);

export const purgeCommands = locking('leader', { purgeLogins });
export const purgeQueries = { hasExpiredLogins, applicationsWithOldEntries };
