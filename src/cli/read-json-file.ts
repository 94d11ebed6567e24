import { readFileSync, statSync } from 'node:fs';
import { StartupError } from '../errors.ts';

/**
 * Reads a file with JSON that settings name. Calls `wrong`, which throws StartupError, with what the file is or does
 * when it cannot be used.
 */
export function readJsonFile(path: string, maxBytes: number, wrong: (problem: string) => never): unknown {
  let text: string;
  try {
    const stats = statSync(path);
    if (!stats.isFile()) wrong('is not a file');
    if (stats.size > maxBytes) wrong(`is larger than ${maxBytes} bytes`);
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof StartupError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    return wrong(code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`);
  }
  try {
    return JSON.parse(text);
  } catch {
    return wrong('is not JSON');
  }
}
