import { type Config, DATA_DIR_FLAG, readConfig } from '../config.ts';
import { type Flags, readFlags } from '../config/flags.ts';
import { StartupError } from '../errors.ts';
import { checkHeader, checkStore, readHeader } from '../storage/sqlite/check-store.ts';
import { SCHEMA_VERSION, OLDEST_SCHEMA } from '../storage/sqlite/migrate.ts';
import { listSnapshots } from '../storage/sqlite/snapshots.ts';
import { connectForCommands, inspectDatabase, prepareDatabase } from '../storage/postgres/prepare.ts';
import { type DatabaseTarget, describeTarget } from '../storage/postgres/target.ts';
import { checkStoreExists, migrateFolder, storeFile, takeDataFolder } from './data-folder.ts';
import { databaseOf, markOfKey, requireFile } from './database.ts';
import type { Io } from './io.ts';
import { lookFailure, openToLook } from './look-at-store.ts';
import { grouped } from './progress.ts';

const NO_SNAPSHOT_FLAG = '--no-snapshot';
const JSON_FLAG = '--json';

/** Migrates the store, as the next start of the server would. */
export function migrateCommand(args: readonly string[], io: Io): void {
  const { flags, words } = readFlags(args, {
    values: [DATA_DIR_FLAG],
    switches: [NO_SNAPSHOT_FLAG, JSON_FLAG],
  });
  if (words[0] !== undefined) throw new StartupError(`migrate takes no "${words[0].slice(0, 80)}".`);
  const { config } = readConfig(flags, io.env);
  const { dataDir } = config;
  if (databaseOf(config) !== null) {
    migrateDatabase(config, flags, io);
    return;
  }
  checkStoreExists(config);
  const release = takeDataFolder(dataDir);
  try {
    const since = performance.now();
    const done = migrateFolder(dataDir, { snapshot: !flags.has(NO_SNAPSHOT_FLAG), mustExist: true });
    const seconds = Math.round(performance.now() - since) / 1000;
    if (flags.has(JSON_FLAG)) {
      io.out(`${JSON.stringify({ store: storeFile(dataDir), migrated: done && { ...done, seconds } })}\n`);
      return;
    }
    if (!done) {
      io.out(`Nothing to do: ${storeFile(dataDir)} is up to date.\n`);
      return;
    }
    io.out(
      `Migrated ${storeFile(dataDir)} from schema ${done.from} to ${done.to} in ${seconds.toFixed(1)} s.\n`,
    );
    if (done.snapshot !== null) io.out(`Snapshot from before the migration: ${done.snapshot}\n`);
  } finally {
    release();
  }
}

/** Makes or migrates the tables of a database. */
function migrateDatabase(config: Config, flags: Flags, io: Io): void {
  const target = databaseOf(config) as DatabaseTarget;
  if (flags.has(NO_SNAPSHOT_FLAG))
    requireFile(config, NO_SNAPSHOT_FLAG, 'no snapshot is made: copy the database with pg_dump first.');
  const since = performance.now();
  const from = prepareDatabase(target, markOfKey(config));
  const seconds = Math.round(performance.now() - since) / 1000;
  const done = from === SCHEMA_VERSION ? null : { from: from ?? 0, to: SCHEMA_VERSION, snapshot: null };
  const store = describeTarget(target);
  if (flags.has(JSON_FLAG)) io.out(`${JSON.stringify({ store, migrated: done && { ...done, seconds } })}\n`);
  else if (done === null) io.out(`Nothing to do: ${store} is up to date.\n`);
  else if (from === null) io.out(`Made the tables of schema ${SCHEMA_VERSION} in ${store}.\n`);
  else io.out(`Migrated ${store} from schema ${from} to ${SCHEMA_VERSION} in ${seconds.toFixed(1)} s.\n`);
}

/** Prints the schema of a database. Returns 1 if a server of this version does not start over it. */
function databaseStatus(target: DatabaseTarget, flags: Flags, io: Io): number {
  const database = connectForCommands(target);
  try {
    const { schema } = inspectDatabase(database, target);
    const store = describeTarget(target);
    if (flags.has(JSON_FLAG))
      io.out(
        `${JSON.stringify({ store, schema: schema ?? 0, programSchema: SCHEMA_VERSION, snapshots: [] })}\n`,
      );
    else if (schema === null) io.out(`There is no store yet in ${store}; the start of a server makes it.\n`);
    else
      io.out(
        `${store} has schema ${schema}; this version of Touchstone has ${SCHEMA_VERSION}. ${adviceFor(schema)}\n`,
      );
    return schema === null || schema === SCHEMA_VERSION ? 0 : 1;
  } finally {
    database.close();
  }
}

/**
 * Prints the schema of the store and of this version, and the snapshots; works while a server runs, and changes nothing.
 * Returns 1 if a server of this version does not start over the store.
 */
export async function migrationStatus(args: readonly string[], io: Io): Promise<number> {
  const { flags, words } = readFlags(args, { values: [DATA_DIR_FLAG], switches: [JSON_FLAG] });
  if (words[0] !== undefined) throw new StartupError(`migrate status takes no "${words[0].slice(0, 80)}".`);
  const { config } = readConfig(flags, io.env);
  const { dataDir } = config;
  const target = databaseOf(config);
  if (target !== null) return databaseStatus(target, flags, io);
  const store = storeFile(dataDir);
  const [schema, advice] = await schemaToShow(dataDir);
  const snapshots = listSnapshots(store);
  if (flags.has(JSON_FLAG)) {
    io.out(`${JSON.stringify({ store, schema, programSchema: SCHEMA_VERSION, snapshots })}\n`);
  } else {
    io.out(`${store} has schema ${schema}; this version of Touchstone has ${SCHEMA_VERSION}. ${advice}\n`);
    for (const { file, schema: before, bytes, at } of snapshots)
      io.out(
        `Snapshot of schema ${before}: ${file}, ${grouped(bytes)} bytes, ${new Date(at).toISOString()}\n`,
      );
  }
  return canStart(schema) ? 0 : 1;
}

/** Returns the schema of a store, and what to do. Throws StartupError when the file is no store, or a damaged one. */
async function schemaToShow(dataDir: string): Promise<[schema: number, advice: string]> {
  const store = await openToLook(dataDir);
  try {
    const header = readHeader(store.database);
    // What a server rejects for another reason than its version.
    if (canStart(header.schema) || header.schema < 1) checkStore(store.database, storeFile(dataDir));
    else checkHeader(storeFile(dataDir), { ...header, schema: SCHEMA_VERSION });
    return [header.schema, adviceFor(header.schema)];
  } catch (error) {
    throw lookFailure(error, dataDir);
  } finally {
    store.close();
  }
}

const canStart = (schema: number): boolean => schema >= OLDEST_SCHEMA && schema <= SCHEMA_VERSION;

function adviceFor(schema: number): string {
  if (schema === SCHEMA_VERSION) return 'Nothing is to be done.';
  if (schema < OLDEST_SCHEMA)
    return `It was written before the first release: this version migrates schema ${OLDEST_SCHEMA} and later, and does not start over it.`;
  return schema < SCHEMA_VERSION
    ? 'The next start of the server migrates it, or migrate up.'
    : 'This version does not start over it. Install the version that migrated it.';
}
