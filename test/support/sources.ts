import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The root of the repository. */
export const ROOT = join(import.meta.dirname, '../..');

/** The files in a folder of the repository whose names match: path from its root → text. */
export function sourcesOf(folder: string, names = /\.tsx?$/): Map<string, string> {
  const sources = new Map<string, string>();
  for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory() && !['node_modules', 'dist'].includes(entry.name)) {
      for (const [file, source] of sourcesOf(path, names)) sources.set(file, source);
    } else if (names.test(entry.name)) {
      sources.set(path, readFileSync(join(ROOT, path), 'utf8'));
    }
  }
  return sources;
}
