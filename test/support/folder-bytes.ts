import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Returns the bytes of each file of a folder. Another process reads them: to read a store in this process would release the
 * locks of its connections. No other program may have the store open, because the last one that closes it deletes the log.
 */
export const folderBytes = (folder: string): { file: string; bytes: Buffer }[] =>
  filesIn(folder).map((file) => ({ file, bytes: execFileSync('cat', [file], { maxBuffer: MAX_BYTES }) }));

/** Returns which of these lines of text each file of a folder has, however large it is; files that have none are left out. */
export function findTexts(folder: string, texts: readonly string[]): { file: string; found: string[] }[] {
  return filesIn(folder).flatMap((file) => {
    const { status, stdout, stderr } = spawnSync(
      'grep',
      ['--text', '--only-matching', '--fixed-strings', '--file=-', file],
      { input: texts.join('\n'), encoding: 'utf8', maxBuffer: MAX_BYTES },
    );
    // 1: no line matches.
    if (status !== 0 && status !== 1) throw new Error(`grep ended with ${status}: ${stderr}`);
    return status === 0 ? [{ file, found: [...new Set(stdout.trimEnd().split('\n'))] }] : [];
  });
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
