/** Text that is shown instead of a secret. */
export const MASK = '***';

/** Shorter secrets are placeholders, and may be words of any text: to mask them would garble it. */
const MIN_SECRET_LENGTH = 8;

/** Returns the text with each occurrence of the secret masked. */
export const maskSecret = (text: string, secret: string | null): string =>
  secret === null || secret.length < MIN_SECRET_LENGTH ? text : text.replaceAll(secret, MASK);
