import { DATA_DIR_FLAG, readConfig } from '../config.ts';
import { readFlags } from '../config/flags.ts';
import { StartupError } from '../errors.ts';
import { checkStoreExists, migrateFolder, storeFile, takeDataFolder } from './data-folder.ts';
import type { Io } from './io.ts';

const NO_SNAPSHOT_FLAG = '--no-snapshot';

/** Migrates the store, as the next start of the server would. */
export function migrate(args: readonly string[], io: Io): void {
  const { flags, words } = readFlags(args, { values: [DATA_DIR_FLAG], switches: [NO_SNAPSHOT_FLAG] });
  if (words[0] !== undefined) throw new StartupError(`migrate takes no "${words[0].slice(0, 80)}".`);
  const { dataDir } = readConfig(flags, io.env).config;
  checkStoreExists(dataDir);
  const release = takeDataFolder(dataDir);
  try {
    const since = performance.now();
    const done = migrateFolder(dataDir, { snapshot: !flags.has(NO_SNAPSHOT_FLAG) });
    if (!done) {
      io.out(`Nothing to do: ${storeFile(dataDir)} is up to date.\n`);
      return;
    }
    const seconds = ((performance.now() - since) / 1000).toFixed(1);
    io.out(`Migrated ${storeFile(dataDir)} from schema ${done.from} to ${done.to} in ${seconds} s.\n`);
    if (done.snapshot !== null) io.out(`Snapshot from before the migration: ${done.snapshot}\n`);
  } finally {
    release();
  }
}
