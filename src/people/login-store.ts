import type { Actor } from '../contract/scope.ts';
import { AppError } from '../errors.ts';
import type { Database } from '../storage/database.ts';
import { locking } from '../storage/operations.ts';
import { recordAccountChange, recordChange } from './audit-store.ts';
import { browserOf, forgetBrowsers, rememberBrowser } from './browser-store.ts';
import type { Role } from './roles.ts';

export const IDLE_MS = 12 * 60 * 60_000;
export const LONGEST_MS = 7 * 24 * 60 * 60_000;
/** Logins of one user or key; the oldest ones end when there are more. */
export const MAX_LOGINS = 20;
const MAX_APPLICATIONS = 1_000;

export interface User {
  id: string;
  name: string;
  email: string;
}

/** An application that a login may use. */
export interface LoginApplication {
  application: number;
  applicationId: string;
  orgId: string;
  title: string;
  /** Null for the application of an API key. */
  role: Role | null;
}

/** Login of a browser, which is expired if `isExpired` says so. */
export interface LoginRecord {
  user: User | null;
  /** The public part of the API key, in place of a user. */
  keyId: string | null;
  csrfKey: Uint8Array;
  usedAt: number;
  expiresAt: number;
  /** The applications of the user, or that of the key. */
  applications: LoginApplication[];
}

/** Secrets of a new login, as they are stored. */
export interface NewLogin {
  tokenHash: Uint8Array;
  csrfKey: Uint8Array;
  /** Address from which the browser signed in. */
  address?: string;
  userAgent?: string | null;
  /** Hash of the token of the browser; null or missing for that of an API key. */
  browserHash?: Uint8Array | null;
}

/** Time of a change of an account, and the request that made it. */
export interface When {
  at: number;
  requestId: string;
}

type Row = Omit<LoginRecord, 'user' | 'applications'> & { userId: string | null };

function findLogin(database: Database, { tokenHash }: { tokenHash: Uint8Array }): LoginRecord | null {
  const row = database.get<Row>(
    `SELECT user_id AS "userId", key_id AS "keyId", csrf_key AS "csrfKey", used_at AS "usedAt",
            expires_at AS "expiresAt"
     FROM user_login WHERE token_hash = :tokenHash`,
    { tokenHash },
  );
  if (!row) return null;
  const { userId, ...login } = row;
  if (userId === null) return { ...login, user: null, applications: applicationOfKey(database, login) };
  const user = database.get<User>('SELECT id, name, email FROM user_account WHERE id = :userId', { userId });
  return user ? { ...login, user, applications: applicationsOf(database, userId) } : null;
}

const APPLICATION = 'a.application, a.id AS "applicationId", a.org_id AS "orgId", a.title';

const applicationOfKey = (database: Database, { keyId }: Pick<Row, 'keyId'>): LoginApplication[] =>
  database.all<LoginApplication>(
    `SELECT ${APPLICATION}, NULL AS role
     FROM api_key k JOIN application a ON a.application = k.application WHERE k.key_id = :keyId`,
    { keyId },
  );

const applicationsOf = (database: Database, userId: string): LoginApplication[] =>
  database.all<LoginApplication>(
    `SELECT ${APPLICATION}, m.role
     FROM membership m JOIN application a ON a.application = m.application
     WHERE m.user_id = :userId ORDER BY a.application LIMIT :limit`,
    { userId, limit: MAX_APPLICATIONS },
  );

/** Inserts a login. The oldest logins of the same user or key end if there are too many. */
export function insertLogin(
  database: Database,
  holder: { userId: string } | { keyId: string },
  { tokenHash, csrfKey, address, userAgent, browserHash }: NewLogin,
  at: number,
): void {
  const { userId = null, keyId = null } = holder as { userId?: string; keyId?: string };
  database.run(
    `INSERT INTO user_login (token_hash, user_id, key_id, csrf_key, created_at, used_at, expires_at, address, user_agent, browser_hash)
     VALUES (:tokenHash, :userId, :keyId, :csrfKey, :at, :at, :expiresAt, :address, :userAgent, :browserHash)`,
    {
      tokenHash,
      userId,
      keyId,
      csrfKey,
      at,
      expiresAt: at + LONGEST_MS,
      address: address ?? null,
      userAgent: userAgent ?? null,
      browserHash: browserHash ?? null,
    },
  );
  const column = userId === null ? 'key_id' : 'user_id';
  database.run(
    `DELETE FROM user_login WHERE token_hash IN (
       SELECT token_hash FROM user_login WHERE ${column} = :holder
       ORDER BY created_at DESC, token_hash LIMIT :limit OFFSET :most)`,
    { holder: userId ?? keyId, most: MAX_LOGINS, limit: 1_000 },
  );
}

interface SignIn extends When {
  user: User;
  /** The hash that the password was compared with. */
  passwordHash: string;
  login: NewLogin;
  /** The browser, which is known from now on. */
  browserHash: Uint8Array;
}

/** Signs a user in. Throws `unauthorized` if the password was changed after it had been compared. */
function signIn(database: Database, { user, passwordHash, login, browserHash, at, requestId }: SignIn): void {
  requirePassword(database, user.id, passwordHash);
  insertLogin(database, { userId: user.id }, { ...login, browserHash }, at);
  rememberBrowser(database, { userId: user.id, browserHash, at });
  recordAccountChange(database, { ...actorOf(user), action: 'signIn', at, requestId });
}

interface SignInWithKey extends When {
  application: number;
  actor: Actor;
  login: NewLogin;
}

function signInWithKey(
  database: Database,
  { application, actor, login, at, requestId }: SignInWithKey,
): void {
  insertLogin(database, { keyId: actor.id }, login, at);
  recordChange(database, {
    application,
    actor,
    action: 'signInWithKey',
    resourceId: actor.id,
    at,
    requestId,
  });
}

interface SignOut extends When {
  tokenHash: Uint8Array;
  user: User | null;
}

function signOut(database: Database, { tokenHash, user, ...when }: SignOut): void {
  const ended = database.run('DELETE FROM user_login WHERE token_hash = :tokenHash', { tokenHash });
  if (ended > 0 && user) recordAccountChange(database, { ...actorOf(user), action: 'signOut', ...when });
}

interface ChangePassword extends When {
  user: User;
  from: string;
  to: string;
  /** The login that continues, and whose browser stays known; all others of the user end. */
  tokenHash: Uint8Array;
}

/** Throws `unauthorized` if the password is no longer the one that was compared. */
function changePassword(database: Database, { user, from, to, tokenHash, ...when }: ChangePassword): void {
  requirePassword(database, user.id, from);
  setPassword(database, { userId: user.id, passwordHash: to, at: when.at });
  database.run('DELETE FROM user_login WHERE user_id = :userId AND token_hash <> :tokenHash', {
    userId: user.id,
    tokenHash,
  });
  forgetBrowsers(database, { userId: user.id, except: browserOf(database, { tokenHash }) });
  recordAccountChange(database, { ...actorOf(user), action: 'changePassword', ...when });
}

export function setPassword(
  database: Database,
  { userId, passwordHash, at }: { userId: string; passwordHash: string; at: number },
): void {
  database.run(
    'UPDATE user_account SET password_hash = :passwordHash, modified_at = :at WHERE id = :userId',
    { userId, passwordHash, at },
  );
}

/** Ends all logins of a user, and forgets the browsers; returns the number of logins. */
export function endLogins(database: Database, { userId }: { userId: string }): number {
  forgetBrowsers(database, { userId });
  return database.run('DELETE FROM user_login WHERE user_id = :userId', { userId });
}

function requirePassword(database: Database, userId: string, passwordHash: string): void {
  const same = database.get(
    'SELECT 1 FROM user_account WHERE id = :userId AND password_hash = :passwordHash',
    { userId, passwordHash },
  );
  if (!same) throw new AppError('unauthorized', 'The password was changed in the meantime; sign in again');
}

export const actorOf = ({ id, name }: User) => ({ actor: { type: 'user' as const, id, name }, userId: id });

/** Records that a login is in use. */
function useLogin(database: Database, { tokenHash, at }: { tokenHash: Uint8Array; at: number }): void {
  database.run('UPDATE user_login SET used_at = :at WHERE token_hash = :tokenHash AND used_at < :at', {
    tokenHash,
    at,
  });
}

export interface Credentials {
  user: User;
  passwordHash: string;
}

/** Finds a user by email address, which is in lower case. */
export function findCredentials(database: Database, { email }: { email: string }): Credentials | null {
  const row = database.get<User & { passwordHash: string }>(
    `SELECT id, name, email, password_hash AS "passwordHash" FROM user_account WHERE email = :email`,
    { email },
  );
  if (!row) return null;
  const { passwordHash, ...user } = row;
  return { user, passwordHash };
}

export const loginCommands = locking('people', { signIn, signInWithKey, signOut, changePassword, useLogin });
export const loginQueries = { findLogin, findCredentials };
