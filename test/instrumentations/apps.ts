/** The JavaScript applications of `apps/`, and what their spans depend on. */
import { createHash } from 'node:crypto';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

export const HOME = import.meta.dirname;

/** Names of all applications, sorted. */
export const APPS = readdirSync(join(HOME, 'apps'))
  .map((file) => basename(file, '.mjs'))
  .sort();

const { dependencies } = JSON.parse(readFileSync(join(HOME, 'package.json'), 'utf8')) as {
  dependencies: Readonly<Record<string, string>>;
};
/** Versions of the packages that the applications import, as package.json has them. */
export const PACKAGES = dependencies;

/** Returns a hash of an application, of what it shares with the others, and of the lock file: all that decides what it sends. */
export function sourcesOf(app: string): string {
  const hash = createHash('sha256');
  const files = [join('apps', `${app}.mjs`), ...globSync('*.mjs', { cwd: HOME }).sort(), 'package-lock.json'];
  for (const file of files) hash.update(file).update(readFileSync(join(HOME, file)));
  return hash.digest('hex').slice(0, 16);
}
