import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';
import { PATIENCE_MS } from './test/support/until.ts';

/**
 * Tests that change what a process has only once: the tracer provider, the clock, its environment. Each of these files has a
 * process of its own; in another one, the server that all files there share would be changed too.
 */
const CHANGES_GLOBALS = /useFakeTimers|spyOn\((?:performance|Date)\b|stubEnv|process\.env\[[^\]]+\] =/;
const WITH_GLOBALS = [
  'test/exporters/**/*.test.ts',
  'test/instrumentations/**/*.test.ts',
  ...globSync('test/**/*.test.ts', { cwd: import.meta.dirname, exclude: ['**/node_modules/**'] }).filter(
    (file) => CHANGES_GLOBALS.test(readFileSync(file, 'utf8')),
  ),
];
/** Tests that measure a neighbour beside attacks, for minutes: `npm run test:nightly`. */
const NIGHTLY = process.env['TEST_NIGHTLY'] === '1' ? [] : ['test/hostile/**'];
/** Tests in a browser, which all of them share. */
const IN_BROWSER = ['test/dashboard/**/*.test.ts'];

export default defineConfig({
  test: {
    globalSetup: 'test/support/build.ts',
    globals: false,
    pool: 'forks',
    // More than the cores: many tests mostly wait for servers and time limits.
    maxWorkers: 5,
    sequence: { sequencer: LongestFirst },
    // Long enough for a busy machine: only a test that hangs reaches it.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: PATIENCE_MS } },
    // Tests start servers and open stores from the build.
    server: { deps: { external: [/\/dist\/.*\.js$/] } },
    projects: [
      { extends: true, test: { name: 'with globals', include: WITH_GLOBALS } },
      {
        extends: true,
        test: {
          name: 'dashboard',
          include: IN_BROWSER,
          globalSetup: 'test/dashboard/support/global-setup.ts',
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['test/**/*.test.ts'],
          exclude: [...WITH_GLOBALS, ...IN_BROWSER, ...NIGHTLY, '**/node_modules/**'],
          // A process loads the server once for all of its files.
          isolate: false,
        },
      },
    ],
  },
});
