import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAuthenticator, requireScope } from '../src/auth.ts';
import { AppError } from '../src/errors.ts';
import { generateKey, keyFrom, keyIdOf } from '../src/resources/api-keys/key-text.ts';
import type { KeyRecord } from '../src/resources/api-keys/store.ts';

const applicationId = '7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60';

function setUp(more: Partial<KeyRecord> = {}) {
  const { text, keyId, hash } = generateKey();
  const record: KeyRecord = {
    id: 'a3f1c0de-0000-4000-8000-000000000001',
    name: 'CI',
    keyId,
    hash,
    scopes: ['read'],
    expiresAt: null,
    revokedAt: null,
    application: 3,
    applicationId,
    orgId: 'org',
    ...more,
  };
  const records = new Map([[keyId, record]]);
  const clock = { now: 1_000_000, elapsed: 0 };
  const lookups: string[] = [];
  const store = { failure: null as Error | null };
  const authenticator = createAuthenticator(
    async (id) => {
      lookups.push(id);
      await Promise.resolve();
      if (store.failure) throw store.failure;
      return records.get(id) ?? null;
    },
    { now: () => clock.now, elapsed: () => clock.elapsed },
  );
  const headers = { 'x-api-key': text, 'x-application-id': applicationId };
  return { authenticator, headers, text, keyId, records, record, clock, lookups, store };
}

const failure = async (work: Promise<unknown>): Promise<AppError> => {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof AppError) return error;
  throw new Error('no AppError', { cause: error });
};

describe('the caller', () => {
  it('is known by key and application', async () => {
    const { authenticator, headers, keyId } = setUp();
    expect(await authenticator.authenticate(headers)).toEqual({
      organisation: 'org',
      applicationId,
      application: 3,
      actor: { type: 'key', id: keyId, name: 'CI' },
      scopes: new Set(['read']),
    });
    await authenticator.authenticate({ ...headers, 'x-application-id': applicationId.toUpperCase() });
  });

  it.each(['x-api-key', 'x-application-id'])('gets an error that names %s as missing', async (name) => {
    const { authenticator, headers } = setUp();
    for (const value of [undefined, '']) {
      const { code, message } = await failure(authenticator.authenticate({ ...headers, [name]: value }));
      expect(code).toBe('unauthorized');
      expect(message).toContain(name);
    }
  });

  it('gets the same error for every wrong key', async () => {
    const other = generateKey().text;
    const malformed = await failure(setUp().authenticator.authenticateKey('x'));
    const unknown = await failure(setUp().authenticator.authenticateKey(other));
    const revoked = setUp({ revokedAt: 1 });
    const expired = setUp({ expiresAt: 1_000_000 });
    const wrongSecret = setUp();
    const changed = wrongSecret.text.slice(0, -1) + (wrongSecret.text.endsWith('a') ? 'b' : 'a');
    const all = [
      malformed,
      unknown,
      await failure(revoked.authenticator.authenticateKey(revoked.text)),
      await failure(expired.authenticator.authenticateKey(expired.text)),
      await failure(wrongSecret.authenticator.authenticateKey(changed)),
    ];
    expect(new Set(all.map(({ code, message }) => `${code} ${message}`)).size).toBe(1);
    expect(all[0]?.code).toBe('unauthorized');
  });

  it('is rejected for another application', async () => {
    const { authenticator, headers } = setUp();
    for (const id of ['00000000-0000-0000-0000-000000000000', 'nonsense']) {
      expect((await failure(authenticator.authenticate({ ...headers, 'x-application-id': id }))).code).toBe(
        'forbidden',
      );
    }
  });

  it('is rejected what the key may not do', async () => {
    const { authenticator, headers } = setUp();
    const principal = await authenticator.authenticate(headers);
    requireScope(principal, 'read');
    expect(() => requireScope(principal, 'admin')).toThrow('lacks the scope "admin"');
  });
});

describe('the memory of keys', () => {
  it('looks up once a second, and once for all calls meanwhile', async () => {
    const { authenticator, text, clock, lookups } = setUp();
    await Promise.all([1, 2, 3].map(() => authenticator.authenticateKey(text)));
    clock.elapsed += 999;
    await authenticator.authenticateKey(text);
    expect(lookups).toHaveLength(1);
    clock.elapsed += 1;
    await authenticator.authenticateKey(text);
    expect(lookups).toHaveLength(2);
  });

  it.each([-86_400_000, 0, 86_400_000])(
    'ages as before when the wall clock is set by %d ms',
    async (step) => {
      const { authenticator, text, clock, lookups } = setUp();
      await authenticator.authenticateKey(text);
      clock.now += step;
      clock.elapsed += 999;
      await authenticator.authenticateKey(text);
      expect(lookups).toHaveLength(1);
      clock.elapsed += 1;
      await authenticator.authenticateKey(text);
      expect(lookups).toHaveLength(2);
    },
  );

  it('knows that a key expires meanwhile', async () => {
    const { authenticator, text, clock } = setUp({ expiresAt: 1_000_500 });
    await authenticator.authenticateKey(text);
    clock.now += 500;
    expect((await failure(authenticator.authenticateKey(text))).code).toBe('unauthorized');
  });

  it('drops an entry at once on request, even while its response is on its way', async () => {
    const { authenticator, text, keyId, records, record } = setUp();
    const underWay = authenticator.authenticateKey(text);
    records.set(keyId, { ...record, revokedAt: 1 });
    authenticator.forget(keyId);
    await underWay.catch(() => undefined);
    expect((await failure(authenticator.authenticateKey(text))).code).toBe('unauthorized');
  });

  it('does not keep a failure of the store', async () => {
    const { authenticator, text, store } = setUp();
    store.failure = new AppError('unavailable', 'busy');
    expect((await failure(authenticator.authenticateKey(text))).code).toBe('unavailable');
    store.failure = null;
    await authenticator.authenticateKey(text);
  });

  it('is bounded', async () => {
    const { authenticator, text, lookups } = setUp();
    await authenticator.authenticateKey(text);
    for (let i = 0; i < 10_000; i++) {
      const keyId = String(i).padStart(12, '0');
      await authenticator.authenticateKey(`sk_${keyId}_${'x'.repeat(43)}`).catch(() => undefined);
    }
    const before = lookups.length;
    await authenticator.authenticateKey(text);
    expect(lookups.length).toBe(before + 1);
  });
});

describe('key texts', () => {
  it('have the shape of keys, and each is another one', () => {
    const texts = Array.from({ length: 200 }, () => generateKey().text);
    for (const text of texts) expect(text).toMatch(/^sk_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}$/);
    expect(new Set(texts).size).toBe(200);
  });

  it('use all letters alike', () => {
    const counts = new Map<string, number>();
    for (let i = 0; i < 2_000; i++) {
      for (const letter of generateKey().text.slice(16)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    }
    expect(counts.size).toBe(62);
    const expected = (2_000 * 43) / 62;
    for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(expected * 0.2);
  });

  it('are kept as their hash', () => {
    const key = generateKey();
    expect(key.hash).toHaveLength(32);
    expect(keyFrom(key.text)).toEqual(key);
  });

  it('are distinguished from any other text', () => {
    fc.assert(fc.property(fc.string(), (text) => keyIdOf(text) === null));
    expect(keyIdOf(`${generateKey().text}\n`)).toBeNull();
  });
});
