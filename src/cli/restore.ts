import {
  chownSync,
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { type Config, DATA_DIR_FLAG, readConfig } from '../config.ts';
import { readFlags } from '../config/flags.ts';
import { StartupError } from '../errors.ts';
import { keyMark } from '../runtime/secrets.ts';
import {
  type BackupDescription,
  changed,
  hashFile,
  type OpenBackup,
  openBackup,
} from '../storage/sqlite/backup-file.ts';
import { checkCopy, checkSchema } from '../storage/sqlite/copy-store.ts';
import { SCHEMA_VERSION } from '../storage/sqlite/migrate.ts';
import { requireFile } from './database.ts';
import { secretKeyFile, storeFile, takeDataFolder } from './data-folder.ts';
import { folderFailure } from './failure.ts';
import type { Io } from './io.ts';
import { presentKey } from './present-key.ts';
import { grouped, ProgressLine } from './progress.ts';
import { printable } from './server-trouble.ts';
import { moveAside, STORE_FILES, syncFolder } from './replace-store.ts';

const REPLACE_FLAG = '--replace';
const JSON_FLAG = '--json';
const SECRET_KEY_FLAG = '--secret-key';

interface Restored extends Omit<BackupDescription, 'secretKey'> {
  folder: string;
  /** Folder with the store that was replaced; null if there was none. */
  replaced: string | null;
  key: 'restored' | 'present' | 'different' | 'missing' | 'none';
}

/** Copies the store, and the key if it is included, from a backup into a folder without a running server. */
export function restore(args: readonly string[], io: Io): void {
  const { flags, words } = readFlags(args, {
    values: [DATA_DIR_FLAG, SECRET_KEY_FLAG],
    switches: [REPLACE_FLAG, JSON_FLAG],
  });
  const [file, more] = words;
  if (file === undefined || more !== undefined)
    throw new StartupError('restore takes one file: the backup to read.');
  const { config } = readConfig(flags, io.env);
  requireFile(
    config,
    'restore',
    'pg_restore --clean --if-exists --dbname=URL touchstone.dump restores what pg_dump has copied, while no server runs.',
  );
  const isJson = flags.has(JSON_FLAG);
  using opened = openBackup(file);
  if (opened.described.schema > SCHEMA_VERSION) {
    throw new StartupError(
      `${file} was written by a newer version of Touchstone (schema ${opened.described.schema}, this one knows ${SCHEMA_VERSION}); restore it with that version.`,
    );
  }
  const release = takeDataFolder(config.dataDir);
  try {
    const old = readdirSync(config.dataDir).filter((name) => STORE_FILES.test(name));
    if (old.length > 0 && !flags.has(REPLACE_FLAG)) {
      throw new StartupError(
        `${config.dataDir} contains a store; choose another data folder, or move that store aside with ${REPLACE_FLAG}.`,
      );
    }
    const restored = restoreInto(config, { file, ...opened }, isJson ? { ...io, out: io.err } : io);
    io.out(isJson ? `${JSON.stringify({ file, ...restored })}\n` : report(file, restored, config));
  } catch (error) {
    throw folderFailure(error, config.dataDir);
  } finally {
    release();
  }
}

function restoreInto(config: Config, backup: OpenBackup & { file: string }, io: Io): Restored {
  const { secretKey, ...described } = backup.described;
  const store = storeFile(config.dataDir);
  const fresh = `${store}.restored`;
  copyDatabase(backup, fresh, io);
  try {
    checkSchema(fresh, backup.file);
    checkCopy(fresh);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
  const owner = ownerOf(config.dataDir);
  const includesKey = secretKey !== null;
  const replaced = moveAside(config.dataDir, includesKey);
  if (includesKey) writeKey(config.dataDir, Buffer.from(secretKey, 'base64'));
  renameSync(fresh, store);
  keepOwner(owner, [config.dataDir, store, ...(includesKey ? [secretKeyFile(config.dataDir)] : [])]);
  syncFolder(config.dataDir);
  const key = includesKey ? 'restored' : keyState(config, described.keyMark);
  return { ...described, folder: config.dataDir, replaced, key };
}

/** Owner of the files of a data folder. */
interface FileOwner {
  uid: number;
  gid: number;
}

/** Returns the owner of the present store, else of the folder. */
function ownerOf(folder: string): FileOwner {
  const store = statSync(storeFile(folder), { throwIfNoEntry: false });
  return store ?? statSync(folder);
}

/** Gives files that root has written to the owner of the folder: the server would not be able to open them. */
function keepOwner({ uid, gid }: FileOwner, files: readonly string[]): void {
  if (process.getuid?.() !== 0) return;
  for (const file of files) chownSync(file, uid, gid);
}

/** Copies the database, and compares it with the sum in the backup. A failure leaves no file. */
function copyDatabase(
  { file, descriptor, described }: OpenBackup & { file: string },
  target: string,
  io: Io,
): void {
  rmSync(target, { force: true });
  const output = openSync(target, 'wx', 0o600);
  const progress = new ProgressLine(io, described.databaseBytes);
  try {
    const sum = hashFile(descriptor, described.databaseBytes, (piece, end) => {
      for (let at = 0; at < piece.length; ) at += writeSync(output, piece, at);
      progress.show(end);
    });
    if (sum !== described.sha256) throw changed(file, 'the SHA-256 of its database is another one');
    fsyncSync(output);
  } catch (error) {
    rmSync(target, { force: true });
    throw error;
  } finally {
    progress.end();
    closeSync(output);
  }
}

function writeKey(folder: string, key: Buffer): void {
  const descriptor = openSync(secretKeyFile(folder), 'wx', 0o600);
  try {
    writeSync(descriptor, key);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Compares the key of the folder, or of the setting, with the one that encrypted the secrets of the store. */
function keyState(config: Config, mark: string | null): Restored['key'] {
  if (mark === null) return 'none';
  const key = presentKey(config);
  if (!key) return 'missing';
  return keyMark(key).toString('hex') === mark ? 'present' : 'different';
}

function report(file: string, restored: Restored, { dataDir }: Config): string {
  const { databaseBytes, traces, createdAt, schema, version, replaced } = restored;
  return [
    `Restored ${file} to ${dataDir}: ${grouped(traces)} traces, ${grouped(databaseBytes)} bytes, as of ${createdAt} (schema ${schema}, version ${printable(version)}).`,
    ...(replaced === null
      ? []
      : [`The former store is in ${replaced}; delete it when you no longer need it.`]),
    keyText(restored, dataDir),
    'What was stored, deleted, erased or revoked after that time is as before: repeat deletions and revocations. Tests that were waiting then are sent when the server starts.',
    '',
  ].join('\n');
}

function keyText({ key, keyMark: given }: Restored, dataDir: string): string {
  const mark = printable(given ?? '');
  const file = secretKeyFile(dataDir);
  const texts: Readonly<Record<Restored['key'], string>> = {
    restored: `The secret key was restored to ${file}.`,
    present: 'The secret key of this folder is the one of the backup.',
    different: `The secret key of this folder is not the one of the backup (${mark}): use that one, or set the webhooks again.`,
    missing: `The secret key (${mark}) is not in the backup: copy it to ${file} before the server starts, or set the webhooks again.`,
    none: 'The backup is of a folder without a secret key.',
  };
  return texts[key];
}
