import { type Commands, type Lock, lockOf } from '../operations.ts';
import { applicationOf } from '../sqlite/application-of.ts';
import { termOf } from './leadership.ts';

/** First key of the advisory locks, so that they meet none of another program in the same database. */
export const LOCK_CLASS = 0x5463;
/** Lock of everything, which all commands share but those of the leader. The number of an application is its own lock. */
export const ALL = 0;
const JOBS = -2;
const PEOPLE = -3;
const ATTEMPTS = -4;
/** Locks that connections hold, not transactions: that of the leader, and one that all living processes share. */
export const LEADER = -10;
export const LIVING = -11;
/** Most applications of one command; one with more locks everything. */
const MAX_APPLICATIONS = 64;

const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED';

/**
 * Returns the script that begins the transaction of a command and takes its locks. Commands of one application run one after
 * another, as do those of jobs, of people and of attempts to sign in; beside those of the leader runs no other one. The locks come before the
 * first statement, always in one order, and end with the transaction. A command of a term of the leader then fails if it is over.
 */
export function beginOf(commands: Commands, called: string, given: unknown): string {
  const { name, term } = termOf(called);
  const { lock, args } = lockOf(commands, name, given);
  const own = keysOf(lock, args);
  const shared = `pg_advisory_xact_lock_shared(${LOCK_CLASS}, ${ALL})`;
  const locks = own === null ? [lockOn(ALL)] : [shared, ...own.map(lockOn)];
  return [BEGIN, `SELECT ${locks.join(', ')}`, ...(term === null ? [] : [`SELECT check_term(${term})`])].join(
    '; ',
  );
}

const lockOn = (key: number): string => `pg_advisory_xact_lock(${LOCK_CLASS}, ${key})`;

/** Returns the keys that a command locks, in ascending order; null if it locks everything. */
function keysOf(lock: Exclude<Lock, 'inner'>, args: unknown): number[] | null {
  if (lock === 'leader') return null;
  if (lock === 'jobs') return [JOBS];
  if (lock === 'people') return [PEOPLE];
  if (lock === 'attempts') return [ATTEMPTS];
  const named = (Array.isArray(args) ? args : [args]).map(applicationOf);
  const applications = [...new Set(named)].toSorted((one, other) => Number(one) - Number(other));
  const isKnown = applications.length > 0 && applications.length <= MAX_APPLICATIONS;
  return isKnown && applications.every(isLockable) ? applications : null;
}

const isLockable = (application: number | null): application is number =>
  Number.isInteger(application) && Number(application) > 0 && Number(application) < 2 ** 31;
