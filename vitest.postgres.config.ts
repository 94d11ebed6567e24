import { defineConfig } from 'vitest/config';
import { POSTGRES_FILES } from './test/storage/postgres/files.ts';

/** Tests of stores, on PostgreSQL (test/storage/postgres). */
export default defineConfig({
  test: {
    include: [...POSTGRES_FILES],
    globals: false,
    experimental: { viteModuleRunner: false, nodeLoader: false },
    pool: 'forks',
    maxWorkers: 2,
    isolate: false,
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
