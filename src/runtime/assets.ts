import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { getAsset } from 'node:sea';

/** Protocol of the addresses of modules in the single binary, whose assets are these modules and all other files. */
const INSIDE = 'app:';

/** Returns the text of a file that is shipped with the code; `path` is relative to the source root. */
export function readAsset(path: string): string {
  const url = locate(path);
  return url.protocol === INSIDE ? getAsset(nameOf(url), 'utf8') : readFileSync(url, 'utf8');
}

/** The text of a file that ships beside the code; null when the build left it out. */
export function findAsset(path: string): string | null {
  try {
    return readAsset(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ERR_SINGLE_EXECUTABLE_APPLICATION_ASSET_NOT_FOUND') return null;
    throw error;
  }
}

/** The bytes of a file that ships beside the code; `path` is relative to the source root. */
export function readAssetBytes(path: string): Promise<Buffer> {
  const url = locate(path);
  return url.protocol === INSIDE ? Promise.resolve(Buffer.from(getAsset(nameOf(url)))) : readFile(url);
}

/** Returns the source of the loader that a thread of the single binary runs first; null elsewhere. */
export const binaryLoader = (): string | null =>
  import.meta.url.startsWith(INSIDE) ? getAsset('loader.cjs', 'utf8') : null;

const locate = (path: string): URL => new URL(`../${path}`, import.meta.url);
const nameOf = ({ pathname }: URL): string => decodeURI(pathname.slice(1));
