/** The parts of the suite: a command runs each, and every file of tests is in one of them. */
import { globSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** Folders whose tests start other programs – servers as processes, browsers, Python, curl – or last. */
const FOLDERS_OF_ALL = new Set([
  'chaos',
  'cli',
  'clients',
  'conformance',
  'dashboard',
  'deploy',
  'e2e',
  'examples',
  'exporters',
  'fuzz',
  'python',
  'storm',
  'transport',
  'troubleshooting',
]);
const FOLDERS_OF_NIGHTLY = new Set(['hostile']);

export type Part = 'quick' | 'all' | 'nightly';

export const COMMANDS: Readonly<Record<Part, string>> = {
  quick: 'npm test',
  all: 'npm run test:all',
  nightly: 'npm run test:nightly',
};

/**
 * Returns the part of a file of tests, by its folder and its name: `*.unit.test.ts` starts nothing, whatever its folder does;
 * `*.process.test.ts` starts another program, `*.linux.test.ts` needs Linux, `*.root.test.ts` needs root, `*.long.test.ts`
 * takes a core for more than some four seconds, and `*.nightly.test.ts` depends on the speed of the machine.
 */
export function partOf(file: string): Part {
  const [, folder = ''] = /^test\/([^/]+)\//.exec(file) ?? [];
  if (FOLDERS_OF_NIGHTLY.has(folder) || file.endsWith('.nightly.test.ts')) return 'nightly';
  if (file.endsWith('.unit.test.ts')) return 'quick';
  return FOLDERS_OF_ALL.has(folder) || /\.(?:long|process|linux|root)\.test\.ts$/.test(file)
    ? 'all'
    : 'quick';
}

/** Returns the path of every file of tests, from the root of the repository. */
export const testFiles = (): string[] =>
  globSync('test/**/*.test.ts', { cwd: ROOT, exclude: ['**/node_modules/**'] }).toSorted();
