import { randomUUID } from 'node:crypto';
import { closeSync, openSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { type Config, DATA_DIR_FLAG, readConfig } from '../config.ts';
import { readFlags } from '../config/flags.ts';
import { StartupError } from '../errors.ts';
import { recordChange } from '../people/audit-store.ts';
import { keyMark } from '../runtime/secrets.ts';
import type { Database } from '../storage/database.ts';
import { type BackupDescription, describeBackup, hashFile } from '../storage/sqlite/backup-file.ts';
import { checkCopy, copyStore } from '../storage/sqlite/copy-store.ts';
import { NoStoreError } from '../storage/sqlite/no-store-error.ts';
import { explainSqliteError } from '../storage/sqlite/open.ts';
import { COMMAND_LINE } from './command-line-actor.ts';
import { requireFile, type StorePlace } from './database.ts';
import { checkStoreExists, secretKeyFile, storeFile, withStoreOf } from './data-folder.ts';
import { folderFailure } from './failure.ts';
import type { Io } from './io.ts';
import { grouped, ProgressLine } from './progress.ts';
import { presentKey } from './present-key.ts';
import { programVersion } from './version.ts';

const WITH_KEY_FLAG = '--with-secret-key';
const OVERWRITE_FLAG = '--overwrite';
const JSON_FLAG = '--json';
const SECRET_KEY_FLAG = '--secret-key';
const PAGE_BYTES = 4096;
const MIB = 1024 * 1024;

/** Copies the store to a file, also while a server runs. The file appears under its name when it is complete and checked. */
export async function backup(args: readonly string[], io: Io): Promise<void> {
  const { flags, words } = readFlags(args, {
    values: [DATA_DIR_FLAG, SECRET_KEY_FLAG],
    switches: [WITH_KEY_FLAG, OVERWRITE_FLAG, JSON_FLAG],
  });
  const [file, more] = words;
  if (file === undefined || more !== undefined)
    throw new StartupError('backup takes one file: the backup to write.');
  const { config } = readConfig(flags, io.env);
  requireFile(
    config,
    'backup',
    'pg_dump --format=custom --file=touchstone.dump --dbname=URL copies the store.',
  );
  checkStoreExists(config);
  const key = keyOf(config, flags.has(WITH_KEY_FLAG));
  if (resolve(file) === resolve(storeFile(config.dataDir)))
    throw new StartupError(`${file} is the store itself; choose another name for the backup.`);
  if (!flags.has(OVERWRITE_FLAG) && statSync(file, { throwIfNoEntry: false }))
    throw new StartupError(`${file} exists; choose another name, or replace it with ${OVERWRITE_FLAG}.`);
  checkSpace(storeFile(config.dataDir), file);

  const isJson = flags.has(JSON_FLAG);
  const since = performance.now();
  const unrecorded = recordBackup(config, file);
  const described = await writeBackup(config, file, key, isJson ? { ...io, out: io.err } : io);
  if (unrecorded !== null)
    io.err(
      `The backup is not recorded in the audit log, so no receipt of an erasure will name it: ${unrecorded}\n`,
    );
  const seconds = Math.round(performance.now() - since) / 1000;
  const { secretKey, ...result } = described;
  if (isJson) {
    io.out(`${JSON.stringify({ file, ...result, includesSecretKey: secretKey !== null, seconds })}\n`);
    return;
  }
  io.out(
    `Backed up ${grouped(described.traces)} traces to ${file}: ${grouped(described.databaseBytes)} bytes, schema ${described.schema}, in ${seconds.toFixed(1)} s.\n`,
  );
  io.out(`SHA-256 of the database: ${described.sha256}\n${aboutKey(config, key)}\n`);
}

/**
 * Records in the audit log of each application that a backup begins, so that receipts of erasures name it. Returns why that is
 * not possible, or null.
 */
function recordBackup(place: StorePlace, file: string): string | null {
  try {
    withStoreOf(place, (database) => database.transaction(() => recordInAll(database, file)));
    return null;
  } catch (error) {
    if (error instanceof NoStoreError || !(error instanceof StartupError)) throw error;
    return error.message;
  }
}

/** Records a backup in the audit log of each application, in a transaction of the caller. */
const recordInAll = (database: Database, file: string): void => {
  const detail = basename(file);
  const change = { at: Date.now(), actor: COMMAND_LINE, action: 'backup', resourceId: null, detail };
  const all = 'SELECT application FROM application ORDER BY application';
  for (const { application } of database.all<{ application: number }>(all))
    recordChange(database, { ...change, application, requestId: `command-line-${randomUUID()}` });
};

/**
 * Writes a backup without the secret key, which appears under its name when it is complete and checked. It is recorded in the
 * audit log first, so that no end of the process leaves one that is not.
 */
export async function backUpFolder(config: Config, file: string, io: Io): Promise<BackupDescription> {
  checkSpace(storeFile(config.dataDir), file);
  withStoreOf(config, (database) => database.transaction(() => recordInAll(database, file)));
  return writeBackup(config, file, keyOf(config, false), io);
}

interface BackupKey {
  mark: string | null;
  /** The key in base64, if it is part of the backup. */
  included: string | null;
}

/** Reads the key of the folder. Throws StartupError when it is to be included and cannot be. */
function keyOf(config: Config, include: boolean): BackupKey {
  if (config.secretKey !== null && include) {
    throw new StartupError(
      `${WITH_KEY_FLAG} is not possible, because the key is derived from a setting; keep the text of TOUCHSTONE_SECRET_KEY instead.`,
    );
  }
  const key = presentKey(config);
  if (!key && include)
    throw new StartupError(`${secretKeyFile(config.dataDir)} does not exist, so it cannot be included.`);
  return {
    mark: key ? keyMark(key).toString('hex') : null,
    included: include && key ? key.toString('base64') : null,
  };
}

function aboutKey({ dataDir, secretKey }: Config, { mark, included }: BackupKey): string {
  if (included !== null)
    return 'It includes the secret key: whoever has the file can read the secrets of webhooks.';
  if (mark === null) return 'The folder has no secret key.';
  const key = secretKey === null ? secretKeyFile(dataDir) : 'the text of TOUCHSTONE_SECRET_KEY';
  return `It does not include the secret key (${mark}): keep ${key} elsewhere. Without it, webhooks have to be set again.`;
}

async function writeBackup(config: Config, file: string, key: BackupKey, io: Io): Promise<BackupDescription> {
  const unfinished = `${file}.part`;
  const store = storeFile(config.dataDir);
  let descriptor: number | null = null;
  let progress: ProgressLine | null = null;
  try {
    rmSync(unfinished, { force: true });
    descriptor = openSync(unfinished, 'wx+', 0o600);
    const copied = await copyStore(store, unfinished, (done, total) => {
      progress ??= new ProgressLine(io, total * PAGE_BYTES);
      progress.show(done * PAGE_BYTES);
    });
    checkCopy(unfinished);
    const databaseBytes = statSync(unfinished).size;
    const described: BackupDescription = {
      version: programVersion(),
      schema: copied.schema,
      createdAt: new Date(copied.at).toISOString(),
      databaseBytes,
      sha256: hashFile(descriptor, databaseBytes, () => undefined),
      traces: copied.traces,
      applications: copied.applications,
      keyMark: key.mark,
      secretKey: key.included,
    };
    describeBackup(descriptor, described);
    renameSync(unfinished, file);
    return described;
  } catch (error) {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(unfinished + suffix, { force: true });
    throw folderFailure(explainSqliteError(error, store), dirname(resolve(file)));
  } finally {
    if (descriptor !== null) closeSync(descriptor);
    (progress as ProgressLine | null)?.end();
  }
}

function checkSpace(store: string, file: string): void {
  const folder = dirname(resolve(file));
  const needed = [store, `${store}-wal`].reduce(
    (sum, part) => sum + (statSync(part, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
  const free = freeBytes(folder);
  if (free !== null && needed > free)
    throw new StartupError(
      `The backup needs up to ${Math.ceil(needed / MIB)} MiB; ${Math.floor(free / MIB)} MiB are free in ${folder}.`,
    );
}

/** Returns the free bytes of the disk of a folder; null if they are unknown. */
function freeBytes(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}
