import type { ScopeName } from '../../contract/scope.ts';
import { isoTime } from '../../contract/values.ts';
import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/sqlite/database.ts';
import type { ListedKey } from './contract.ts';

export interface InsertKey {
  application: number;
  id: string;
  keyId: string;
  /** SHA-256 of the whole key text. */
  hash: Uint8Array;
  name: string;
  scopes: readonly ScopeName[];
  at: number;
  expiresAt: number | null;
}

/** What is known of a key, whatever has become of it. */
export interface KeyRecord {
  keyId: string;
  hash: Uint8Array;
  scopes: ScopeName[];
  expiresAt: number | null;
  revokedAt: number | null;
  application: number;
  applicationId: string;
  orgId: string;
}

export function insertKey(database: Database, key: InsertKey): void {
  database.run(
    `INSERT INTO api_key (id, application, key_id, hash, name, scopes, created_at, updated_at, expires_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, ?8)`,
    key.id,
    key.application,
    key.keyId,
    key.hash,
    key.name,
    key.scopes.join(' '),
    key.at,
    key.expiresAt,
  );
}

const IS_ADMIN = `(' ' || scopes || ' ' LIKE '% admin %' AND (expires_at IS NULL OR expires_at > :at))`;

interface RevokeKey {
  application: number;
  id: string;
  at: number;
}

/**
 * Takes a key out of use for good; its `keyId`. Throws `not_found`, and `conflict` when nobody could make keys of the
 * application afterwards.
 */
function revokeKey(database: Database, { application, id, at }: RevokeKey): { keyId: string } {
  const named = { application, id, at };
  const key = database.get<{ keyId: string; isAdmin: 0 | 1 }>(
    `SELECT key_id AS keyId, ${IS_ADMIN} AS isAdmin
     FROM api_key WHERE application = :application AND id = :id AND revoked_at IS NULL`,
    named,
  );
  if (!key) throw new AppError('not_found', 'API key not found');
  const another = database.get(
    `SELECT 1 FROM api_key WHERE application = :application AND id <> :id AND revoked_at IS NULL AND ${IS_ADMIN}`,
    named,
  );
  if (key.isAdmin && !another)
    throw new AppError(
      'conflict',
      'This key is the last one of the application with the scope admin: make another one first, or revoke it by ' +
        '`touchstone keys revoke`. `touchstone keys create --scopes admin` makes one where none is left',
    );
  database.run(
    'UPDATE api_key SET revoked_at = :at, updated_at = :at WHERE application = :application AND id = :id',
    named,
  );
  return { keyId: key.keyId };
}

/** The one look-up that is not within an application: it is how the application is found out. */
function findKey(database: Database, { keyId }: { keyId: string }): KeyRecord | null {
  const key = database.get<Omit<KeyRecord, 'scopes'> & { scopes: string }>(
    `SELECT k.key_id AS keyId, k.hash, k.scopes, k.expires_at AS expiresAt, k.revoked_at AS revokedAt,
            a.application, a.id AS applicationId, a.org_id AS orgId
     FROM api_key k JOIN application a ON a.application = k.application
     WHERE k.key_id = ?`,
    keyId,
  );
  return key ? { ...key, scopes: key.scopes.split(' ').filter(Boolean) as ScopeName[] } : null;
}

/** The keys in use, newest first. */
function listKeys(database: Database, { application }: { application: number }): ListedKey[] {
  return database
    .all<Omit<ListedKey, 'createdAt' | 'updatedAt'> & { createdAt: number; updatedAt: number }>(
      `SELECT k.id, k.key_id AS keyId, k.name, a.id AS applicationId,
              k.created_at AS createdAt, k.updated_at AS updatedAt
       FROM api_key k JOIN application a ON a.application = k.application
       WHERE k.application = ? AND k.revoked_at IS NULL
       ORDER BY k.created_at DESC, k.id DESC`,
      application,
    )
    .map((key) => ({ ...key, createdAt: isoTime(key.createdAt), updatedAt: isoTime(key.updatedAt) }));
}

export const apiKeyCommands = { createKey: insertKey, revokeKey };
export const apiKeyQueries = { findKey, listKeys };
