import { readFileSync } from 'node:fs';
import type { Config } from '../config.ts';
import { errorCode, StartupError } from '../errors.ts';
import { keyMark, secretKeyFromText } from '../runtime/secrets.ts';
import { type DatabaseTarget, parseTarget } from '../storage/postgres/target.ts';

/** Settings that say where the store is. */
export type StorePlace = Pick<Config, 'dataDir' | 'databaseUrl' | 'databaseUrlFile'>;

const URL_VARIABLE = 'TOUCHSTONE_DATABASE_URL';
const FILE_VARIABLE = 'TOUCHSTONE_DATABASE_URL_FILE';

/** Returns the database that the settings name; null if the store is a file. Throws StartupError. */
export function databaseOf({ databaseUrl, databaseUrlFile }: StorePlace): DatabaseTarget | null {
  if (databaseUrl !== null && databaseUrlFile !== null)
    throw new StartupError(`Both ${URL_VARIABLE} and ${FILE_VARIABLE} are set; remove one of them.`);
  if (databaseUrl !== null) return parseTarget(databaseUrl, URL_VARIABLE);
  if (databaseUrlFile === null) return null;
  return parseTarget(readAddress(databaseUrlFile), `The file of ${FILE_VARIABLE}`);
}

function readAddress(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new StartupError(`${file} cannot be read (${errorCode(error)}); correct ${FILE_VARIABLE}.`);
  }
}

/** Returns the mark of the key with which the secrets in a database are encrypted, which it requires. Throws StartupError. */
export function markOfKey({ secretKey }: Pick<Config, 'secretKey'>): Buffer {
  if (secretKey === null)
    throw new StartupError(
      'With a database, TOUCHSTONE_SECRET_KEY is required: set it to a long random text that all servers of this database share, and keep a copy.',
    );
  return keyMark(secretKeyFromText(secretKey));
}

/** Throws StartupError if the store is no file; `instead` says what does the same there. */
export function requireFile(place: StorePlace, command: string, instead: string): void {
  if (databaseOf(place) !== null)
    throw new StartupError(`${command} works on a data folder only; with PostgreSQL, ${instead}`);
}
