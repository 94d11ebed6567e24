import type { Database } from '../storage/database.ts';

/** Time after which a browser that was not used to sign in is forgotten. */
export const KNOWN_MS = 90 * 24 * 60 * 60_000;
/** Browsers of one user; the one that was not used for the longest time is forgotten when there are more. */
const MAX_BROWSERS = 20;

/** Reports whether a user has signed in with a browser before. */
function isKnownBrowser(
  database: Database,
  { browserHash, email, at }: { browserHash: Uint8Array; email: string; at: number },
): boolean {
  const found = database.get(
    `SELECT 1 FROM known_browser b JOIN user_account u ON u.id = b.user_id
     WHERE b.token_hash = :browserHash AND u.email = :email AND b.expires_at > :at`,
    { browserHash, email, at },
  );
  return found !== undefined;
}

/** Remembers that a user has signed in with a browser. */
export function rememberBrowser(
  database: Database,
  { userId, browserHash, at }: { userId: string; browserHash: Uint8Array; at: number },
): void {
  database.run(
    `INSERT INTO known_browser (token_hash, user_id, used_at, expires_at)
     VALUES (:browserHash, :userId, :at, :expiresAt)
     ON CONFLICT (token_hash) DO UPDATE SET used_at = excluded.used_at, expires_at = excluded.expires_at
       WHERE known_browser.user_id = excluded.user_id`,
    { browserHash, userId, at, expiresAt: at + KNOWN_MS },
  );
  database.run(
    `DELETE FROM known_browser WHERE token_hash IN (
       SELECT token_hash FROM known_browser WHERE user_id = :userId
       ORDER BY used_at DESC, token_hash LIMIT :limit OFFSET :most)`,
    { userId, most: MAX_BROWSERS, limit: 1_000 },
  );
}

/** Forgets the browsers of a user, except one. */
export function forgetBrowsers(
  database: Database,
  { userId, except = null }: { userId: string; except?: Uint8Array | null },
): void {
  database.run('DELETE FROM known_browser WHERE user_id = :userId AND token_hash <> :except', {
    userId,
    except: except ?? new Uint8Array(),
  });
}

/** Forgets one browser of a user. */
export function forgetBrowser(
  database: Database,
  { userId, browserHash }: { userId: string; browserHash: Uint8Array },
): void {
  database.run('DELETE FROM known_browser WHERE user_id = :userId AND token_hash = :browserHash', {
    userId,
    browserHash,
  });
}

/** Returns the hash of the browser of a login; null if it is unknown. */
export const browserOf = (database: Database, { tokenHash }: { tokenHash: Uint8Array }): Uint8Array | null =>
  database.get<{ browserHash: Uint8Array | null }>(
    'SELECT browser_hash AS "browserHash" FROM user_login WHERE token_hash = :tokenHash',
    { tokenHash },
  )?.browserHash ?? null;

export const browserQueries = { isKnownBrowser };
