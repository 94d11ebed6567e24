import { createCipheriv, createDecipheriv, createHmac, randomBytes, scryptSync } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { StartupError } from '../errors.ts';

const KEY_BYTES = 32;
const MIN_TEXT_LENGTH = 16;
const OTHERS_MAY_READ = 0o077;

/**
 * Parameters of scrypt. A person may have chosen the text, so each guess from a stolen store must cost time and
 * memory, which HKDF would not: about 0.1 s and 32 MiB, once per start. The salt is fixed, because the only place for
 * another one would be the store itself.
 */
const SCRYPT = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const SCRYPT_SALT = 'touchstone secrets v1';

/** Form of a setting that is the content of a key file, such as that of a folder which was copied into a database. */
const KEY_OF_FILE = /^base64:([\dA-Za-z+/]{43}=)$/;

/**
 * Derives the key from the text of the setting; the same text always results in the same key. A text in the form of a key file is the
 * key itself. Throws StartupError.
 */
export function secretKeyFromText(text: string): Buffer {
  const encoded = KEY_OF_FILE.exec(text)?.[1];
  if (encoded !== undefined) return Buffer.from(encoded, 'base64');
  if (text.length < MIN_TEXT_LENGTH) {
    throw new StartupError(`The secret key must have at least ${MIN_TEXT_LENGTH} characters.`);
  }
  return scryptSync(text, SCRYPT_SALT, KEY_BYTES, SCRYPT);
}

/**
 * Reads the key in a file, and creates it when the file does not exist; only the owner of the data folder's lock may
 * do so. Throws StartupError when the file cannot be read or has no valid key. `warning` is a sentence for the log.
 */
export function secretKeyFromFile(file: string): { key: Buffer; warning: string | null } {
  if (!statSync(file, { throwIfNoEntry: false })) writeKey(file);
  const key = readKey(file);
  if (key.length !== KEY_BYTES) {
    throw new StartupError(
      `${file} has ${key.length} bytes instead of ${KEY_BYTES}; restore it from a backup, because secrets in the store cannot be decrypted without it.`,
    );
  }
  const mode = statSync(file).mode & 0o777;
  const isOpen = process.platform !== 'win32' && (mode & OTHERS_MAY_READ) !== 0;
  return {
    key,
    warning: isOpen
      ? `${file} is accessible to other users (mode ${mode.toString(8)}); run chmod 600 on it.`
      : null,
  };
}

function readKey(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new StartupError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/** Writes the file atomically, and syncs it to disk before the key is used. */
function writeKey(file: string): void {
  const fresh = `${file}.new`;
  const descriptor = openSync(fresh, 'w', 0o600);
  try {
    writeFileSync(descriptor, randomBytes(KEY_BYTES));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(fresh, file);
}

/** Error of a sealed value that cannot be decrypted. The message gives the reason and nothing of the contents. */
export class SealError extends Error {
  override readonly name = 'SealError';
}

const CIPHER = 'aes-256-gcm';
const VERSION = 1;
const MARK_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + MARK_BYTES;
const OVERHEAD = HEADER_BYTES + NONCE_BYTES + TAG_BYTES;

/** Returns 4 bytes that distinguish a key from others, and from which it cannot be computed. */
export const keyMark = (key: Uint8Array): Buffer =>
  createHmac('sha256', key).update('touchstone key mark').digest().subarray(0, MARK_BYTES);

/** Returns the mark of the key with which a value was sealed, in hex. */
export const sealedMark = (sealed: Uint8Array): string =>
  Buffer.from(sealed.subarray(1, HEADER_BYTES)).toString('hex');

/**
 * Encrypts texts for the store with AES-256-GCM: version (1 byte), key mark (4), nonce (12), ciphertext, tag (16).
 * `context` identifies the place of a value, such as `<application id>/webhook.secret`; it cannot be decrypted in any
 * other place.
 */
export class SecretBox {
  private readonly key: Buffer;
  /** Version and key mark, which distinguish a wrong key from a damaged value. */
  private readonly header: Buffer;

  /** Creates a box; `key` has 32 bytes. */
  constructor(key: Buffer) {
    this.key = key;
    this.header = Buffer.concat([Buffer.of(VERSION), keyMark(key)]);
  }

  seal(plaintext: string, context: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(this.boundTo(context));
    const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
    return Buffer.concat([this.header, nonce, ciphertext, cipher.getAuthTag()]);
  }

  /** Derives a secret for this purpose, from which the key cannot be computed. */
  derive(purpose: string): Buffer {
    return createHmac('sha256', this.key).update(`touchstone derived ${purpose}`).digest();
  }

  /** Decrypts a value; throws SealError. */
  open(sealed: Uint8Array, context: string): string {
    this.check(sealed);
    const nonce = sealed.subarray(HEADER_BYTES, HEADER_BYTES + NONCE_BYTES);
    const tag = sealed.subarray(-TAG_BYTES);
    const ciphertext = sealed.subarray(HEADER_BYTES + NONCE_BYTES, -TAG_BYTES);
    const decipher = createDecipheriv(CIPHER, this.key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(this.boundTo(context)).setAuthTag(tag);
    try {
      return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
    } catch {
      throw new SealError('an encrypted value was changed, or moved to another place');
    }
  }

  private check(sealed: Uint8Array): void {
    if (sealed.length < OVERHEAD) throw new SealError('an encrypted value is truncated');
    if (sealed[0] !== VERSION)
      throw new SealError(`an encrypted value has version ${sealed[0]}, not ${VERSION}`);
    if (!this.header.equals(sealed.subarray(0, HEADER_BYTES))) {
      throw new SealError(
        'a value was encrypted with another key: the secret key setting, or the file secret.key, has changed',
      );
    }
  }

  private boundTo(context: string): Buffer {
    return Buffer.concat([this.header, Buffer.from(context, 'utf8')]);
  }
}
