import type { Owner } from '../../contract/owner.ts';
import { SCOPES } from '../../contract/scope.ts';
import { AppError } from '../../errors.ts';
import type { FieldsOf, NewOf } from '../../storage/record.ts';
import { notFound } from '../../storage/require-row.ts';
import type { Database } from '../../storage/database.ts';
import { readOwner } from '../applications/read-application.ts';
import type { ApplicationHooks } from '../applications/store.ts';
import type { ListedKey } from './contract.ts';
import { apiKeys } from './record.ts';

export type InsertKey = Pick<
  NewOf<typeof apiKeys>,
  'id' | 'keyId' | 'hash' | 'name' | 'scopes' | 'expiresAt'
> & {
  application: number;
  at: number;
};

const credentials = apiKeys.pick('id', 'keyId', 'name', 'hash', 'scopes', 'expiresAt', 'revokedAt');
/** A key, whether or not it is in use, and its owner. */
export type KeyRecord = FieldsOf<typeof credentials> & Owner;

export const insertKey = (database: Database, { application, at, ...key }: InsertKey): void =>
  apiKeys.insert(database, { application, at }, { ...key, updatedAt: at });

const IS_ADMIN = `(' ' || scopes || ' ' LIKE '% admin %' AND (expires_at IS NULL OR expires_at > :at))`;

interface RevokeKey {
  application: number;
  id: string;
  at: number;
}

/**
 * Revokes a key and returns its `keyId`. Throws `not_found`, and `conflict` when no key of the application could
 * create keys afterwards.
 */
function revokeKey(database: Database, { application, id, at }: RevokeKey): { keyId: string } {
  const named = { application, id, at };
  const key = database.get<{ keyId: string; isAdmin: 0 | 1 }>(
    `SELECT key_id AS "keyId", ${IS_ADMIN} AS "isAdmin"
     FROM api_key WHERE application = :application AND id = :id AND revoked_at IS NULL`,
    named,
  );
  if (!key) throw notFound('API key');
  const another = database.get(
    `SELECT 1 FROM api_key WHERE application = :application AND id <> :id AND revoked_at IS NULL AND ${IS_ADMIN}`,
    named,
  );
  if (key.isAdmin && !another)
    throw new AppError(
      'conflict',
      'This key is the last one of the application with the scope admin: create another one first, or revoke it with ' +
        '`touchstone keys revoke`. `touchstone keys create --scopes admin` creates one when none is left',
    );
  apiKeys.update(database, { application, id, at }, { revokedAt: at, updatedAt: at });
  return { keyId: key.keyId };
}

/**
 * Revokes a key of any application by its `keyId` or `id`, even the last one with the scope admin; returns null when
 * it does not exist. Only for the owner of the machine.
 */
export function revokeAnyKey(
  database: Database,
  { name, at }: { name: { keyId: string; id: string }; at: number },
): { keyId: string; wasRevoked: boolean } | null {
  const key = database.get<{ application: number; id: string; keyId: string; revokedAt: number | null }>(
    `SELECT application, id, key_id AS "keyId", revoked_at AS "revokedAt" FROM api_key
     WHERE key_id = :keyId OR id = :id`,
    name,
  );
  if (!key) return null;
  const { application, id, keyId, revokedAt } = key;
  if (revokedAt === null) apiKeys.update(database, { application, id, at }, { revokedAt: at, updatedAt: at });
  return { keyId, wasRevoked: revokedAt !== null };
}

/** Finds a key in any application, because the key identifies the application. */
function findKey(database: Database, { keyId }: { keyId: string }): KeyRecord | null {
  const row = database.get<{ application: number }>(
    `SELECT ${credentials.selected}, application FROM api_key WHERE key_id = :keyId`,
    { keyId },
  );
  if (!row) return null;
  const { application, ...key } = row;
  return { ...credentials.decode(key), ...readOwner(database, { application }) };
}

const listed = apiKeys.pick('id', 'keyId', 'name', 'createdAt', 'updatedAt');

/** Returns the active keys, newest first. */
function listKeys(database: Database, { owner }: { owner: Owner }): ListedKey[] {
  const condition = 'revoked_at IS NULL ORDER BY created_at DESC, id DESC';
  const keys = listed.all(database, owner.application, condition);
  return keys.map((key) => ({ ...key, applicationId: owner.applicationId }));
}

export const apiKeyCommands = { createKey: insertKey, revokeKey };
export const apiKeyQueries = { findKey, listKeys };
export const apiKeyHooks = {
  onApplicationCreated: [
    (database, { application, key, at }) =>
      insertKey(database, { ...key, application, scopes: SCOPES, expiresAt: null, at }),
  ],
} satisfies ApplicationHooks;
