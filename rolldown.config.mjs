import { readdirSync } from 'node:fs';
import { defineConfig } from 'rolldown';
import { pureInitializers } from './scripts/pure-initializers.ts';

/** The program, and the modules with which tests start a server, open a store or judge in their own process. */
const PROGRAM = [
  'main',
  'cli/serve',
  'evaluate/evaluate-pool',
  'storage/sqlite/client',
  'storage/postgres/client',
];
const THREADS = readdirSync('src/workers').map((file) => `workers/${file.slice(0, -'.ts'.length)}`);

/** Packages that stay in node_modules, because they are native. */
const EXTERNAL = ['better-sqlite3'];

const inputOf = (entries) => Object.fromEntries(entries.map((entry) => [entry, `src/${entry}.ts`]));
const common = { platform: 'node', external: EXTERNAL.map((name) => new RegExp(`^${name}(/|$)`)) };

/** A few large files load several times faster than the sources and packages one by one. */
const program = {
  ...common,
  input: inputOf(PROGRAM),
  output: {
    format: 'esm',
    // One folder deep, like the sources that name workers and assets by relative URLs.
    chunkFileNames: 'shared/[name]-[hash].js',
  },
};

/**
 * Each thread is one file without the schemas of the API that it does not use: every thread evaluates its own copy, and
 * most of the time of its start was spent on them. The thread of evaluations imports the detector of languages from a file of
 * its own, because it rarely needs it.
 */
const threads = THREADS.map((entry) => ({
  ...common,
  input: inputOf([entry]),
  plugins: [pureInitializers({ entries: /[\\/]src[\\/]workers[\\/]/ })],
  treeshake: { propertyReadSideEffects: false },
  output:
    entry === 'workers/evaluate'
      ? { format: 'esm', chunkFileNames: 'workers/[name]-[hash].js' }
      : { format: 'esm', codeSplitting: false },
}));

export default defineConfig([program, ...threads]);
