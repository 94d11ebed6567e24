import { describe, expect, it } from 'vitest';
import { createAttemptLimit } from '../../src/people/attempt-limit.ts';
import { createBrowserCheck } from '../../src/people/browser-check.ts';
import { createLoginCookie } from '../../src/people/login-cookie.ts';
import { hashPassword, isPassword } from '../../src/people/passwords.ts';
import { AppError } from '../../src/errors.ts';

describe('the check of a browser', () => {
  const LOCAL = { host: '127.0.0.1', publicUrl: null, knownHosts: [] };
  const PUBLIC = { ...LOCAL, publicUrl: 'https://t.example.com' };
  const codeOf = (settings: typeof LOCAL | typeof PUBLIC, headers: Record<string, string>): string => {
    try {
      createBrowserCheck(settings)(headers);
      return 'ok';
    } catch (error) {
      return error instanceof AppError ? error.code : String(error);
    }
  };

  it.each<
    [settings: Parameters<typeof createBrowserCheck>[0], headers: Record<string, string>, code: string]
  >([
    [LOCAL, { host: '127.0.0.1:4318' }, 'ok'],
    [LOCAL, { host: 'localhost:4318' }, 'ok'],
    [LOCAL, { host: '[::1]:4318' }, 'ok'],
    [LOCAL, { host: 'LOCALHOST.:4318', origin: 'http://localhost.:4318' }, 'ok'],
    [LOCAL, { host: 'evil.example' }, 'misdirected'],
    [LOCAL, { host: '127.0.0.1.evil.example' }, 'misdirected'],
    [LOCAL, { host: '192.168.1.2' }, 'misdirected'],
    [LOCAL, {}, 'misdirected'],
    [LOCAL, { host: '' }, 'misdirected'],
    [LOCAL, { host: 'localhost:4318', origin: 'http://localhost:4318' }, 'ok'],
    [LOCAL, { host: 'localhost:4318', origin: 'http://localhost:3000' }, 'forbidden'],
    [LOCAL, { host: 'localhost:4318', origin: 'null' }, 'forbidden'],
    [LOCAL, { host: 'localhost:4318', origin: '' }, 'forbidden'],
    [LOCAL, { host: 'localhost:4318', 'sec-fetch-site': 'same-origin' }, 'ok'],
    [LOCAL, { host: 'localhost:4318', 'sec-fetch-site': 'none' }, 'forbidden'],
    [{ ...LOCAL, host: '0.0.0.0' }, { host: '192.168.1.2:4318' }, 'ok'],
    [{ ...LOCAL, host: '0.0.0.0' }, { host: 'evil.example' }, 'misdirected'],
    [{ ...LOCAL, knownHosts: ['touchstone.internal'] }, { host: 'Touchstone.internal:4318' }, 'ok'],
    [PUBLIC, { host: 't.example.com', origin: 'https://t.example.com' }, 'ok'],
    [PUBLIC, { host: '127.0.0.1:4318', origin: 'https://t.example.com' }, 'ok'],
    [PUBLIC, { host: 't.example.com', origin: 'https://u.example.com' }, 'forbidden'],
  ])('with %j says to %j: %s', (settings, headers, code) => {
    expect(codeOf(settings as typeof LOCAL, headers)).toBe(code);
  });
});

describe('the cookie', () => {
  const token = 'x'.repeat(43);

  it('is bound to the host over https', () => {
    const { set, read } = createLoginCookie({ publicUrl: 'https://t.example.com' });
    expect(set(token)).toBe(
      `__Host-touchstone_login=${token}; HttpOnly; SameSite=Strict; Path=/; Secure; Max-Age=604800`,
    );
    expect(read(`a=b; __Host-touchstone_login=${token}`)).toBe(token);
    expect(read(`touchstone_login=${token}`)).toBeNull();
  });

  it.each([
    ['https://example.com/tools/touchstone', '__Secure-touchstone_login', '/tools/touchstone; Secure'],
    ['http://example.com/tools/touchstone', 'touchstone_login', '/tools/touchstone'],
  ])('is for the path of %s only', (publicUrl, name, path) => {
    const { set, clear } = createLoginCookie({ publicUrl });
    expect(set(token)).toBe(`${name}=${token}; HttpOnly; SameSite=Strict; Path=${path}; Max-Age=604800`);
    expect(clear()).toContain(`Path=${path}`);
  });

  it.each([undefined, '', 'touchstone_login', 'touchstone_login=', 'touchstone_login=short', 'x=y'])(
    'is not in %j',
    (header) => {
      expect(createLoginCookie({ publicUrl: null }).read(header)).toBeNull();
    },
  );
});

describe('the limit of attempts', () => {
  it('counts by subject within a minute, and says when the next one may be made', () => {
    const clock = { now: 0 };
    const limit = createAttemptLimit(2, () => clock.now);
    limit.count('ada');
    clock.now = 10_000;
    limit.count('ada');
    limit.count('bob');
    expect(() => limit.count('ada')).toThrow(
      expect.objectContaining({ code: 'rate_limited', retryAfter: 50 }),
    );
    clock.now = 60_000;
    limit.count('ada');
    expect(() => limit.count('ada')).toThrow('More than 2 attempts');
    limit.clear('ada');
    limit.count('ada');
  });
});

describe('a password', () => {
  it('is known by its hash, however its characters were typed', async () => {
    const stored = await hashPassword('Zürich at midnight');
    expect(stored).toMatch(/^scrypt\$131072\$[\w-]{22}\$[\w-]{43}$/);
    expect(await isPassword('Zürich at midnight'.normalize('NFD'), stored)).toBe(true);
    expect(await isPassword('Zurich at midnight', stored)).toBe(false);
    expect(await isPassword('', null)).toBe(false);
    expect(await hashPassword('Zürich at midnight')).not.toBe(stored);
  });
});
