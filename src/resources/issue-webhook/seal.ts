import { openSecrets } from '../../deliver/webhook-seal.ts';
import { AppError } from '../../errors.ts';
import { SealError, type SecretBox } from '../../runtime/secrets.ts';
import type { StoredIssueWebhook } from './record.ts';

/** Returns the context in which a secret is encrypted. */
const placeOf = (application: number): string => `${application}/issue_webhook.secret`;

export const sealIssueSecret = (box: SecretBox, application: number, secret: string): Buffer =>
  box.seal(secret, placeOf(application));

/** Returns all secrets that sign at `now` (Unix milliseconds), newest first. Throws AppError `conflict`. */
export function unsealIssueSecrets(
  box: SecretBox,
  webhook: StoredIssueWebhook,
  now: number,
): readonly [string, ...string[]] {
  return openSecrets(webhook, now, (value) => unseal(box, value, placeOf(webhook.application)));
}

function unseal(box: SecretBox, value: Uint8Array, place: string): string {
  try {
    return box.open(value, place);
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    throw new AppError(
      'conflict',
      `The secret of the issue webhook cannot be decrypted: ${error.message}. Start the server with the secret key it had, or delete this webhook and create it again.`,
    );
  }
}
