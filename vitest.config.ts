import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';
import { type Part, partOf, testFiles } from './test/support/parts.ts';
import { PATIENCE_MS } from './test/support/until.ts';

/**
 * Tests that change what a process has only once: the tracer provider, the clock, its environment. Each of these files has a
 * process of its own; in another one, the server that all files there share would be changed too.
 */
const CHANGES_GLOBALS = /useFakeTimers|spyOn\((?:performance|Date)\b|stubEnv|process\.env\[[^\]]+\] =/;
const changesGlobals = (file: string): boolean =>
  (file.startsWith('test/exporters/') && partOf(file) !== 'nightly') ||
  CHANGES_GLOBALS.test(readFileSync(file, 'utf8'));
/** Tests in a browser, which all of them share. */
const isInBrowser = (file: string): boolean => file.startsWith('test/dashboard/') && partOf(file) === 'all';

const FILES = testFiles();
const filesOf = (part: Part, belongs: (file: string) => boolean): string[] =>
  FILES.filter((file) => partOf(file) === part && belongs(file));
const isShared = (file: string): boolean => !changesGlobals(file) && !isInBrowser(file);

export default defineConfig({
  test: {
    globalSetup: 'test/support/global-setup.ts',
    globals: false,
    // Exporters of tests leave no notes of unsent spans to each other.
    env: { TOUCHSTONE_STATE_DIR: 'off' },
    experimental: { viteModuleRunner: false, nodeLoader: false },
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
    // The names are those that scripts/suite chooses.
    projects: [
      { extends: true, test: { name: 'quick with globals', include: filesOf('quick', changesGlobals) } },
      { extends: true, test: { name: 'all with globals', include: filesOf('all', changesGlobals) } },
      {
        extends: true,
        test: {
          name: 'dashboard',
          include: filesOf('all', isInBrowser),
          globalSetup: 'test/dashboard/support/global-setup.ts',
          isolate: false,
        },
      },
      // A process loads the server once for all of its files.
      { extends: true, test: { name: 'quick', include: filesOf('quick', isShared), isolate: false } },
      { extends: true, test: { name: 'all', include: filesOf('all', isShared), isolate: false } },
      { extends: true, test: { name: 'nightly', include: filesOf('nightly', isShared), isolate: false } },
    ],
  },
});
