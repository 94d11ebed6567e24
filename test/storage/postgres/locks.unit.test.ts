import { describe, expect, it } from 'vitest';
import { commands } from '../../../src/operations.ts';
import { type Commands } from '../../../src/storage/operations.ts';
import { beginOf } from '../../../src/storage/postgres/locks.ts';

/** Returns the keys that a command locks, in the order of its script; `shared` before those that others may hold too. */
const locksOf = (name: string, args: unknown): string[] =>
  beginOf(commands as Commands, name, args)
    .matchAll(/pg_advisory_xact_lock(_shared)?\(21603, (-?\d+)\)/g)
    .map(([, shared, key]) => `${shared === undefined ? '' : 'shared '}${key}`)
    .toArray();

describe('locks of commands', () => {
  it('are those of one application', () => {
    expect(locksOf('cancelTest', { application: 7 })).toEqual(['shared 0', '7']);
  });

  it('are those of the command that is audited', () => {
    expect(
      locksOf('audited', { application: 1, command: 'cancelTest', args: { owner: { application: 7 } } }),
    ).toEqual(['shared 0', '7']);
  });

  it('are those of all applications that send spans, each once and in one order', () => {
    const slices = [{ application: 9 }, { application: 7 }, { application: 9 }];
    expect(locksOf('storeSlices', slices)).toEqual(['shared 0', '7', '9']);
  });

  it('are one of everything for very many applications, and for a command that names none', () => {
    const slices = Array.from({ length: 65 }, (_, index) => ({ application: index + 1 }));
    expect(locksOf('storeSlices', slices)).toEqual(['0']);
    expect(locksOf('purgeTrace', { tkey: 5 })).toEqual(['0']);
  });

  it('of jobs, of people and of attempts to sign in are their own, and exclude the leader only', () => {
    expect(locksOf('claimJobs', { lease: 1 })).toEqual(['shared 0', '-2']);
    expect(locksOf('signOut', {})).toEqual(['shared 0', '-3']);
    expect(locksOf('beginAttempt', {})).toEqual(['shared 0', '-4']);
    expect(locksOf('runDueSchedules', { now: 1 })).toEqual(['0']);
  });
});
