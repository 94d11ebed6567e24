import { describe, expect, it } from 'vitest';
import { createBrowserCheck } from '../../src/people/browser-check.ts';
import { createLoginCookie } from '../../src/people/login-cookie.ts';
import { networkOf } from '../../src/people/network-of.ts';
import { Passwords } from '../../src/people/passwords.ts';
import { type AuditedSignIn, type SignInEvent, SignInLog } from '../../src/people/sign-in-log.ts';
import { createLog } from '../../src/runtime/log.ts';
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
    [PUBLIC, { host: 't.example.com', origin: 'http://t.example.com' }, 'forbidden'],
    [
      PUBLIC,
      { host: 't.example.com', origin: 'http://t.example.com', 'x-forwarded-proto': 'http' },
      'forbidden',
    ],
    [LOCAL, { host: 'localhost:4318', origin: 'https://localhost:4318' }, 'forbidden'],
    [LOCAL, { host: 'localhost:4318', origin: 'https://localhost:4318', 'x-forwarded-proto': 'https' }, 'ok'],
    [
      LOCAL,
      { host: 'localhost:4318', origin: 'https://localhost:4318', 'x-forwarded-proto': 'HTTPS, http' },
      'ok',
    ],
    [
      LOCAL,
      { host: 'localhost:4318', origin: 'https://localhost:4318', 'x-forwarded-proto': 'http, https' },
      'forbidden',
    ],
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

describe('the network of an address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:0db8:0001:0002::/64'],
    ['2001:db8:1:2::1', '2001:0db8:0001:0002::/64'],
    ['2001:db8:1:3::1', '2001:0db8:0001:0003::/64'],
    ['fe80::1%eth0', 'fe80:0000:0000:0000::/64'],
    ['', 'unknown'],
  ])('of %j is %s', (address, network) => expect(networkOf(address)).toBe(network));
});

describe('the record of sign-ins', () => {
  const ADA = { type: 'user', id: 'u1', name: 'Ada' } as const;
  const failed = (network: string, tried = 'ada@example.com'): SignInEvent => ({
    method: 'password',
    outcome: 'failed',
    address: network,
    network,
    requestId: 'r1',
    tried,
    findAccount: () => Promise.resolve(tried === 'ada@example.com' ? ADA : null),
  });
  const start = () => {
    const [lines, entries]: [string[], AuditedSignIn[]] = [[], []];
    const log = createLog({ level: 'info', write: (line) => lines.push(line), forPeople: false });
    const record = new SignInLog({
      log,
      count: () => undefined,
      audit: (entry) => Promise.resolve(entries.push(entry)),
    });
    return { lines, entries, record };
  };

  it('has a line and an entry for the first failure of each network, and then their number', async () => {
    const { lines, entries, record } = start();
    for (let i = 0; i < 1_000; i += 1) await record.record(failed('203.0.113.7'));
    await record.record(failed('203.0.113.8'));
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain('"account":"user u1"');
    await record.close();
    expect(lines).toHaveLength(3);
    expect(lines[2]).toContain('"attempts":999');
    expect(entries.map(({ action, detail }) => `${action} ${detail}`)).toEqual([
      'signInFailed from 203.0.113.7',
      'signInFailed from 203.0.113.8',
      'signInFailed 999 more from 203.0.113.7',
    ]);
  });

  it.each([
    ['one account', () => 'ada@example.com', 5, 5],
    ['made-up accounts', (i: number) => `u${i}@example.com`, 20, 0],
  ])('is bounded when %s are tried from many networks', async (_who, tried, most, audited) => {
    const { lines, entries, record } = start();
    for (let i = 0; i < 3_000; i += 1) await record.record(failed(`n${i}`, tried(i)));
    expect(lines).toHaveLength(most);
    expect(entries).toHaveLength(audited);
    await record.close();
    expect(lines).toHaveLength(most + 1);
    expect(lines.at(-1)).toContain(`"attempts":${3_000 - most}`);
    expect(lines.at(-1)).toContain('of further networks');
  });

  it('is bounded when very many accounts exist', async () => {
    const { lines, record } = start();
    for (let i = 0; i < 3_000; i += 1)
      await record.record({
        ...failed(`n${i % 7}`, `u${i}@example.com`),
        findAccount: () => Promise.resolve({ type: 'user', id: `u${i}`, name: 'Ada' }),
      });
    expect(lines).toHaveLength(1_000);
    await record.close();
    expect(lines.at(-1)).toContain('"attempts":2000');
  });

  it.each([
    ['from one network', () => '203.0.113.7'],
    ['from many networks', (i: number) => `n${i}`],
  ])('has a line for an account after a flood of made-up ones %s', async (_from, network) => {
    const { lines, entries, record } = start();
    for (let i = 0; i < 3_000; i += 1) await record.record(failed(network(i), `u${i}@example.com`));
    await record.record(failed('203.0.113.7'));
    expect(lines.at(-1)).toContain('"account":"user u1"');
    expect(entries).toMatchObject([{ action: 'signInFailed', detail: 'from 203.0.113.7' }]);
    await record.close();
  });

  it.each(['ownPassword', 'linkToken'] as const)(
    'has no line of a right %s, which is no sign-in',
    async (method) => {
      const { lines, record } = start();
      await record.record({ ...failed('203.0.113.7'), method, outcome: 'accepted' });
      await record.record({ ...failed('203.0.113.7'), method });
      await record.close();
      expect(lines).toHaveLength(1);
      expect(lines[0]).toContain('failed: the credentials are wrong');
      expect(lines[0]).not.toContain('sign-in');
    },
  );

  it('does not contain what was typed as an address without an account', async () => {
    const { lines, record } = start();
    await record.record(failed('203.0.113.7', 'correct-horse@battery.example'));
    await record.close();
    expect(lines.join()).not.toContain('battery');
  });
});

describe('a password', () => {
  it('is known by its hash, however its characters were typed', async () => {
    const passwords = new Passwords(2 ** 12);
    const stored = await passwords.hash('Zürich at midnight', 'a');
    expect(await passwords.isPassword('Zürich at midnight'.normalize('NFD'), stored, 'a')).toBe(true);
    expect(await passwords.isPassword('Zurich at midnight', stored, 'a')).toBe(false);
    expect(await passwords.isPassword('', null, 'a')).toBe(false);
    expect(await passwords.hash('Zürich at midnight', 'a')).not.toBe(stored);
  });

  it('takes 128 MiB to hash unless it is said otherwise', async () => {
    const stored = await new Passwords().hash('Zürich at midnight', 'a');
    expect(stored).toMatch(/^scrypt\$131072\$[\w-]{22}\$[\w-]{43}$/);
  });

  it('is checked in turns of the senders, so that a flood from one neither fills nor delays the queue', async () => {
    const cheap = new Passwords(2 ** 12);
    const order: string[] = [];
    const flood = Array.from({ length: 20 }, () =>
      cheap.isPassword('wrong', null, 'flood').then(
        () => order.push('flood'),
        (error: AppError) => order.push(error.code),
      ),
    );
    const other = cheap.isPassword('wrong', null, 'other').then(() => order.push('other'));
    await Promise.all([...flood, other]);
    expect(order.filter((code) => code === 'unavailable')).toHaveLength(14);
    expect(order.indexOf('other')).toBeLessThan(order.lastIndexOf('flood'));
  });
});
