import { z } from 'zod';
import { invalid } from '../../contract/errors.ts';
import type { AddressGuard } from '../../deliver/address-guard.ts';

/** Schema of the URL of a webhook. */
export const webhookUrl = z
  .string()
  .max(2_048)
  .regex(/^\S+$/, 'must be a URL without white space, such as https://app.example.com/webhook');

/** Throws `invalid` at once for URLs that the guard would reject at every request. Host names are resolved only then. */
export function checkWebhookUrl(guard: Pick<AddressGuard, 'checkUrl'>, url: string): void {
  const verdict = guard.checkUrl(url);
  if (verdict.allowed) return;
  const message = `${verdict.reason}. ${verdict.hint}`;
  throw invalid([{ code: 'invalid_string', message, path: ['url'] }]);
}
