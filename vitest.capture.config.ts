import { defineConfig } from 'vitest/config';
import { capturedFiles } from './test/storage/postgres/files.ts';

/** Tests whose statements are prepared on PostgreSQL (test/storage/postgres). */
export default defineConfig({
  test: {
    include: capturedFiles(),
    globals: false,
    experimental: { viteModuleRunner: false, nodeLoader: false },
    pool: 'forks',
    maxWorkers: 2,
    isolate: false,
    testTimeout: 240_000,
    hookTimeout: 240_000,
    env: { TOUCHSTONE_STATE_DIR: 'off' },
  },
});
