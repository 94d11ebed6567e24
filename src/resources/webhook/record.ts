import { bytes, flag, nullable, number, text } from '../../storage/column.ts';
import { type FieldsOf, record } from '../../storage/record.ts';

/** Endpoint of the tests of an application. Secrets and the values of headers are encrypted. */
export const webhooks = record('webhook', 'webhook', {
  url: text,
  headers: nullable(bytes),
  secret: bytes,
  /** Previous secret, which signs and verifies until `previousUntil`, in Unix milliseconds. */
  previousSecret: nullable(bytes),
  previousUntil: nullable(number),
  timeoutMs: number,
  enabled: flag,
});
export type StoredWebhook = FieldsOf<typeof webhooks> & { application: number };
