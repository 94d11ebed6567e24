import { type Config, readConfig } from '../config.ts';
import { readFlags } from '../config/flags.ts';
import { StartupError } from '../errors.ts';
import { type CopiedRows, type CopyReport, copyTables } from '../storage/copy/copy-store.ts';
import { openSourceDatabase, openTargetDatabase } from '../storage/postgres/copy-database.ts';
import { explainFault } from '../storage/postgres/explain.ts';
import { PostgresFault } from '../storage/postgres/fault.ts';
import { type DatabaseTarget, describeTarget, parseTarget } from '../storage/postgres/target.ts';
import { copiedTables } from '../storage/sqlite/copied-tables.ts';
import { openSourceFile, openTargetFile } from '../storage/sqlite/copy-folder.ts';
import { explainSqliteError } from '../storage/sqlite/open.ts';
import { type CopiedKey, keyOfDatabase, keyOfFolder } from './copied-key.ts';
import { checkStoreExists, storeFile, takeDataFolder } from './data-folder.ts';
import { databaseOf } from './database.ts';
import { folderFailure } from './failure.ts';
import type { Io } from './io.ts';
import { grouped, ProgressLine } from './progress.ts';

const JSON_FLAG = '--json';
const SECRET_KEY_FLAG = '--secret-key';
/** Word for the database of the settings, so that no password is in the command line. */
const OF_SETTINGS = 'database';
const USAGE =
  'copy takes a data folder and the address of a database, in the direction of the copy: copy FOLDER postgres://…, or copy postgres://… FOLDER.';

type Place = { folder: string } | { target: DatabaseTarget };

/** Copies a stopped store from a data folder into a database, or back. */
export function copyCommand(args: readonly string[], io: Io): void {
  const { flags, words } = readFlags(args, { values: [SECRET_KEY_FLAG], switches: [JSON_FLAG] });
  const { config } = readConfig(flags, io.env);
  const [from, to, ...more] = words.map((word) => placeOf(word, config));
  if (from === undefined || to === undefined || more.length > 0) throw new StartupError(USAGE);
  const isJson = flags.has(JSON_FLAG);
  const progress = isJson ? { ...io, out: io.err, isTerminal: false } : io;
  const since = performance.now();
  const done =
    'folder' in from && 'target' in to
      ? copyToDatabase(config, { ...from, ...to }, progress)
      : 'target' in from && 'folder' in to
        ? copyToFolder(config, { ...from, ...to }, progress)
        : null;
  if (done === null) throw new StartupError(USAGE);
  const seconds = Math.max(0.001, Math.round(performance.now() - since) / 1000);
  const { tables, rows, resumedRows, key } = done;
  if (isJson) {
    io.out(`${JSON.stringify({ rows, resumedRows, seconds, keyMark: key.mark, tables })}\n`);
    return;
  }
  const isResumed = resumedRows > 0 ? `, ${grouped(resumedRows)} of them before` : '';
  io.out(
    `Copied ${grouped(rows)} rows of ${tables.length} tables in ${seconds.toFixed(1)} s${isResumed}; counts and hashes of all tables are equal.\n${key.advice}\n`,
  );
}

function placeOf(word: string, config: Config): Place {
  if (/^postgres(?:ql)?:/.test(word)) return { target: parseTarget(word, 'The address of the database') };
  if (word !== OF_SETTINGS) return { folder: word };
  const target = databaseOf(config);
  if (target === null)
    throw new StartupError(
      `"${OF_SETTINGS}" is the database of TOUCHSTONE_DATABASE_URL or TOUCHSTONE_DATABASE_URL_FILE; set one of them, or write ./${OF_SETTINGS} for a folder of this name.`,
    );
  return { target };
}

type Copied = CopiedRows & { key: CopiedKey };
interface Places {
  folder: string;
  target: DatabaseTarget;
}

function copyToDatabase(config: Config, { folder, target }: Places, io: Io): Copied {
  return explained({ folder, target }, () => {
    checkStoreExists({ dataDir: folder, databaseUrl: null, databaseUrlFile: null });
    const release = takeDataFolder(folder);
    try {
      const source = openSourceFile(storeFile(folder));
      try {
        const key = keyOfFolder(source.database, { ...config, dataDir: folder });
        const into = openTargetDatabase(target, key.mark === null ? null : Buffer.from(key.mark, 'hex'));
        try {
          io.out(`Copying ${storeFile(folder)} to ${describeTarget(target)}.\n`);
          return { ...copyTables(copiedTables(), { source, target: into }, reportTo(io)), key };
        } finally {
          into.close();
        }
      } finally {
        source.close();
      }
    } finally {
      release();
    }
  });
}

function copyToFolder(config: Config, { folder, target }: Places, io: Io): Copied {
  return explained({ folder, target }, () => {
    const source = openSourceDatabase(target);
    try {
      const key = keyOfDatabase(source.keyMark, { ...config, dataDir: folder });
      const release = takeDataFolder(folder);
      try {
        const into = openTargetFile(storeFile(folder));
        try {
          io.out(`Copying ${describeTarget(target)} to ${storeFile(folder)}.\n`);
          return { ...copyTables(copiedTables(), { source, target: into }, reportTo(io)), key };
        } finally {
          into.close();
        }
      } finally {
        release();
      }
    } finally {
      source.close();
    }
  });
}

/** Describes in one sentence why a store could not be read or written. */
function explained<T>({ folder, target }: Places, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const told = explainFault(error, target);
    // Such as a text that is too long for an index of PostgreSQL. The message has names and no values.
    if (told instanceof PostgresFault)
      throw new StartupError(
        `${describeTarget(target)} rejects the rows of this store (${told.code}: ${told.message}).`,
      );
    throw folderFailure(explainSqliteError(told, storeFile(folder)), folder);
  }
}

const PHASES = {
  copy: 'Copying',
  verify: 'Comparing',
  complete: 'Making indexes',
} as const;

/** Prints the tables that are copied, and the progress of all rows. */
function reportTo(io: Io): CopyReport {
  let line: ProgressLine | null = null;
  return {
    onPhase: (phase, rows) => {
      line?.end();
      line = new ProgressLine(io, rows);
      io.out(phase === 'complete' ? `${PHASES[phase]}.\n` : `${PHASES[phase]} ${grouped(rows)} rows.\n`);
    },
    onResume: (rows) => io.out(`Continuing after ${grouped(rows)} rows.\n`),
    onRows: (done) => line?.show(done),
    onTable: (table, rows) => {
      line?.end();
      io.out(`${table}: ${grouped(rows)} rows\n`);
    },
  };
}
