import { createHmac } from 'node:crypto';

/** Characters of the digest in a token: 48 bits, so that equal tokens mean equal values. */
const DIGEST_CHARACTERS = 12;
const MAX_REMEMBERED = 2_000;
/** Longest value that is remembered with its token. */
const MAX_REMEMBERED_LENGTH = 200;

const SEPARATORS = /[\s().\-/]/g;
/** Spellings of one value that get one token. */
const NORMAL_FORMS: Readonly<Record<string, (value: string) => string>> = {
  email: (value) => value.toLowerCase(),
  card: (value) => value.replaceAll(/\D/g, ''),
  iban: (value) => value.replaceAll(' ', '').toUpperCase(),
  phone: (value) => value.replaceAll(SEPARATORS, '').replace(/^00/, '+'),
};

/** Makes the tokens of one application: the same value always gets the same one, such as `<email:3f9a1c20b7de>`. */
export class Pseudonyms {
  private readonly key: Uint8Array;
  private readonly remembered = new Map<string, string>();

  constructor(key: Uint8Array) {
    this.key = key;
  }

  tokenOf(kind: string, value: string): string {
    const name = `${kind} ${NORMAL_FORMS[kind]?.(value) ?? value}`;
    const known = this.remembered.get(name);
    if (known !== undefined) return known;
    const digest = createHmac('sha256', this.key).update(name).digest('hex').slice(0, DIGEST_CHARACTERS);
    const token = `<${kind}:${digest}>`;
    if (name.length <= MAX_REMEMBERED_LENGTH) {
      if (this.remembered.size >= MAX_REMEMBERED) this.remembered.clear();
      this.remembered.set(name, token);
    }
    return token;
  }
}

const TOKEN = /^<[a-z][\w-]{0,31}:[\da-f]{12}>$/;
const BEFORE_DIGEST = /<[a-z][\w-]{0,31}:$/;
const LONGEST_NAME = 34;

/** Reports whether a text is a token already. */
export const isPseudonym = (text: string): boolean => text.length < 50 && TOKEN.test(text);

/** Reports whether a place in a text is the digest of a token. */
export const isInToken = (text: string, start: number): boolean =>
  text[start - 1] === ':' && BEFORE_DIGEST.test(text.slice(Math.max(0, start - LONGEST_NAME), start));
