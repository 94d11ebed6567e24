import type { ScopeName } from '../../contract/scope.ts';
import { isoTime } from '../../contract/values.ts';
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

/** Takes a key out of use for good; its `keyId`, or null when the application has no such key in use. */
function revokeKey(
  database: Database,
  { application, id, at }: { application: number; id: string; at: number },
): { keyId: string } | null {
  const key = database.get<{ keyId: string }>(
    `UPDATE api_key SET revoked_at = ?1, updated_at = ?1
     WHERE application = ?2 AND id = ?3 AND revoked_at IS NULL
     RETURNING key_id AS keyId`,
    at,
    application,
    id,
  );
  return key ?? null;
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
