/** Text shown instead of a secret. */
export const MASK = '***';

/** Length below which a secret is a placeholder and may be any word, so that masking it would garble texts. */
const MIN_SECRET_LENGTH = 8;

/** Returns the text with each occurrence of the secret masked. */
export const maskSecret = (text: string, secret: string | null): string =>
  secret === null || secret.length < MIN_SECRET_LENGTH ? text : text.replaceAll(secret, MASK);
