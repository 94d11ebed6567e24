import { DATA_DIR_FLAG, readConfig } from '../config.ts';
import { readFlags } from '../config/flags.ts';
import { StartupError } from '../errors.ts';
import { SCHEMA_VERSION } from '../storage/sqlite/migrate.ts';
import { listSnapshots, schemaOf } from '../storage/sqlite/snapshots.ts';
import { checkStoreExists, migrateFolder, storeFile, takeDataFolder } from './data-folder.ts';
import { folderFailure } from './failure.ts';
import type { Io } from './io.ts';
import { grouped } from './progress.ts';

const NO_SNAPSHOT_FLAG = '--no-snapshot';
const JSON_FLAG = '--json';

/** Migrates the store, as the next start of the server would. */
export function migrate(args: readonly string[], io: Io): void {
  const { flags, words } = readFlags(args, {
    values: [DATA_DIR_FLAG],
    switches: [NO_SNAPSHOT_FLAG, JSON_FLAG],
  });
  if (words[0] !== undefined) throw new StartupError(`migrate takes no "${words[0].slice(0, 80)}".`);
  const { dataDir } = readConfig(flags, io.env).config;
  checkStoreExists(dataDir);
  const release = takeDataFolder(dataDir);
  try {
    const since = performance.now();
    const done = migrateFolder(dataDir, { snapshot: !flags.has(NO_SNAPSHOT_FLAG) });
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

/** Prints the schema of the store and of this version, and the snapshots; works while a server runs. */
export function migrationStatus(args: readonly string[], io: Io): void {
  const { flags, words } = readFlags(args, { values: [DATA_DIR_FLAG], switches: [JSON_FLAG] });
  if (words[0] !== undefined) throw new StartupError(`migrate status takes no "${words[0].slice(0, 80)}".`);
  const { dataDir } = readConfig(flags, io.env).config;
  checkStoreExists(dataDir);
  const store = storeFile(dataDir);
  try {
    const [schema, snapshots] = [schemaOf(store), listSnapshots(store)];
    if (flags.has(JSON_FLAG)) {
      io.out(`${JSON.stringify({ store, schema, programSchema: SCHEMA_VERSION, snapshots })}\n`);
      return;
    }
    io.out(
      `${store} has schema ${schema}; this version of Touchstone has ${SCHEMA_VERSION}. ${adviceFor(schema)}\n`,
    );
    for (const { file, schema: before, bytes, at } of snapshots)
      io.out(
        `Snapshot of schema ${before}: ${file}, ${grouped(bytes)} bytes, ${new Date(at).toISOString()}\n`,
      );
  } catch (error) {
    throw folderFailure(error, dataDir);
  }
}

function adviceFor(schema: number): string {
  if (schema === SCHEMA_VERSION) return 'Nothing is to be done.';
  return schema < SCHEMA_VERSION
    ? 'The next start of the server migrates it, or migrate up.'
    : 'Install the version that migrated it.';
}
