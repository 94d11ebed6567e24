import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Returns the bytes of each file of a folder. Another process reads them: to read the store of a server in this process
 * would release its locks.
 */
export const folderBytes = (folder: string): Buffer[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => execFileSync('cat', [join(entry.parentPath, entry.name)], { maxBuffer: MAX_BYTES }));
