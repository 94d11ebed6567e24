import { createCipheriv, createDecipheriv, createHmac, randomBytes, scryptSync } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { StartupError } from '../errors.ts';

const KEY_BYTES = 32;
const MIN_TEXT_LENGTH = 16;
const OTHERS_MAY_READ = 0o077;

/**
 * A person may have thought of the text, so each guess at it from a stolen store must cost time and memory, which HKDF
 * would not: about 0.1 s and 32 MiB, once for each start. The salt is fixed: there is no place for it but the store.
 */
const SCRYPT = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const SCRYPT_SALT = 'touchstone secrets v1';

/** The key from the text of the setting; the same text always gives the same key. Throws StartupError. */
export function secretKeyFromText(text: string): Buffer {
  if (text.length < MIN_TEXT_LENGTH) {
    throw new StartupError(`The secret key must have at least ${MIN_TEXT_LENGTH} characters.`);
  }
  return scryptSync(text, SCRYPT_SALT, KEY_BYTES, SCRYPT);
}

/**
 * The key in a file, which is made when it is not there; only who has taken the data folder may. Throws StartupError
 * when the file cannot be read or holds no key. `warning` is a sentence for the log.
 */
export function secretKeyFromFile(file: string): { key: Buffer; warning: string | null } {
  if (!statSync(file, { throwIfNoEntry: false })) writeKey(file);
  const key = readKey(file);
  if (key.length !== KEY_BYTES) {
    throw new StartupError(
      `${file} has ${key.length} bytes where a key has ${KEY_BYTES}; restore it from a backup, since what was sealed with it cannot be opened without.`,
    );
  }
  const mode = statSync(file).mode & 0o777;
  const isOpen = process.platform !== 'win32' && (mode & OTHERS_MAY_READ) !== 0;
  return {
    key,
    warning: isOpen ? `${file} is open to others (mode ${mode.toString(8)}); run chmod 600 on it.` : null,
  };
}

function readKey(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new StartupError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/** The whole file or none of it, on the disk before anything is sealed with it. */
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

/** A sealed value cannot be opened; the message says why, and nothing of what is inside. */
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

/**
 * Seals texts for the store by AES-256-GCM: version (1 byte), mark of the key (4), nonce (12), ciphertext, tag (16).
 * `context` says where a value belongs, such as `<application id>/webhook.secret`: in any other place it does not open.
 */
export class SecretBox {
  private readonly key: Buffer;
  /** Version and mark: tells a wrong key from a damaged value. */
  private readonly header: Buffer;

  /** `key` has 32 bytes. */
  constructor(key: Buffer) {
    this.key = key;
    const mark = createHmac('sha256', key).update('touchstone key mark').digest();
    this.header = Buffer.concat([Buffer.of(VERSION), mark.subarray(0, MARK_BYTES)]);
  }

  seal(plaintext: string, context: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(this.boundTo(context));
    const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
    return Buffer.concat([this.header, nonce, ciphertext, cipher.getAuthTag()]);
  }

  /** Throws SealError. */
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
      throw new SealError('a sealed value was changed, or moved from the place it was sealed for');
    }
  }

  private check(sealed: Uint8Array): void {
    if (sealed.length < OVERHEAD) throw new SealError('a sealed value is cut short');
    if (sealed[0] !== VERSION) throw new SealError(`a sealed value has version ${sealed[0]}, not ${VERSION}`);
    if (!this.header.equals(sealed.subarray(0, HEADER_BYTES))) {
      throw new SealError(
        'a value was sealed with another key: the secret key setting or the file secret.key is not the one it was then',
      );
    }
  }

  private boundTo(context: string): Buffer {
    return Buffer.concat([this.header, Buffer.from(context, 'utf8')]);
  }
}
