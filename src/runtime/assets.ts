import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** Returns the text of a file that is shipped with the code; `path` is relative to the source root. */
export function readAsset(path: string): string {
  return readFileSync(locate(path), 'utf8');
}

/** The text of a file that ships beside the code; null when the build left it out. */
export function findAsset(path: string): string | null {
  try {
    return readAsset(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** The bytes of a file that ships beside the code; `path` is relative to the source root. */
export const readAssetBytes = (path: string): Promise<Buffer> => readFile(locate(path));

const locate = (path: string): URL => new URL(`../${path}`, import.meta.url);
