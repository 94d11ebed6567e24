import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig } from 'rolldown';

const WORKERS = readdirSync('src/workers').map((file) => `workers/${file.slice(0, -'.ts'.length)}`);
const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));

// The program, its threads, and the modules with which tests start a server or open a store in their own process.
const ENTRIES = ['main', ...WORKERS, 'cli/serve', 'storage/sqlite/client'];

/**
 * A few large files load several times faster than the sources one by one, and each thread of a server loads its own.
 * Packages stay in node_modules, except for zod: every thread loads it, and it consists of a hundred small files.
 */
export default defineConfig({
  input: Object.fromEntries(ENTRIES.map((entry) => [entry, `src/${entry}.ts`])),
  platform: 'node',
  external: Object.keys(dependencies)
    .filter((name) => name !== 'zod')
    .map((name) => new RegExp(`^${name}(/|$)`)),
  output: {
    format: 'esm',
    // One folder deep, like the sources that name workers and assets by relative URLs.
    chunkFileNames: 'shared/[name]-[hash].js',
  },
});
