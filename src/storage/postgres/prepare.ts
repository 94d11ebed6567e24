import { StartupError } from '../../errors.ts';
import type { Database } from '../database.ts';
import { SCHEMA_VERSION } from '../sqlite/migrate.ts';
import { PostgresDatabase } from './database.ts';
import { capitalized, explainFault } from './explain.ts';
import { LIVING, LOCK_CLASS } from './locks.ts';
import { postgresSchema } from './schema.ts';
import { type DatabaseTarget, describeTarget } from './target.ts';

/** Oldest version of PostgreSQL, as in `server_version_num`. */
const OLDEST_SERVER = 160_000;
/** Oldest schema that this version migrates. There are no migrations of PostgreSQL yet. */
const OLDEST_SCHEMA = SCHEMA_VERSION;
/** Newest schema that this version works with: a replica may be one version behind while the others are replaced. */
export const NEWEST_SCHEMA = SCHEMA_VERSION + 1;
/** Lock of those who make or migrate the tables, in the class of Touchstone. */
const SCHEMA_LOCK = 'SELECT pg_advisory_xact_lock(21603, -1)';
/** Limits of commands beside a server, which take as long as they need. */
const LIMITS = { statementMs: 0, lockMs: 30_000 };

interface Facts {
  version: number;
  encoding: string;
  readOnly: number;
  schema: string | null;
  mayCreate: number;
  hasIcu: number;
  hasMark: number;
  /** 1 if a copy into the database is not complete. */
  hasProgress: number;
  /** 1 while a copy reads or writes the database. */
  isCopied: number;
}

const FACTS = `SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding,
  CASE WHEN current_setting('transaction_read_only') = 'on' THEN 1 ELSE 0 END AS "readOnly", current_schema() AS schema,
  CASE WHEN current_schema() IS NOT NULL AND has_schema_privilege(current_schema(), 'CREATE') THEN 1 ELSE 0 END AS "mayCreate",
  CASE WHEN EXISTS (SELECT 1 FROM pg_collation WHERE collname = 'und-x-icu') THEN 1 ELSE 0 END AS "hasIcu",
  CASE WHEN to_regclass('touchstone_store') IS NOT NULL THEN 1 ELSE 0 END AS "hasMark",
  CASE WHEN to_regclass('touchstone_copy') IS NOT NULL THEN 1 ELSE 0 END AS "hasProgress",
  CASE WHEN EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid = ${LOCK_CLASS} AND objid = ${2 ** 32 + LIVING}
    AND mode = 'ExclusiveLock' AND granted AND pid <> pg_backend_pid()
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) THEN 1 ELSE 0 END AS "isCopied"`;
/** A table in the place of ours that is not ours, and belongs to no extension. */
const FOREIGN = `SELECT relname AS name FROM pg_class
  WHERE relkind IN ('r', 'p', 'f') AND relnamespace = current_schema()::regnamespace
    AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
  ORDER BY relname LIMIT 1`;
const STATE = 'SELECT schema, key_mark AS "keyMark" FROM touchstone_store';
const MARK = `CREATE TABLE touchstone_store (
  only_row int4 PRIMARY KEY DEFAULT 1 CHECK (only_row = 1), schema int4 NOT NULL, key_mark bytea, term int8 NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now())`;
/** The last commit of each connection, so that it is found out whether a commit without an answer took place. */
const LAST_COMMITS = `CREATE TABLE last_commits (
  connection uuid PRIMARY KEY, number int8 NOT NULL, committed_at timestamptz NOT NULL DEFAULT now()) WITH (fillfactor = 50)`;

/** State of the tables in a database. */
export interface DatabaseState {
  /** Schema of the tables; null if there are none. */
  schema: number | null;
  /** Mark of the secret key of the store; null if there is none. */
  keyMark: Uint8Array | null;
}

/** Lets one starting process after another run what follows in the transaction. */
export const lockStarts = (database: Database): void => void database.all(SCHEMA_LOCK);

/** Opens a connection for commands, which are not limited in time. The caller closes it. */
export const connectForCommands = (target: DatabaseTarget): PostgresDatabase =>
  new PostgresDatabase({ target, limits: LIMITS });

/** Reads the state of a database and changes nothing. Throws StartupError if no server could use it. */
export function inspectDatabase(database: PostgresDatabase, target: DatabaseTarget): DatabaseState {
  try {
    return database.snapshot(() => inspect(database, target));
  } catch (error) {
    throw explainFault(error, target);
  }
}

function inspect(database: PostgresDatabase, target: DatabaseTarget): DatabaseState {
  const { hasProgress, isCopied, state } = inspectAny(database, target);
  const place = capitalized(describeTarget(target));
  if (isCopied)
    throw new StartupError(`${place} is being copied by touchstone copy; wait until that command has ended.`);
  if (hasProgress)
    throw new StartupError(
      `${place} is the unfinished target of touchstone copy; repeat that command, which continues it, or create the database again.`,
    );
  return state;
}

/** State of a database that may be the source or target of a copy. */
export interface CopiedState {
  state: DatabaseState;
  hasProgress: boolean;
  isCopied: boolean;
}

/** Reads the state of a database, also during a copy. Throws StartupError if no server could use it. */
export function inspectAny(database: PostgresDatabase, target: DatabaseTarget): CopiedState {
  const place = capitalized(describeTarget(target));
  const facts = database.get<Facts>(FACTS) as Facts;
  const [hasProgress, isCopied] = [facts.hasProgress === 1, facts.isCopied === 1];
  if (facts.version < OLDEST_SERVER)
    throw new StartupError(
      `${place} is PostgreSQL ${Math.floor(facts.version / 10_000)}; Touchstone needs version 16 or later.`,
    );
  if (facts.encoding !== 'UTF8')
    throw new StartupError(
      `${place} has the encoding ${facts.encoding}; create another with ENCODING 'UTF8' TEMPLATE template0.`,
    );
  if (facts.hasIcu === 0)
    throw new StartupError(`${place} has no ICU collations; use a server that was built with ICU, as usual.`);
  if (facts.readOnly === 1)
    throw new StartupError(
      `${place} takes no writes; use the address of the primary, or add target_session_attrs=read-write with all hosts.`,
    );
  if (facts.hasMark === 0 && !hasProgress) {
    const foreign = database.get<{ name: string }>(FOREIGN);
    if (foreign)
      throw new StartupError(
        `${place} contains tables of another program, such as ${JSON.stringify(foreign.name.slice(0, 64))}; use a database of its own.`,
      );
  }
  const state = facts.hasMark === 1 ? database.get<DatabaseState>(STATE) : undefined;
  return { state: state ?? { schema: null, keyMark: null }, hasProgress, isCopied };
}

/** Throws StartupError if this version cannot use the tables of a database. */
export function checkDatabaseSchema({ schema }: DatabaseState, target: DatabaseTarget): void {
  const place = capitalized(describeTarget(target));
  if (schema === null)
    throw new StartupError(`${place} has no store yet; start the server once, or run migrate.`);
  if (schema > NEWEST_SCHEMA)
    throw new StartupError(
      `${place} was migrated to schema ${schema} by a newer version of Touchstone, and this one has ${SCHEMA_VERSION}; install that version.`,
    );
  if (schema < OLDEST_SCHEMA)
    throw new StartupError(
      `${place} has schema ${schema}, which this version cannot migrate; install the version before it first.`,
    );
}

/** Throws StartupError if the secrets in a database were encrypted with another key. */
export function checkKeyMark({ keyMark }: DatabaseState, mark: Uint8Array, target: DatabaseTarget): void {
  if (keyMark === null || Buffer.from(keyMark).equals(mark)) return;
  throw new StartupError(
    `${capitalized(describeTarget(target))} belongs to another secret key (mark ${Buffer.from(keyMark).toString('hex')}); set TOUCHSTONE_SECRET_KEY to the text that its other servers have.`,
  );
}

/**
 * Makes the tables of an empty database, or migrates those of an older version; all or nothing, and once if several
 * processes try. Returns the schema that was there before; null for none. Throws StartupError, and then nothing was changed.
 */
export function prepareDatabase(target: DatabaseTarget, mark: Uint8Array): number | null {
  const database = connectForCommands(target);
  try {
    // First without the lock, for which a user needs no right, but a standby has none.
    inspectDatabase(database, target);
    return database.transaction(() => {
      lockStarts(database);
      const state = inspect(database, target);
      if (state.schema !== null) {
        checkDatabaseSchema(state, target);
        checkKeyMark(state, mark, target);
        return state.schema;
      }
      makeTables(database, mark, target);
      return null;
    });
  } catch (error) {
    throw explainFault(error, target);
  } finally {
    database.close();
  }
}

function makeTables(database: PostgresDatabase, mark: Uint8Array, target: DatabaseTarget): void {
  requireRight(database, target);
  database.runScript(postgresSchema().join(';\n'));
  markComplete(database, mark);
}

/** Throws StartupError if the user may make no tables. */
export function requireRight(database: PostgresDatabase, target: DatabaseTarget): void {
  const { mayCreate, schema } = database.get<Facts>(FACTS) as Facts;
  if (mayCreate === 0)
    throw new StartupError(
      `${capitalized(describeTarget(target))} does not permit its user ${JSON.stringify(target.user)} to make tables; run GRANT CREATE ON SCHEMA ${schema ?? 'public'} TO this user, or make the user the owner of the database.`,
    );
}

/** Makes the tables by which a server finds a complete store. */
export function markComplete(database: PostgresDatabase, mark: Uint8Array | null): void {
  database.runScript([MARK, LAST_COMMITS].join(';\n'));
  database.run('INSERT INTO touchstone_store (schema, key_mark) VALUES (:schema, CAST(:mark AS bytea))', {
    schema: SCHEMA_VERSION,
    mark,
  });
}
