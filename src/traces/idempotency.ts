import type { Database } from '../storage/database.ts';

/** Milliseconds for which responses are stored. */
export const REMEMBER_MS = 86_400_000;

/** Response to a call with an `Idempotency-Key`. */
export interface RememberedAnswer {
  key: string;
  /** SHA-256 of the request body. */
  requestHash: Uint8Array;
  response: string;
}

/** Returns the stored response to a call with this `Idempotency-Key`, if any. */
export function findAnswer(
  database: Database,
  { application, key, since }: { application: number; key: string; since: number },
): { requestHash: Buffer; response: string } | null {
  return (
    database.get<{ requestHash: Buffer; response: string }>(
      `SELECT request_hash AS requestHash, response FROM idempotency
       WHERE application = :application AND key = :key AND created_at >= :since`,
      { application, key, since },
    ) ?? null
  );
}

/** Number of expired responses that are deleted whenever one is stored: small, because each may be large. */
const MAX_FORGOTTEN = 10;

/** Stores a response, in the commit of the changes it reports; returns false when the key is in use. */
export function storeAnswer(
  database: Database,
  application: number,
  at: number,
  { key, requestHash, response }: RememberedAnswer,
): boolean {
  const since = at - REMEMBER_MS;
  database.run(
    'DELETE FROM idempotency WHERE application = :application AND key = :key AND created_at < :since',
    { application, key, since },
  );
  database.run(
    `DELETE FROM idempotency WHERE (application, key) IN (
       SELECT application, key FROM idempotency WHERE created_at < ? ORDER BY created_at LIMIT ?)`,
    since,
    MAX_FORGOTTEN,
  );
  const added = database.run(
    `INSERT INTO idempotency (application, key, request_hash, response, created_at)
     VALUES (:application, :key, :requestHash, :response, :at) ON CONFLICT DO NOTHING`,
    { application, key, requestHash, response, at },
  );
  return added === 1;
}
