import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Returns the bytes of each file of a folder. Another process reads them: to read a store in this process would release the
 * locks of its connections. No other program may have the store open, because the last one that closes it deletes the log.
 */
export const folderBytes = (folder: string): { file: string; bytes: Buffer }[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ file, bytes: execFileSync('cat', [file], { maxBuffer: MAX_BYTES }) }));
