import { readdirSync } from 'node:fs';
import { defineConfig } from 'rolldown';

const WORKERS = readdirSync('src/workers').map((file) => `workers/${file.slice(0, -'.ts'.length)}`);

// The program, its threads, and the modules with which tests start a server or open a store in their own process.
const ENTRIES = ['main', ...WORKERS, 'cli/serve', 'storage/sqlite/client'];

/** Packages that stay in node_modules, because they are native. */
const EXTERNAL = ['better-sqlite3'];

/**
 * A few large files load several times faster than the sources and packages one by one, and each thread of a server
 * loads its own.
 */
export default defineConfig({
  input: Object.fromEntries(ENTRIES.map((entry) => [entry, `src/${entry}.ts`])),
  platform: 'node',
  external: EXTERNAL.map((name) => new RegExp(`^${name}(/|$)`)),
  output: {
    format: 'esm',
    // One folder deep, like the sources that name workers and assets by relative URLs.
    chunkFileNames: 'shared/[name]-[hash].js',
  },
});
