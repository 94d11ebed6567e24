import type { Database } from '../storage/database.ts';
import { locking } from '../storage/operations.ts';
import { recordAccountChange, recordChange } from './audit-store.ts';
import type { AuditedSignIn, TriedAccount } from './sign-in-log.ts';

/** Finds an API key by its public id, even if it is no longer valid; null if there is none. */
function findTriedKey(database: Database, { keyId }: { keyId: string }): TriedAccount | null {
  const key = database.get<{ name: string }>('SELECT name FROM api_key WHERE key_id = :keyId', { keyId });
  return key ? { type: 'key', id: keyId, name: key.name } : null;
}

const applicationOfKey = (database: Database, keyId: string): number | null =>
  database.get<{ application: number }>('SELECT application FROM api_key WHERE key_id = :keyId', { keyId })
    ?.application ?? null;

/** Records an attempt to sign in, in the applications of the account or of the key. */
function recordSignIn(database: Database, { account, at, ...entry }: AuditedSignIn & { at: number }): void {
  if (account.type === 'user') {
    recordAccountChange(database, { ...entry, at, actor: account, userId: account.id });
    return;
  }
  const application = applicationOfKey(database, account.id);
  if (application !== null)
    recordChange(database, { ...entry, application, at, actor: account, resourceId: account.id });
}

export const signInCommands = locking('people', { recordSignIn });
export const signInQueries = { findTriedKey };
