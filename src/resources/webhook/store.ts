import { invalid } from '../../contract/errors.ts';
import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/database.ts';
import { notFound } from '../../storage/require-row.ts';
import { type StoredWebhook, webhooks } from './record.ts';

/** Milliseconds for which a replaced secret still signs and verifies. */
const OLD_SECRET_MS = 24 * 60 * 60 * 1_000;

function getWebhook(database: Database, { application }: { application: number }): StoredWebhook | null {
  const [webhook] = webhooks.all(database, application, 'true');
  return webhook ? { ...webhook, application } : null;
}

export interface SaveWebhook {
  application: number;
  given: {
    url?: string | undefined;
    /** Encrypted headers; null to remove them. */
    headers?: Uint8Array | null | undefined;
    timeoutMs?: number | undefined;
    enabled?: boolean | undefined;
  };
  /** Further fields of a new webhook; null when the caller has no scope `admin`. */
  fresh: Pick<StoredWebhook, 'id' | 'secret' | 'timeoutMs'> | null;
  at: number;
}

/**
 * Creates or updates a webhook. Throws `forbidden` if that requires the scope `admin`, and `invalid` when a new one
 * has no URL.
 */
function saveWebhook(
  database: Database,
  { application, given, fresh, at }: SaveWebhook,
): { webhook: StoredWebhook; isNew: boolean } {
  const before = getWebhook(database, { application });
  if (before) {
    if (!fresh) rejectMovingHeaders(before, given);
    webhooks.update(database, { application, id: before.id, at }, given);
  } else {
    if (!fresh) throw needsAdmin('to create a webhook, whose secret is in the response');
    const { url, headers = null, timeoutMs = fresh.timeoutMs, enabled = true } = given;
    if (url === undefined) throw invalid([{ code: 'invalid_type', message: 'Required', path: ['url'] }]);
    webhooks.insert(database, { application, at }, { ...fresh, url, headers, timeoutMs, enabled });
  }
  return { webhook: getWebhook(database, { application }) as StoredWebhook, isNew: !before };
}

/** Rejects sending the hidden values of headers to another server, unless the caller has the scope `admin`. */
function rejectMovingHeaders(before: StoredWebhook, { url, headers }: SaveWebhook['given']): void {
  if (url === undefined || headers !== undefined || before.headers === null) return;
  if (new URL(url).origin === new URL(before.url).origin) return;
  throw needsAdmin('to send the configured headers to another server; or send the headers again');
}

const needsAdmin = (purpose: string): AppError =>
  new AppError('forbidden', `The API key lacks the scope "admin" ${purpose}`);

/** Replaces the secret of a webhook; throws `not_found`. */
function rotateWebhookSecret(
  database: Database,
  { application, secret, at }: { application: number; secret: Uint8Array; at: number },
): StoredWebhook {
  const before = getWebhook(database, { application });
  if (!before) throw notFound('webhook');
  const previous = { previousSecret: before.secret, previousUntil: at + OLD_SECRET_MS };
  webhooks.update(database, { application, id: before.id, at }, { ...previous, secret });
  return getWebhook(database, { application }) as StoredWebhook;
}

/** Deletes a webhook; throws `not_found`. */
function deleteWebhook(database: Database, { application }: { application: number }): void {
  if (database.run('DELETE FROM webhook WHERE application = :application', { application }) === 0)
    throw notFound('webhook');
}

/** Deletes a webhook unless it was replaced or changed to another URL. */
function removeWebhook(
  database: Database,
  { application, id, url }: { application: number; id: string; url: string },
): void {
  database.run('DELETE FROM webhook WHERE application = :application AND id = :id AND url = :url', {
    application,
    id,
    url,
  });
}

export const webhookCommands = { saveWebhook, rotateWebhookSecret, deleteWebhook, removeWebhook };
export const webhookQueries = { getWebhook };
