/** A store of schema 34, filled through the API by programs of that time and earlier ones. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Sqlite from 'better-sqlite3';
import type { Answers, Reader } from './read-all.ts';

const read = (name: string): Buffer =>
  gunzipSync(readFileSync(new URL(`./schema-34/${name}.gz`, import.meta.url)));

export const OLD_SCHEMA = 34;
/** Time when it was filled. */
export const MADE_AT = Date.UTC(2026, 10, 22, 21);

/** Writes the store to a file and opens it. The caller closes it. */
export function makeOldStore(file: string): Sqlite.Database {
  writeFileSync(file, read('store.db'));
  const store = new Sqlite(file);
  store.pragma('journal_mode = WAL');
  return store;
}

export interface OldFolder {
  /** Applications that read their own data, with the responses: one entry each. */
  readers: Reader[];
  answers: Answers[];
}

/** Makes a data folder of the store and the key that its secrets are sealed with. */
export function makeOldFolder(folder: string): OldFolder {
  const { secretKey, ...told } = JSON.parse(read('answers.json').toString()) as OldFolder & {
    /** Secret key in base64. */
    secretKey: string;
  };
  mkdirSync(folder, { recursive: true });
  makeOldStore(join(folder, 'touchstone.db')).close();
  writeFileSync(join(folder, 'secret.key'), Buffer.from(secretKey, 'base64'), { mode: 0o600 });
  return told;
}

/** State in which a change would show: the schema, its number, and the rows of traces. */
export interface StoreState {
  version: unknown;
  schema: unknown[];
  traces: Record<string, unknown>[];
}

export function stateOf(file: string): StoreState {
  const store = new Sqlite(file, { readonly: true });
  try {
    return {
      version: store.pragma('user_version', { simple: true }),
      schema: store.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all(),
      traces: store.prepare<[], Record<string, unknown>>('SELECT * FROM trace ORDER BY tkey').all(),
    };
  } finally {
    store.close();
  }
}
