import type { Database } from '../storage/database.ts';

/** Answers are remembered this long. */
export const REMEMBER_MS = 86_400_000;

/** The answer to a call that named an `Idempotency-Key`. */
export interface RememberedAnswer {
  key: string;
  /** SHA-256 of the request's body. */
  requestHash: Uint8Array;
  response: string;
}

/** The answer given before to a call with this `Idempotency-Key`, if any. */
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

/** Expired responses that are deleted whenever one is stored: few, because each may be large. */
const MAX_FORGOTTEN = 10;

/** Remembers an answer, in the commit of what it reports; false when the key is taken. */
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
