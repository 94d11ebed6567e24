import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, DATA_DIR_FLAG, readConfig } from '../config.ts';
import { readFlags } from '../config/flags.ts';
import { StartupError } from '../errors.ts';
import { damagedPages } from '../storage/sqlite/check-indexes.ts';
import { checkStore } from '../storage/sqlite/check-store.ts';
import { SCHEMA_VERSION } from '../storage/sqlite/migrate.ts';
import { backUpFolder } from './backup.ts';
import {
  openFolderForLongRun,
  openForLongRun,
  storeFailure,
  storeFile,
  takeDataFolder,
} from './data-folder.ts';
import { databaseOf, requireFile } from './database.ts';
import { watchInterrupt } from './interrupt.ts';
import type { Io } from './io.ts';
import { lookFailure, openToLook } from './look-at-store.ts';
import { grouped } from './progress.ts';
import { repairStore } from './repair.ts';
import { type Verified, verifyStore } from './verify-store.ts';

const JSON_FLAG = '--json';
const DEEP_FLAG = '--deep';
const REPAIR_FLAG = '--repair';
/** Repaired rows that are kept for `--json`; all are counted. */
const MAX_REPAIRED = 100;

interface Verify {
  config: Config;
  isDeep: boolean;
  isRepair: boolean;
  /** Output of progress, and of what a repair does. */
  io: Io;
}

interface Repaired {
  /** Backup of the store as it was; null if nothing was changed. */
  backup: string | null;
  /** Number of repaired rows. */
  rows: number;
  /** The first of them. */
  repaired: { of: string; did: string }[];
}

interface Result extends Verified {
  repair?: Repaired;
}

/**
 * Reads every page and every block of a store, and reports what does not fit together; with `--deep` it also computes
 * again what the store has computed. It changes nothing, except with `--repair`. Returns 1 if a fault is left.
 */
export async function verify(args: readonly string[], io: Io): Promise<number> {
  const { flags, words } = readFlags(args, {
    values: [DATA_DIR_FLAG],
    switches: [JSON_FLAG, DEEP_FLAG, REPAIR_FLAG],
  });
  if (words[0] !== undefined) throw new StartupError(`verify takes no "${words[0].slice(0, 80)}".`);
  const isJson = flags.has(JSON_FLAG);
  const isRepair = flags.has(REPAIR_FLAG);
  const given: Verify = {
    config: readConfig(flags, io.env).config,
    isDeep: flags.has(DEEP_FLAG) || isRepair,
    isRepair,
    io: isJson ? { ...io, out: io.err } : io,
  };
  if (isRepair)
    requireFile(
      given.config,
      REPAIR_FLAG,
      'a damaged database is restored from a copy of pg_dump or by point-in-time recovery.',
    );
  const { schema, ...found } = await look(given);
  const mends = isRepair && found.isComplete && found.mendable > 0;
  const result: Result = mends ? await repairAndVerify(given) : found;
  io.out(isJson ? `${JSON.stringify(result)}\n` : textOf(result, isRepair));
  if (!result.isComplete) throw new StartupError(incompleteText(schema));
  return result.faults === 0 ? 0 : 1;
}

async function look(given: Verify): Promise<Verified & { schema: number }> {
  return databaseOf(given.config) === null ? lookAtFolder(given) : lookAtDatabase(given);
}

/** Verifies a database, which servers may use meanwhile. */
async function lookAtDatabase({ config, isDeep, io }: Verify): Promise<Verified & { schema: number }> {
  const database = openForLongRun(config);
  try {
    const verified = await verifyStore(database, { schema: SCHEMA_VERSION, isDeep, isServed: true, io });
    return { ...verified, schema: SCHEMA_VERSION };
  } catch (error) {
    throw storeFailure(error, config);
  } finally {
    database.close();
  }
}

async function lookAtFolder({
  config: { dataDir },
  isDeep,
  isRepair,
  io,
}: Verify): Promise<Verified & { schema: number }> {
  const store = await openToLook(dataDir);
  try {
    if (isRepair && store.isServed)
      throw new StartupError(`A server uses ${dataDir}; stop it, and repeat verify --repair.`);
    const schema = checkStore(store.database, storeFile(dataDir));
    const damage = isRepair ? damagedPages(store.database) : null;
    if (damage !== null)
      throw new StartupError(
        `Pages of ${storeFile(dataDir)} are damaged (${damage}), which --repair cannot repair; restore a backup. Nothing was changed.`,
      );
    const { isServed } = store;
    return { ...(await verifyStore(store.database, { schema, isDeep, isServed, io })), schema };
  } catch (error) {
    throw lookFailure(error, dataDir);
  } finally {
    store.close();
  }
}

/** Repairs a store that no server uses, after a backup of it, and verifies it again. */
async function repairAndVerify({ config, io }: Verify): Promise<Result> {
  const { dataDir } = config;
  const at = Date.now();
  const release = takeDataFolder(dataDir);
  try {
    const backup = join(
      dataDir,
      `before-repair-${new Date(at).toISOString().replaceAll(/[:.]/g, '-')}.backup`,
    );
    await backUpFolder(config, backup, io);
    io.out(`The store as it was is in ${backup}.\n`);
    const repair = await repairFolder({ dataDir, at, io });
    if (repair.rows > 0)
      return { ...repair.verified, repair: { backup, rows: repair.rows, repaired: repair.repaired } };
    rmSync(backup);
    io.out(`Nothing was repaired, so ${backup} was deleted.\n`);
    return { ...repair.verified, repair: { backup: null, rows: 0, repaired: [] } };
  } catch (error) {
    throw lookFailure(error, dataDir);
  } finally {
    release();
  }
}

interface FolderRepair {
  dataDir: string;
  /** Unix milliseconds. */
  at: number;
  io: Io;
}

async function repairFolder({
  dataDir,
  at,
  io,
}: FolderRepair): Promise<Omit<Repaired, 'backup'> & { verified: Verified }> {
  const database = openFolderForLongRun(dataDir);
  try {
    using interrupt = watchInterrupt();
    const repaired: Repaired['repaired'] = [];
    let rows = 0;
    const onRepaired = (of: string, did: string): void => {
      rows += 1;
      if (repaired.length < MAX_REPAIRED) repaired.push({ of, did });
      io.out(`${of}: ${did}\n`);
    };
    await repairStore(database, { isStopped: interrupt.came, at, onRepaired });
    const verified = await verifyStore(database, {
      schema: SCHEMA_VERSION,
      isDeep: true,
      isServed: false,
      io,
    });
    return {
      rows,
      repaired,
      verified: { ...verified, isComplete: verified.isComplete && !interrupt.came() },
    };
  } finally {
    database.close();
  }
}

const incompleteText = (schema: number): string =>
  schema === SCHEMA_VERSION
    ? 'Interrupted; not all of the store was verified.'
    : `The store has schema ${schema}, and this version of Touchstone verifies the traces of schema ${SCHEMA_VERSION}; start the server or run migrate, then verify.`;

function textOf({ traces, faults, mendable, found, repair }: Result, isRepair: boolean): string {
  const what = traces === null ? 'Pages, indexes and references' : `${grouped(traces)} traces`;
  return [
    repair && repair.rows > 0 ? `${rowsText(repair.rows)} repaired.\n` : '',
    ...found.map(({ trace, fault }) => `${trace}: ${fault}\n`),
    faults > found.length ? `… and ${grouped(faults - found.length)} more\n` : '',
    faults === 0
      ? `${what} verified; no fault found.\n`
      : `${what} verified; ${faults === 1 ? '1 fault' : `${grouped(faults)} faults`} found. ${traces === null ? RESTORE : adviceOf({ faults, mendable }, isRepair)}\n`,
  ].join('');
}

const rowsText = (rows: number): string => (rows === 1 ? '1 row was' : `${grouped(rows)} rows were`);

const RESTORE = 'Restore a backup, or delete the traces above.';

/** Returns what to do about faults. */
function adviceOf({ faults, mendable }: Pick<Verified, 'faults' | 'mendable'>, isRepair: boolean): string {
  if (isRepair) return `What is left cannot be computed from the rest of the store. ${RESTORE}`;
  if (mendable === 0) return RESTORE;
  const repair = 'Stop the server and run verify --repair';
  return mendable === faults
    ? `${repair}.`
    : `${repair}, which repairs ${grouped(mendable)} of them. ${RESTORE}`;
}
