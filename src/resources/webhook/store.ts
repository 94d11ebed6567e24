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
    /** Sealed; null = none any more. */
    headers?: Uint8Array | null | undefined;
    timeoutMs?: number | undefined;
    enabled?: boolean | undefined;
  };
  /** Further fields of a new webhook; null when the caller is no admin. */
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
    if (!fresh) rejectMovingHeaders(before, given);
    webhooks.update(database, { application, id: before.id, at }, given);
  } else {
    if (!fresh) throw needsAdmin('to make a webhook, whose secret is in the answer');
    const { url, headers = null, timeoutMs = fresh.timeoutMs, enabled = true } = given;
    if (url === undefined) throw invalid([{ code: 'invalid_type', message: 'Required', path: ['url'] }]);
    webhooks.insert(database, { application, at }, { ...fresh, url, headers, timeoutMs, enabled });
  }
  return { webhook: getWebhook(database, { application }) as StoredWebhook, isNew: !before };
}

/** Values of headers are shown to nobody, so nobody but an admin may have them sent to somebody else. */
function rejectMovingHeaders(before: StoredWebhook, { url, headers }: SaveWebhook['given']): void {
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
  if (!before) throw notFound('webhook');
  const previous = { previousSecret: before.secret, previousUntil: at + OLD_SECRET_MS };
  webhooks.update(database, { application, id: before.id, at }, { ...previous, secret });
  return getWebhook(database, { application }) as StoredWebhook;
}

/** Throws `not_found`. */
function deleteWebhook(database: Database, { application }: { application: number }): void {
  if (database.run('DELETE FROM webhook WHERE application = :application', { application }) === 0)
    throw notFound('webhook');
}

export const webhookCommands = { saveWebhook, rotateWebhookSecret, deleteWebhook };
export const webhookQueries = { getWebhook };
