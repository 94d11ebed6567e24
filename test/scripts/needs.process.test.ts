import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { adviceOf, listOf, NEEDS } from '../../scripts/suite/needs.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Runs test:all where no program is in the PATH. */
function runWithout(...args: string[]): { status: number | null; stdout: string } {
  return spawnSync(process.execPath, ['scripts/test-all.mjs', ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { PATH: '/nonexistent' },
  });
}

it('test:all lists what is missing, with its use and the way to get it, and runs nothing', () => {
  const { status, stdout } = runWithout();
  expect(status).toBe(1);
  expect(stdout).toMatch(
    /^Runs the tests that start other programs or take long\. `npm test` runs all other tests/,
  );
  expect(stdout).toMatch(/^ {2}✗ missing {2}curl +commands of the documentation, .*; apt-get install curl$/m);
  expect(stdout).toMatch(/^ {2}✓ present {2}Linux +/m);
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('0 passed, 1 failed');
});

it('test:all --install says what it cannot do', () => {
  expect(runWithout('--install').stdout).toMatch(
    /^✗ Missing: .*\. --install needs root and apt-get, to install chromium-headless-shell .*\.$/m,
  );
});

it('each need is listed once, with the packages of Debian in one command', () => {
  const missing = NEEDS.filter(({ name }) => ['root', 'curl', 'python3'].includes(name));
  expect(listOf(NEEDS, missing)).toHaveLength(NEEDS.length);
  expect(adviceOf(missing)).toBe(
    'Run as root, or in a container. On Debian, as root: apt-get install curl python3, or npm run test:all -- --install.',
  );
});
