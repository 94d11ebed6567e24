import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/storage.ts';

const RUN = join(import.meta.dirname, '../../.ci/run');
const FAILED = 'Duration of each part:\n✗ a test\n    expected 1 to be 2\n2 passed, 1 failed';

/** Runs `.ci/run` with an `npm` that prints these texts, and returns the commands that it got. */
function runWith(first: string, second: string): { code: number | null; lines: string[]; commands: string } {
  using folder = temporaryFolder();
  const [npm, calls] = [folder.file('npm'), folder.file('calls')];
  const script = `#!/bin/sh\necho "npm $*" >> "$CALLS"\nif [ "$1" = test ]; then echo "$FIRST"; else echo "$SECOND"; fi\n`;
  writeFileSync(npm, script);
  chmodSync(npm, 0o755);
  const PATH = `${folder.path}:${process.env['PATH']}`;
  const { status, stdout } = spawnSync(RUN, {
    encoding: 'utf8',
    env: { PATH, CALLS: calls, FIRST: first, SECOND: second },
  });
  return { code: status, lines: stdout.trimEnd().split('\n'), commands: readFileSync(calls, 'utf8') };
}

it('.ci/run runs both commands, and sums what they count in its last line', () => {
  const { code, lines, commands } = runWith('14000 passed, 0 failed', '3000 passed, 0 failed');
  expect([code, lines.at(-1)]).toEqual([0, '17000 passed, 0 failed']);
  expect(commands).toBe('npm test\nnpm run test:all -- --install\n');
});

it.each<[what: string, first: string, second: string, last: string]>([
  ['a test of the first command', FAILED, '3 passed, 0 failed', '5 passed, 1 failed'],
  ['a test of the second command', '3 passed, 0 failed', FAILED, '5 passed, 1 failed'],
  ['a command that ended without its last line', '3 passed, 0 failed', 'Killed', '3 passed, 1 failed'],
])('.ci/run fails with %s', (_what, first, second, last) => {
  const { code, lines } = runWith(first, second);
  expect([code, lines.at(-1)]).toEqual([1, last]);
});

it('.ci/run prints what failed in the first command again before the last line', () => {
  const { lines } = runWith(FAILED, '3 passed, 0 failed');
  expect(lines.slice(-4)).toEqual([
    '✗ a test',
    '    expected 1 to be 2',
    '2 passed, 1 failed',
    '5 passed, 1 failed',
  ]);
});
