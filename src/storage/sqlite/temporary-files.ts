import { dirname, resolve } from 'node:path';

/**
 * Makes SQLite create its temporary files in the folder of the store, the only one that is certainly writable:
 * otherwise a large command would fail in a read-only container. SQLite reads the variable once, when it first opens
 * a file.
 */
export function keepTemporaryFilesBeside(file: string): void {
  process.env['SQLITE_TMPDIR'] ??= dirname(resolve(file));
}
