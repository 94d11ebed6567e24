import { createHmac, randomBytes } from 'node:crypto';
import { sha256 } from '../runtime/sha256.ts';

const TOKEN_BYTES = 32;
const TOKEN_TEXT = /^[\w-]{43}$/;

/** A secret of a cookie or a link, and the hash that is stored of it. */
export interface NewToken {
  text: string;
  hash: Uint8Array;
}

export function newToken(): NewToken {
  const text = randomBytes(TOKEN_BYTES).toString('base64url');
  return { text, hash: hashToken(text) };
}

export const isToken = (text: string): boolean => TOKEN_TEXT.test(text);

export const hashToken = sha256;

export const newCsrfKey = (): Uint8Array => randomBytes(TOKEN_BYTES);

/**
 * Returns the text that a page sends in `x-csrf`. It follows from the cookie only with the key in the store, since other
 * programs on the host of the server receive the cookie too.
 */
export const csrfOf = (csrfKey: Uint8Array, token: string): string =>
  createHmac('sha256', csrfKey).update(token).digest('base64url');
