import { StartupError } from '../../errors.ts';
import type { CopiedTable } from '../copy/copied-table.ts';
import { PROGRESS_TABLE } from '../copy/copy-progress.ts';
import type { CopySource, CopyTarget } from '../copy/copy-store.ts';
import { SCHEMA_VERSION } from '../sqlite/migrate.ts';
import type { PostgresDatabase } from './database.ts';
import { LIVING, LOCK_CLASS } from './locks.ts';
import { capitalized } from './explain.ts';
import { connectForCommands, inspectAny, markComplete, requireRight, lockStarts } from './prepare.ts';
import { postgresSchemaParts } from './schema.ts';
import { type DatabaseTarget, describeTarget } from './target.ts';

/** Each server shares this lock; the connection of a copy holds it alone, and may take it several times. */
const HOLD_ALONE = `SELECT pg_try_advisory_lock(${LOCK_CLASS}, ${LIVING}) AS alone`;

/** Time for which a copy waits for the end of another one: the database notices that a process was killed after its statement. */
const PATIENCE_MS = 5_000;
const LOOK_MS = 100;

export interface SourceDatabase extends CopySource {
  /** Mark of the secret key of the store; null if there is none. */
  keyMark: Uint8Array | null;
  close: () => void;
}

export interface TargetDatabase extends CopyTarget {
  close: () => void;
}

/** Opens the store in a database to copy it; changes nothing in it. Throws StartupError if it is none of this version, or in use. */
export function openSourceDatabase(target: DatabaseTarget): SourceDatabase {
  return opened(target, (database) => {
    const { state, hasProgress } = inspectAny(database, target);
    const place = capitalized(describeTarget(target));
    if (hasProgress)
      throw new StartupError(
        `${place} is itself the unfinished target of touchstone copy; finish that copy first.`,
      );
    if (state.schema === null) throw new StartupError(`${place} has no store to copy; correct the address.`);
    if (state.schema !== SCHEMA_VERSION)
      throw new StartupError(
        `${place} has schema ${state.schema}, and this version of Touchstone copies schema ${SCHEMA_VERSION}; use the version of its servers.`,
      );
    holdAlone(database, target, PATIENCE_MS);
    const identity = JSON.stringify(
      database.get('SELECT created_at::text AS created, term FROM touchstone_store'),
    );
    return {
      database,
      identity,
      keyMark: state.keyMark,
      lastCount: (table) => lastCountOf(database, table),
      requireAlone: () => holdAlone(database, target),
      close: () => database.close(),
    };
  });
}

/** Opens an empty database, or the unfinished target of a copy, to copy a store into it. Throws StartupError for any other. */
export function openTargetDatabase(target: DatabaseTarget, mark: Uint8Array | null): TargetDatabase {
  return opened(target, (database) => {
    const { state, hasProgress } = inspectAny(database, target);
    const place = describeTarget(target);
    if (state.schema !== null)
      throw new StartupError(
        `${capitalized(place)} contains a store already; if a copy made it, it is complete, otherwise create an empty database for the copy.`,
      );
    const requireAlone = (): void => holdAlone(database, target);
    holdAlone(database, target, PATIENCE_MS);
    if (!hasProgress)
      database.transaction(() => {
        lockStarts(database);
        requireRight(database, target);
        database.runScript([...postgresSchemaParts().tables, PROGRESS_TABLE].join(';\n'));
      });
    return {
      database,
      place,
      requireAlone,
      complete: (counts) => complete(database, { counts, mark, requireAlone }),
      close: () => database.close(),
    };
  });
}

/** Connects, and closes the connection if `use` fails. */
function opened<T>(target: DatabaseTarget, use: (database: PostgresDatabase) => T): T {
  const database = connectForCommands(target);
  try {
    return use(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Takes the lock of all living processes, which ends with the connection. Throws StartupError if a server or another copy has it. */
function holdAlone(database: PostgresDatabase, target: DatabaseTarget, patienceMs = 0): void {
  const until = performance.now() + patienceMs;
  while (database.get<{ alone: number }>(HOLD_ALONE)?.alone !== 1) {
    if (performance.now() >= until)
      throw new StartupError(
        `${capitalized(describeTarget(target))} is in use by a Touchstone server or another copy; stop it and repeat the copy.`,
      );
    Atomics.wait(still, 0, 0, LOOK_MS);
  }
}

const still = new Int32Array(new SharedArrayBuffer(4));

const SEQUENCE = 'SELECT pg_get_serial_sequence(CAST(:name AS text), CAST(:counter AS text)) AS sequence';

/** Returns the last value of the sequence of a table; null if it has given none. */
function lastCountOf(database: PostgresDatabase, { name, counter }: CopiedTable): bigint | null {
  const { sequence } = database.get<{ sequence: string }>(SEQUENCE, { name, counter }) ?? {};
  if (sequence === undefined) return null;
  return (
    database.getExact<{ last: bigint }>(`SELECT last_value AS last FROM ${sequence} WHERE is_called`)?.last ??
    null
  );
}

interface Completion {
  counts: ReadonlyMap<string, bigint>;
  mark: Uint8Array | null;
  requireAlone: () => void;
}

function complete(database: PostgresDatabase, { counts, mark, requireAlone }: Completion): void {
  database.transaction(() => {
    requireAlone();
    database.runScript(postgresSchemaParts().rest.join(';\n'));
    for (const [name, last] of counts)
      database.get(
        `SELECT setval(pg_get_serial_sequence(CAST(:name AS text), column_name), CAST(:last AS int8))
         FROM information_schema.columns
         WHERE table_schema = current_schema() AND table_name = CAST(:name AS text) AND is_identity = 'YES'`,
        { name, last },
      );
    markComplete(database, mark);
    database.runScript('DROP TABLE touchstone_copy');
  });
  // Without it, the first queries would not know how many rows there are.
  database.runScript('ANALYZE');
}
