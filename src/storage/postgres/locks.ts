import { type Commands, lockOf } from '../operations.ts';
import { applicationOf } from '../sqlite/application-of.ts';

/** First key of the advisory locks, so that they meet none of another program in the same database. */
const CLASS = 0x5463;
/** Lock of everything; commands of one application share it. */
const ALL = 0;

const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED';

/**
 * Returns the script that begins the transaction of a command and takes its locks: those of one application run one after
 * another, and so do those of all others, which share rows of several applications. The locks come before the first
 * statement, always in this order, and end with the transaction.
 */
export function beginOf(commands: Commands, name: string, given: unknown): string {
  const { lock, args } = lockOf(commands, name, given);
  const application = lock === 'application' ? applicationIn(args) : null;
  return application === null
    ? `${BEGIN}; SELECT pg_advisory_xact_lock(${CLASS}, ${ALL})`
    : `${BEGIN}; SELECT pg_advisory_xact_lock_shared(${CLASS}, ${ALL}), pg_advisory_xact_lock(${CLASS}, ${application})`;
}

/** Returns the application that the arguments of a command name, as an integer that is part of a script; null for none. */
function applicationIn(args: unknown): number | null {
  const found = applicationOf(args);
  return found !== null && Number.isInteger(found) && found > 0 && found < 2 ** 31 ? found : null;
}
