import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StartupError } from '../../src/errors.ts';
import { SealError, SecretBox, secretKeyFromFile, secretKeyFromText } from '../../src/runtime/secrets.ts';

const KEY = Buffer.alloc(32, 7);
const box = new SecretBox(KEY);
const PLACE = '7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60/webhook.secret';

describe('SecretBox', () => {
  it('opens what it sealed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (plaintext, context) => {
        expect(box.open(box.seal(plaintext, context), context)).toBe(plaintext);
      }),
    );
  });

  it('opens what another box with the same key sealed', () => {
    expect(new SecretBox(Buffer.from(KEY)).open(box.seal('x', PLACE), PLACE)).toBe('x');
  });

  it('opens what this version has sealed before', () => {
    const sealed = Buffer.from('Afd7/z/IePV6kSibWiWuT3olBPxbceZ4vqDde4i1EFI0Ck52w2vb5y3SSHQQCoKH', 'base64');
    expect(box.open(sealed, PLACE)).toBe('whsec_something');
  });

  it('shows nothing of the text, and seals it differently each time', () => {
    const sealed = Array.from({ length: 100 }, () => box.seal('a secret text', PLACE));
    expect(new Set(sealed.map((bytes) => bytes.toString('hex'))).size).toBe(100);
    expect(sealed.some((bytes) => bytes.includes('secret'))).toBe(false);
    expect(sealed[0]).toHaveLength(1 + 4 + 12 + 'a secret text'.length + 16);
  });

  it('does not open a value in another place', () => {
    const sealed = box.seal('x', PLACE);
    for (const context of ['', PLACE.toUpperCase(), PLACE.replace('secret', 'headers'), `${PLACE} `]) {
      expect(() => box.open(sealed, context)).toThrow(
        new SealError('an encrypted value was changed, or moved to another place'),
      );
    }
  });

  it('says when a value was encrypted with another key', () => {
    const other = new SecretBox(Buffer.alloc(32, 8));
    expect(() => other.open(box.seal('x', PLACE), PLACE)).toThrow(/^a value was encrypted with another key/);
  });

  it('does not open a value with any one bit changed', () => {
    const sealed = box.seal('text', PLACE);
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(() => box.open(changed, PLACE)).toThrow(SealError);
    }
  });

  it('does not open a value of any other length', () => {
    const sealed = box.seal('text', PLACE);
    for (let length = 0; length < sealed.length; length++) {
      expect(() => box.open(sealed.subarray(0, length), PLACE)).toThrow(SealError);
    }
    expect(() => box.open(Buffer.concat([sealed, Buffer.of(0)]), PLACE)).toThrow(SealError);
  });

  it('names a version it does not know', () => {
    const sealed = box.seal('text', PLACE);
    sealed[0] = 2;
    expect(() => box.open(sealed, PLACE)).toThrow('an encrypted value has version 2, not 1');
  });
});

describe('the key from a text', () => {
  it('is the same for the same text, on every machine', () => {
    expect(secretKeyFromText('correct horse battery staple').toString('hex')).toBe(
      '29eb10f22fd2266003a590b898bbb1eb5a3bc9bd192eb7f7d4b419704c3375cd',
    );
  });

  it('is another for another text', () => {
    const [one, other] = ['a text of 16 char', 'a text of 16 chaR'].map(secretKeyFromText);
    expect(one).toHaveLength(32);
    expect(one).not.toEqual(other);
  });

  it('is not made of a short text, which is not shown', () => {
    expect(() => secretKeyFromText('fifteen letters')).toThrow(
      new StartupError('The secret key must have at least 16 characters.'),
    );
  });
});

describe('the key in a file', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('is made once, for its owner alone', () => {
    const file = join(folder, 'secret.key');
    const { key, warning } = secretKeyFromFile(file);
    expect(key).toHaveLength(32);
    expect(warning).toBeNull();
    expect(readFileSync(file)).toEqual(key);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(secretKeyFromFile(file)).toEqual({ key, warning: null });
    expect(readdirSync(folder)).toEqual(['secret.key']);
  });

  it('is created again for each folder', () => {
    const { key } = secretKeyFromFile(join(folder, 'one'));
    expect(secretKeyFromFile(join(folder, 'other')).key).not.toEqual(key);
  });

  it('is made where a kill left half of one', () => {
    writeFileSync(join(folder, 'secret.key.new'), 'half of it and much, much more than a whole key has');
    expect(secretKeyFromFile(join(folder, 'secret.key')).key).toHaveLength(32);
    expect(existsSync(join(folder, 'secret.key.new'))).toBe(false);
  });

  it.each([0o640, 0o604, 0o644, 0o666])('is used with a warning when its mode is %i', (mode) => {
    const file = join(folder, 'secret.key');
    writeFileSync(file, KEY);
    chmodSync(file, mode);
    expect(secretKeyFromFile(file)).toEqual({
      key: KEY,
      warning: `${file} is accessible to other users (mode ${mode.toString(8)}); run chmod 600 on it.`,
    });
  });

  it.each([0, 31, 33, 64])('is rejected, and left as it is, when it has %i bytes', (length) => {
    const file = join(folder, 'secret.key');
    writeFileSync(file, Buffer.alloc(length, 1));
    expect(() => secretKeyFromFile(file)).toThrow(StartupError);
    expect(() => secretKeyFromFile(file)).toThrow(`${file} has ${length} bytes instead of 32`);
    expect(readFileSync(file)).toHaveLength(length);
  });

  it('is rejected when it cannot be read', () => {
    const file = join(folder, 'secret.key');
    mkdirSync(file);
    expect(() => secretKeyFromFile(file)).toThrow(new StartupError(`${file} cannot be read (EISDIR).`));
  });
});
