/** The JavaScript applications of `apps/` and `frameworks/apps/`, and what their spans depend on. */
import { createHash } from 'node:crypto';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { FRAMEWORKS, JAVASCRIPT } from './recording.ts';

const HOME = import.meta.dirname;

export interface JavaScriptApps {
  /** Folder of `apps/`, of package.json and of the lock file. */
  home: string;
  /** Folder of what they sent. */
  recordings: string;
  /** Names of all applications, sorted. */
  names: readonly string[];
  /** Versions of the packages, as package.json has them. */
  packages: Readonly<Record<string, string>>;
  /** Returns the versions of the packages that an application imports. */
  packagesOf: (app: string) => Record<string, string>;
  /** Returns a hash of an application, of what it shares with the others, and of the lock file: all that decides what it sends. */
  sourcesOf: (app: string) => string;
}

function appsOf(home: string, recordings: string): JavaScriptApps {
  const { dependencies } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as {
    dependencies: Readonly<Record<string, string>>;
  };
  const fileOf = (app: string): string => join(home, 'apps', `${app}.mjs`);
  return {
    home,
    recordings,
    names: readdirSync(join(home, 'apps'))
      .map((file) => basename(file, '.mjs'))
      .sort(),
    packages: dependencies,
    packagesOf: (app) => {
      const imported = [
        ...readFileSync(fileOf(app), 'utf8').matchAll(/ from '((?:@[^/']+\/)?[^./'][^/']*)/g),
      ];
      const names = new Set(imported.map(([, name = '']) => name));
      return Object.fromEntries(Object.entries(dependencies).filter(([name]) => names.has(name)));
    },
    sourcesOf: (app) => {
      const hash = createHash('sha256');
      const shared = globSync('*.mjs', { cwd: HOME }).sort();
      hash.update(`apps/${app}.mjs`).update(readFileSync(fileOf(app)));
      for (const file of shared) hash.update(file).update(readFileSync(join(HOME, file)));
      hash.update('package-lock.json').update(readFileSync(join(home, 'package-lock.json')));
      return hash.digest('hex').slice(0, 16);
    },
  };
}

/** Applications of instrumentations, which tell the complete scenario. */
export const OF_INSTRUMENTATIONS = appsOf(HOME, JAVASCRIPT);
/** Applications of frameworks, which answer its question. */
export const OF_FRAMEWORKS = appsOf(join(HOME, 'frameworks'), FRAMEWORKS);
