import { readFileSync } from 'node:fs';

/** The text of a file that ships beside the code; `path` is relative to the source root. */
export function readAsset(path: string): string {
  return readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
}
