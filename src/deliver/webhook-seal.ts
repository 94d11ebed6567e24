import { AppError } from '../errors.ts';
import { SealError, type SecretBox } from '../runtime/secrets.ts';
import { SEALED } from '../tests/failures.ts';
import type { Webhook } from './attempt.ts';
import type { SealedWebhook } from './delivery-store.ts';

type SealedPair = Pick<SealedWebhook, 'secret' | 'previousSecret' | 'previousUntil'>;
export type SealedSecrets = SealedPair & Pick<SealedWebhook, 'application'>;

/**
 * Returns the context in which a value is encrypted. Both secrets share one, because the current secret becomes the
 * previous one.
 */
const placeOf = (application: number, column: 'secret' | 'headers'): string =>
  `${application}/webhook.${column}`;

export const sealSecret = (box: SecretBox, application: number, secret: string): Buffer =>
  box.seal(secret, placeOf(application, 'secret'));

export const sealHeaders = (box: SecretBox, application: number, headers: Webhook['headers']): Buffer =>
  box.seal(JSON.stringify(headers), placeOf(application, 'headers'));

/** Returns all secrets that sign at `now` (Unix milliseconds), newest first. Throws AppError `conflict`. */
export function unsealSecrets(box: SecretBox, sealed: SealedSecrets, now: number): Webhook['secrets'] {
  return openSecrets(sealed, now, (value) => unseal(box, value, placeOf(sealed.application, 'secret')));
}

/** Opens the secrets that sign at `now` (Unix milliseconds), newest first. */
export function openSecrets(
  { secret, previousSecret, previousUntil }: SealedPair,
  now: number,
  open: (value: Uint8Array) => string,
): Webhook['secrets'] {
  const isPreviousGood = previousSecret !== null && previousUntil !== null && now < previousUntil;
  return isPreviousGood ? [open(secret), open(previousSecret)] : [open(secret)];
}

/**
 * Decrypts a stored webhook, as it is at `now`. Throws AppError `conflict` when it was encrypted with another key.
 */
export function unsealWebhook(box: SecretBox, sealed: SealedWebhook, now: number): Webhook {
  const { application, url, headers, timeoutMs } = sealed;
  return {
    url,
    headers:
      headers === null
        ? {}
        : (JSON.parse(unseal(box, headers, placeOf(application, 'headers'))) as Webhook['headers']),
    secrets: unsealSecrets(box, sealed, now),
    timeoutMs,
  };
}

function unseal(box: SecretBox, value: Uint8Array, place: string): string {
  try {
    return box.open(value, place);
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    throw new AppError('conflict', `The webhook cannot be decrypted: ${error.message}. ${SEALED.hint}`);
  }
}
