import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Returns the bytes of each file of a folder. Another process reads them: to read a store in this process would release the
 * locks of its connections. No other program may have the store open, because the last one that closes it deletes the log.
 */
export const folderBytes = (folder: string): { file: string; bytes: Buffer }[] =>
  filesIn(folder).map((file) => ({ file, bytes: execFileSync('cat', [file], { maxBuffer: MAX_BYTES }) }));

/** Returns which of these texts each file of a folder has; files that have none are left out. */
export const findTexts = (folder: string, texts: readonly string[]): { file: string; found: string[] }[] =>
  folderBytes(folder).flatMap(({ file, bytes }) => {
    const found = texts.filter((text) => bytes.includes(text));
    return found.length === 0 ? [] : [{ file, found }];
  });

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
