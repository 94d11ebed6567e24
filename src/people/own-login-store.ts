import { hash } from 'node:crypto';
import { isoTime } from '../contract/values.ts';
import type { Database } from '../storage/database.ts';
import { locking } from '../storage/operations.ts';
import { notFound } from '../storage/require-row.ts';
import { recordAccountChange } from './audit-store.ts';
import { browserOf, forgetBrowser, forgetBrowsers } from './browser-store.ts';
import { actorOf, IDLE_MS, MAX_LOGINS, type User, type When } from './login-store.ts';
import type { OwnLogin } from './own-login-contract.ts';

interface Row {
  tokenHash: Uint8Array;
  createdAt: number;
  usedAt: number;
  expiresAt: number;
  address: string | null;
  userAgent: string | null;
}

/** Id of a login that may be shown: neither the cookie nor the stored hash follows from it. */
const idOf = (tokenHash: Uint8Array): string =>
  hash('sha256', Buffer.concat([Buffer.from('login '), tokenHash]), 'hex').slice(0, 32);

const rowsOf = (database: Database, { userId, at }: { userId: string; at: number }): Row[] =>
  database.all<Row>(
    `SELECT token_hash AS "tokenHash", created_at AS "createdAt", used_at AS "usedAt",
            expires_at AS "expiresAt", address, user_agent AS "userAgent"
     FROM user_login WHERE user_id = :userId AND expires_at > :at AND used_at > :idleSince
     ORDER BY used_at DESC, created_at DESC LIMIT :limit`,
    { userId, at, idleSince: at - IDLE_MS, limit: MAX_LOGINS },
  );

interface OwnLogins {
  userId: string;
  /** The login of the call. */
  tokenHash: Uint8Array;
  at: number;
}

/** The logins of a user that have not expired, the one used last first. */
export function listOwnLogins(database: Database, { userId, tokenHash, at }: OwnLogins): OwnLogin[] {
  return rowsOf(database, { userId, at }).map((row) => ({
    id: idOf(row.tokenHash),
    createdAt: isoTime(row.createdAt),
    usedAt: isoTime(row.usedAt),
    expiresAt: isoTime(Math.min(row.expiresAt, row.usedAt + IDLE_MS)),
    address: row.address,
    userAgent: row.userAgent,
    isCurrent: Buffer.compare(row.tokenHash, tokenHash) === 0,
  }));
}

/**
 * Ends one login of a user, and forgets its browser. Returns the hash of its token; null if the user has no such login.
 * `current`: the token of a login whose browser stays known while that of the ended one is unknown.
 */
export function endLoginOf(
  database: Database,
  { userId, id, at, current }: { userId: string; id: string; at: number; current?: Uint8Array },
): Uint8Array | null {
  const row = rowsOf(database, { userId, at }).find((one) => idOf(one.tokenHash) === id);
  if (!row) return null;
  const { tokenHash } = row;
  const browserHash = browserOf(database, { tokenHash });
  const except = current ? browserOf(database, { tokenHash: current }) : null;
  database.run('DELETE FROM user_login WHERE token_hash = :tokenHash', { tokenHash });
  if (browserHash === null) forgetBrowsers(database, { userId, except });
  else forgetBrowser(database, { userId, browserHash });
  return tokenHash;
}

/** Ends one login of a user. Throws `not_found`. Returns whether it was that of the call. */
function endOwnLogin(
  database: Database,
  { user, id, tokenHash, ...when }: When & { user: User; id: string; tokenHash: Uint8Array },
): boolean {
  const ended = endLoginOf(database, { userId: user.id, id, at: when.at, current: tokenHash });
  if (!ended) throw notFound('Login');
  const isCurrent = Buffer.compare(ended, tokenHash) === 0;
  recordAccountChange(database, { ...actorOf(user), action: 'endLogin', ...when });
  return isCurrent;
}

/** Ends all logins of a user except that of the call; returns how many. */
function endOtherLogins(
  database: Database,
  { user, tokenHash, ...when }: When & { user: User; tokenHash: Uint8Array },
): number {
  const others = rowsOf(database, { userId: user.id, at: when.at }).filter(
    (row) => Buffer.compare(row.tokenHash, tokenHash) !== 0,
  );
  database.run('DELETE FROM user_login WHERE user_id = :userId AND token_hash <> :tokenHash', {
    userId: user.id,
    tokenHash,
  });
  forgetBrowsers(database, { userId: user.id, except: browserOf(database, { tokenHash }) });
  if (others.length > 0)
    recordAccountChange(database, { ...actorOf(user), action: 'endOtherLogins', ...when });
  return others.length;
}

export const ownLoginCommands = locking('people', { endOwnLogin, endOtherLogins });
export const ownLoginQueries = { listOwnLogins };
