/**
 * A backup is a SQLite database, followed by its description: JSON, the SHA-256 of the JSON (32 bytes), the length of
 * the JSON (4 bytes, big-endian) and MAGIC. SQLite ignores what follows the last page, so that other tools can read a
 * backup as well.
 */
import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { z } from 'zod';
import { StartupError } from '../../errors.ts';

const MAGIC = Buffer.from('touchstone-backup-1\n');
const HASH_BYTES = 32;
const FOOTER_BYTES = HASH_BYTES + 4 + MAGIC.length;
const MAX_DESCRIPTION_BYTES = 64 * 1024;
const PIECE_BYTES = 4 * 1024 * 1024;

const description = z.object({
  /** Version of the program that made the backup. */
  version: z.string(),
  schema: z.int().min(1),
  /** Time of the state that was copied, as ISO 8601. */
  createdAt: z.iso.datetime(),
  databaseBytes: z.int().min(1),
  /** SHA-256 of the database in hex. */
  sha256: z.string().regex(/^[\da-f]{64}$/),
  traces: z.int().min(0),
  applications: z.int().min(0),
  /** Mark of the key that encrypts the secrets in the store; null if the folder had none. */
  keyMark: z.string().nullable(),
  /** The key in base64, if it was to be included. */
  secretKey: z.string().nullable(),
});
export type BackupDescription = z.infer<typeof description>;

/** Computes the SHA-256 of the first `bytes` of a file, which `onPiece` receives in order. Throws when the file is shorter. */
export function hashFile(
  descriptor: number,
  bytes: number,
  onPiece: (piece: Buffer, end: number) => void,
): string {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(PIECE_BYTES);
  for (let at = 0; at < bytes; ) {
    const count = readSync(descriptor, buffer, 0, Math.min(PIECE_BYTES, bytes - at), at);
    if (count === 0) throw new StartupError(`The file ends after ${at} of ${bytes} bytes.`);
    const piece = buffer.subarray(0, count);
    hash.update(piece);
    at += count;
    onPiece(piece, at);
  }
  return hash.digest('hex');
}

/** Appends the description to a copied database, and syncs the file to disk. */
export function describeBackup(descriptor: number, described: BackupDescription): void {
  const json = Buffer.from(JSON.stringify(described));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(json.length);
  const end = Buffer.concat([json, createHash('sha256').update(json).digest(), length, MAGIC]);
  writeSync(descriptor, end, 0, end.length, described.databaseBytes);
  fsyncSync(descriptor);
}

/** An open backup whose description was read. The caller disposes it. */
export interface OpenBackup extends Disposable {
  descriptor: number;
  described: BackupDescription;
}

/** Opens a backup and reads its description. Throws StartupError when the file is no complete backup. */
export function openBackup(file: string): OpenBackup {
  const descriptor = open(file);
  try {
    return {
      descriptor,
      described: readDescription(descriptor, file),
      [Symbol.dispose]: () => closeSync(descriptor),
    };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

function open(file: string): number {
  try {
    return openSync(file, 'r');
  } catch (error) {
    throw new StartupError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

function readDescription(descriptor: number, file: string): BackupDescription {
  const { size } = fstatSync(descriptor);
  const footer = readAt(descriptor, Math.max(0, size - FOOTER_BYTES), FOOTER_BYTES);
  if (!footer.subarray(HASH_BYTES + 4).equals(MAGIC)) {
    throw new StartupError(
      `${file} is not a backup of Touchstone, or its end is missing; choose another backup.`,
    );
  }
  const length = footer.readUInt32BE(HASH_BYTES);
  const start = size - FOOTER_BYTES - length;
  if (length > MAX_DESCRIPTION_BYTES || start < 0)
    throw changed(file, 'its description does not fit into it');
  const json = readAt(descriptor, start, length);
  if (!createHash('sha256').update(json).digest().equals(footer.subarray(0, HASH_BYTES)))
    throw changed(file, 'its description was changed');
  const described = descriptionIn(json);
  if (!described) throw changed(file, 'its description has another form');
  if (described.databaseBytes !== start)
    throw changed(file, `its database has ${start} bytes instead of ${described.databaseBytes}`);
  return described;
}

/** Returns the description in a JSON text, which anyone may have written; undefined when it has another form. */
function descriptionIn(json: Buffer): BackupDescription | undefined {
  try {
    return description.safeParse(JSON.parse(json.toString())).data;
  } catch {
    return undefined;
  }
}

/** Describes a backup that does not have the contents that were written. */
export const changed = (file: string, what: string): StartupError =>
  new StartupError(`${file} is damaged: ${what}; choose another backup.`);

function readAt(descriptor: number, position: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  return buffer.subarray(0, readSync(descriptor, buffer, 0, length, position));
}
