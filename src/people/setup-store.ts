import { AppError } from '../errors.ts';
import type { Database } from '../storage/database.ts';
import { locking } from '../storage/operations.ts';
import { recordAccountChange } from './audit-store.ts';
import { rememberBrowser } from './browser-store.ts';
import {
  actorOf,
  endLogins,
  insertLogin,
  type NewLogin,
  setPassword,
  type User,
  type When,
} from './login-store.ts';
import { memberships } from './records.ts';
import type { Role } from './roles.ts';
import { newToken } from './tokens.ts';

/** Time in milliseconds for which a link works. */
export const SETUP_MS = 15 * 60_000;

export const hasUsers = (database: Database): boolean =>
  database.get('SELECT 1 FROM user_account LIMIT 1') !== undefined;

/**
 * Creates a link for the first user, or for `userId` to choose a new password; returns its token. Earlier links of the same
 * kind are void.
 */
export function createSetupLink(
  database: Database,
  { userId, at }: { userId: string | null; at: number },
): string {
  const { text, hash } = newToken();
  database.run('DELETE FROM setup_link WHERE coalesce(user_id, :none) = :user OR expires_at <= :at', {
    user: userId ?? '',
    none: '',
    at,
  });
  database.run(
    'INSERT INTO setup_link (token_hash, user_id, expires_at) VALUES (:hash, :userId, :expiresAt)',
    { hash, userId, expiresAt: at + SETUP_MS },
  );
  return text;
}

interface SetupLink {
  userId: string | null;
  /** Email address of the user of the link. */
  email: string | null;
}

/** Finds a link that may still be used. */
function findSetupLink(
  database: Database,
  { tokenHash, at }: { tokenHash: Uint8Array; at: number },
): SetupLink | null {
  const link = database.get<SetupLink>(
    `SELECT user_id AS "userId", email FROM setup_link LEFT JOIN user_account ON id = user_id
     WHERE token_hash = :tokenHash AND expires_at > :at`,
    { tokenHash, at },
  );
  return link && (link.userId !== null || !hasUsers(database)) ? link : null;
}

export const voidLink = (): AppError =>
  new AppError(
    'forbidden',
    'The link was used before or has expired; `touchstone users link` makes another one',
  );

interface SetUp extends When {
  /** Hash of the token of the link. */
  linkHash: Uint8Array;
  user: User;
  passwordHash: string;
  login: NewLogin;
  /** The browser, which is known from now on. */
  browserHash: Uint8Array;
}

/** Creates the first user, as admin of every application, or gives the user of the link a new password. */
function setUp(
  database: Database,
  { linkHash, user, passwordHash, login, browserHash, at, requestId }: SetUp,
): void {
  const link = findSetupLink(database, { tokenHash: linkHash, at });
  if (!link) throw voidLink();
  database.run('DELETE FROM setup_link WHERE token_hash = :linkHash', { linkHash });
  const when = { at, requestId };
  if (link.userId === null) {
    insertUser(database, { user, passwordHash, at });
    for (const { application } of database.all<{ application: number }>(
      'SELECT application FROM application',
    ))
      addMember(database, { application, userId: user.id, role: 'admin', at });
    insertLogin(database, { userId: user.id }, { ...login, browserHash }, at);
    rememberBrowser(database, { userId: user.id, browserHash, at });
    recordAccountChange(database, { ...actorOf(user), action: 'setUpAccount', ...when });
    return;
  }
  const known = { ...user, id: link.userId };
  setPassword(database, { userId: known.id, passwordHash, at });
  endLogins(database, { userId: known.id });
  insertLogin(database, { userId: known.id }, { ...login, browserHash }, at);
  rememberBrowser(database, { userId: known.id, browserHash, at });
  recordAccountChange(database, { ...actorOf(known), action: 'setUpAccount', ...when });
}

export function insertUser(
  database: Database,
  { user, passwordHash, at }: { user: User; passwordHash: string; at: number },
): void {
  const inserted = database.run(
    `INSERT INTO user_account (id, email, name, password_hash, created_at, modified_at)
     VALUES (:id, :email, :name, :passwordHash, :at, :at) ON CONFLICT DO NOTHING`,
    { ...user, passwordHash, at },
  );
  if (inserted === 0) throw new AppError('conflict', 'An account with this email address exists already');
}

/** Makes a user a member of an application, or changes the role. */
export function addMember(
  database: Database,
  { application, userId, role, at }: { application: number; userId: string; role: Role; at: number },
): void {
  if (memberships.tryInsert(database, { application, at }, { userId, role })) return;
  memberships.update(database, { application, id: userId, at }, { role });
}

/** Returns the users who are admins of every other application of the server. */
export const adminsBeside = (database: Database, application: number): string[] =>
  database
    .all<{ userId: string }>(
      `SELECT user_id AS "userId" FROM membership WHERE role = 'admin' AND application <> :application
       GROUP BY user_id
       HAVING count(*) = (SELECT count(*) FROM application WHERE application <> :application)`,
      { application },
    )
    .map(({ userId }) => userId);

export const setupCommands = locking('people', { setUp });
export const setupQueries = { findSetupLink, hasUsers };
