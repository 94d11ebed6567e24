import { randomBytes } from 'node:crypto';
import { sha256 } from '../../runtime/sha256.ts';

/** Pattern of a key, `sk_<keyId>_<secret>`: the id may be shown, and only the owner keeps the complete text. */
const KEY_TEXT = /^sk_([0-9A-Za-z]{12})_[0-9A-Za-z]{43}$/;
const KEY_ID_LENGTH = 12;
const SECRET_LENGTH = 43;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Random bytes from here on are discarded, because they would make the first letters more likely. */
const UNBIASED_BELOW = 256 - (256 % BASE62.length);

export interface NewKey {
  text: string;
  keyId: string;
  hash: Uint8Array;
}

export const generateKey = (): NewKey =>
  keyFrom(`sk_${randomBase62(KEY_ID_LENGTH)}_${randomBase62(SECRET_LENGTH)}`) as NewKey;

/** Returns the stored form of a key text; null when the text is not a key. */
export function keyFrom(text: string): NewKey | null {
  const keyId = keyIdOf(text);
  return keyId === null ? null : { text, keyId, hash: hashKey(text) };
}

export const keyIdOf = (text: string): string | null => KEY_TEXT.exec(text)?.[1] ?? null;

export const hashKey = sha256;

function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < UNBIASED_BELOW && text.length < length) text += BASE62[byte % BASE62.length];
    }
  }
  return text;
}
