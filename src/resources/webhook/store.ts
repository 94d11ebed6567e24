import { invalid } from '../../contract/errors.ts';
import type { SealedWebhook } from '../../deliver/delivery-store.ts';
import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/sqlite/database.ts';
import { withGiven } from '../../contract/with-given.ts';

/** For so long a secret that was replaced still signs and verifies. */
const OLD_SECRET_MS = 24 * 60 * 60 * 1_000;

export interface StoredWebhook extends SealedWebhook {
  id: string;
  enabled: boolean;
  /** Unix milliseconds. */
  createdAt: number;
  modifiedAt: number;
}

function getWebhook(database: Database, { application }: { application: number }): StoredWebhook | null {
  const row = database.get<Omit<StoredWebhook, 'enabled'> & { enabled: number }>(
    `SELECT application, id, url, headers, secret, previous_secret AS previousSecret, previous_until AS previousUntil,
       timeout_ms AS timeoutMs, enabled, created_at AS createdAt, modified_at AS modifiedAt
     FROM webhook WHERE application = ?`,
    application,
  );
  return row ? { ...row, enabled: row.enabled === 1 } : null;
}

export interface SaveWebhook {
  application: number;
  given: {
    url?: string | undefined;
    /** Sealed; null = none any more. */
    headers?: Uint8Array | null | undefined;
    timeoutMs?: number | undefined;
    enabled?: boolean | undefined;
  };
  /** What else a new one is made of; null when the caller is no admin. */
  fresh: Pick<StoredWebhook, 'id' | 'secret' | 'timeoutMs'> | null;
  at: number;
}

/** Throws `forbidden` where only an admin may, and `invalid` when a new one has no address. */
function saveWebhook(
  database: Database,
  { application, given, fresh, at }: SaveWebhook,
): { webhook: StoredWebhook; isNew: boolean } {
  const before = getWebhook(database, { application });
  if (before) {
    if (!fresh) refuseToCarryHeaders(before, given);
    return { webhook: putWebhook(database, { ...withGiven(before, given), modifiedAt: at }), isNew: false };
  }
  if (!fresh) throw needsAdmin('to make a webhook, whose secret is in the answer');
  const { url } = given;
  if (url === undefined) throw invalid([{ code: 'invalid_type', message: 'Required', path: ['url'] }]);
  const made: StoredWebhook = {
    ...fresh,
    application,
    url,
    headers: null,
    previousSecret: null,
    previousUntil: null,
    enabled: true,
    createdAt: at,
    modifiedAt: at,
  };
  return { webhook: putWebhook(database, withGiven(made, given)), isNew: true };
}

/** Values of headers are shown to nobody, so nobody but an admin may have them sent to somebody else. */
function refuseToCarryHeaders(before: StoredWebhook, { url, headers }: SaveWebhook['given']): void {
  if (url === undefined || headers !== undefined || before.headers === null) return;
  if (new URL(url).origin === new URL(before.url).origin) return;
  throw needsAdmin('to send the configured headers to another server; or give headers anew');
}

const needsAdmin = (purpose: string): AppError =>
  new AppError('forbidden', `The API key lacks the scope "admin" ${purpose}`);

/** Throws `not_found`. */
function rotateWebhookSecret(
  database: Database,
  { application, secret, at }: { application: number; secret: Uint8Array; at: number },
): StoredWebhook {
  const before = getWebhook(database, { application });
  if (!before) throw new AppError('not_found', 'webhook not found');
  const previous = { previousSecret: before.secret, previousUntil: at + OLD_SECRET_MS };
  return putWebhook(database, { ...before, ...previous, secret, modifiedAt: at });
}

function putWebhook(database: Database, webhook: StoredWebhook): StoredWebhook {
  database.run(
    `REPLACE INTO webhook (application, id, url, headers, secret, previous_secret, previous_until, timeout_ms, enabled,
       created_at, modified_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    webhook.application,
    webhook.id,
    webhook.url,
    webhook.headers,
    webhook.secret,
    webhook.previousSecret,
    webhook.previousUntil,
    webhook.timeoutMs,
    Number(webhook.enabled),
    webhook.createdAt,
    webhook.modifiedAt,
  );
  return webhook;
}

/** Throws `not_found`. */
function deleteWebhook(database: Database, { application }: { application: number }): void {
  if (database.run('DELETE FROM webhook WHERE application = ?', application) === 0)
    throw new AppError('not_found', 'webhook not found');
}

export const webhookCommands = { saveWebhook, rotateWebhookSecret, deleteWebhook };
export const webhookQueries = { getWebhook };
