import { statSync } from 'node:fs';
import { StartupError } from '../errors.ts';

/** Returns the size of a file that is to be imported. Throws StartupError. */
export function importFile(path: string): { size: number } {
  try {
    const found = statSync(path);
    if (found.isFile()) return found;
  } catch (error) {
    throw new StartupError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`);
  }
  throw new StartupError(`${path} is not a file.`);
}
