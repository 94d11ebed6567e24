/** Who has to wait after failed attempts to sign in, by the limit of one process and by that of all that share a store. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { type AttemptLimit, createAttemptLimit, type SignInAttempt } from '../../src/people/attempt-limit.ts';
import { attemptCommands } from '../../src/people/attempt-store.ts';
import { createSharedAttemptLimit } from '../../src/people/shared-attempts.ts';
import type { Write } from '../../src/storage/calls.ts';
import { findOperation } from '../../src/storage/operations.ts';
import type { SqliteDatabase } from '../../src/storage/sqlite/database.ts';
import { type Folder, openDatabase, temporaryFolder } from '../support/storage.ts';

describe.each(['of one process', 'of all processes that share a store'])(
  'the limit of attempts %s',
  (kind) => {
    const clock = { now: 0 };
    let folder: Folder;
    let database: SqliteDatabase;
    beforeEach(() => {
      clock.now = Date.UTC(2026, 0, 31);
      folder = temporaryFolder();
      database = openDatabase(folder.file('touchstone.db'));
    });
    afterEach(() => {
      database.close();
      folder[Symbol.dispose]();
    });
    const write = (async (name: string, args: unknown) =>
      findOperation(attemptCommands, name)?.(database, args)) as Write;
    const newLimit = (): AttemptLimit =>
      kind === 'of one process'
        ? createAttemptLimit(() => clock.now)
        : createSharedAttemptLimit({ write, secret: Buffer.from('secret'), now: () => clock.now });
    const begin = (limit: AttemptLimit, ...names: string[]): Promise<SignInAttempt> =>
      limit.begin(names.map((name) => ({ name, free: 2, isAccount: name !== 'network' })));
    const fail = async (limit: AttemptLimit, ...names: string[]): Promise<void> =>
      (await begin(limit, ...names)).failed();
    const waitOf = async (limit: AttemptLimit, name: string): Promise<number> => {
      try {
        await (await begin(limit, name)).end();
        return 0;
      } catch (error) {
        if (error instanceof AppError && error.code === 'rate_limited') return error.retryAfter ?? 0;
        throw error;
      }
    };

    it('makes those wait who fail, for longer each time but never for good', async () => {
      const limit = newLimit();
      const waits: number[] = [];
      for (let failures = 0; failures < 10; failures += 1) {
        await fail(limit, 'ada');
        const wait = await waitOf(limit, 'ada');
        waits.push(wait);
        clock.now += wait * 1_000;
      }
      expect(waits).toEqual([0, 60, 120, 240, 480, 900, 900, 900, 900, 900]);
      expect(await waitOf(limit, 'bob')).toBe(0);
    });

    it('forgets the failures of an account whose owner succeeds, and never those of a network', async () => {
      const limit = newLimit();
      await fail(limit, 'ada', 'network');
      await (await begin(limit, 'ada', 'network')).succeeded();
      await fail(limit, 'ada');
      expect(await waitOf(limit, 'ada')).toBe(0);
      await fail(limit, 'network');
      expect(await waitOf(limit, 'network')).toBe(60);
    });

    it('gives who has one valid key no further guesses', async () => {
      const limit = newLimit();
      await fail(limit, 'network');
      await (await begin(limit, 'network')).succeeded();
      await fail(limit, 'network');
      expect(await waitOf(limit, 'network')).toBe(60);
    });

    it('lets a network that has waited succeed without a further wait, and doubles it for the next failure', async () => {
      const limit = newLimit();
      for (const _ of [1, 2]) await fail(limit, 'network');
      clock.now += 60_000;
      await (await begin(limit, 'network')).succeeded();
      expect(await waitOf(limit, 'network')).toBe(0);
      await fail(limit, 'network');
      expect(await waitOf(limit, 'network')).toBe(120);
    });

    it('forgets failures after an hour, also of a network where others succeed', async () => {
      const limit = newLimit();
      for (const name of ['ada', 'network']) for (const _ of [1, 2]) await fail(limit, name);
      clock.now += 1_800_000;
      await (await begin(limit, 'network')).succeeded();
      clock.now += 1_800_001;
      for (const name of ['ada', 'network']) {
        await fail(limit, name);
        expect(await waitOf(limit, name)).toBe(0);
      }
    });

    it('does not count what was never checked', async () => {
      const limit = newLimit();
      for (let i = 0; i < 100; i += 1) await (await begin(limit, 'ada')).end();
      expect(await waitOf(limit, 'ada')).toBe(0);
    });

    it('counts attempts that are being checked, so that many at once are not one', async () => {
      const limit = newLimit();
      const [first] = [await begin(limit, 'ada'), await begin(limit, 'ada')];
      expect(await waitOf(limit, 'ada')).toBeGreaterThan(0);
      await first.end();
      expect(await waitOf(limit, 'ada')).toBe(0);
    });
  },
);

it('the limit of one process remembers a bounded number of subjects', async () => {
  const limit = createAttemptLimit(() => 0);
  const fail = async (name: string): Promise<void> =>
    (await limit.begin([{ name, free: 1, isAccount: true }])).failed();
  await fail('ada');
  await expect(fail('ada')).rejects.toThrow('Too many failed attempts');
  for (let i = 0; i < 10_000; i += 1) await fail(`name ${i}`);
  await fail('ada');
});

describe('the limit of several processes', () => {
  const store = () => {
    const folder = temporaryFolder();
    const database = openDatabase(folder.file('touchstone.db'));
    let writes = 0;
    const write = (async (name: string, args: unknown) => {
      writes += 1;
      return findOperation(attemptCommands, name)?.(database, args);
    }) as Write;
    const clock = { now: Date.UTC(2026, 0, 31) };
    const newLimit = (): AttemptLimit =>
      createSharedAttemptLimit({ write, secret: Buffer.from('secret'), now: () => clock.now });
    const close = (): void => {
      database.close();
      folder[Symbol.dispose]();
    };
    return { database, clock, newLimit, writes: () => writes, [Symbol.dispose]: close };
  };
  const ADA = { name: 'account ada@example.com 203.0.113.7', free: 2, isAccount: true };

  it('counts attempts at any of them together, also when one ends in between', async () => {
    using shared = store();
    const [one, other] = [shared.newLimit(), shared.newLimit()];
    await (await one.begin([ADA])).failed();
    // Never ended, as by a process that was killed.
    await other.begin([ADA]);
    for (const limit of [one, other, shared.newLimit()])
      await expect(limit.begin([ADA])).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 60 });
  });

  it('keeps a hash of the name, and looks into the store once a second however many must wait', async () => {
    using shared = store();
    const limit = shared.newLimit();
    for (const _ of [1, 2]) await (await limit.begin([ADA])).failed();
    const before = shared.writes();
    for (let i = 0; i < 100; i += 1) await expect(limit.begin([ADA])).rejects.toThrow('Too many');
    expect(shared.writes()).toBe(before + 1);
    const rows = shared.database.all<{ subject: Uint8Array }>('SELECT * FROM sign_in_failure');
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain('ada');
    expect(rows[0]?.subject).toHaveLength(32);
  });
});
