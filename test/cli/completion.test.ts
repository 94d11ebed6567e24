import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { firstWords } from '../../src/cli/command-entry.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { runCommandLine } from '../../src/cli/run.ts';

async function script(shell: string): Promise<string> {
  let out = '';
  const io = {
    env: {},
    out: (text: string) => void (out += text),
    err: (text: string) => void (out += text),
    isTerminal: false,
    program: 'touchstone',
  };
  await runCommandLine(['completion', shell], io);
  return out;
}

/** Returns what bash offers for the last of these words. */
async function offered(...words: string[]): Promise<string[]> {
  const line = words.map((word) => `'${word}'`).join(' ');
  const ask = `${await script('bash')}
COMP_WORDS=(touchstone ${line}); COMP_CWORD=${words.length}; _touchstone; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['--norc', '-c', ask], { encoding: 'utf8' }).trim().split('\n');
}

it.each([
  [['tra'], ['traces', 'trace']],
  [
    ['keys', ''],
    ['create', 'first', 'list', 'revoke'],
  ],
  [['keys', 'create', '--sc'], ['--scopes']],
  [['migrate', 'roll'], ['rollback']],
  [['export', 'te'], ['tests']],
  [
    ['traces', '--a'],
    ['--api-key', '--application-id'],
  ],
  [['serve', '--log-l'], ['--log-level']],
  [['help', 'tai'], ['tail']],
  [['nothing', '--x'], ['']],
])('bash completes %j', async (words, expected) => {
  expect((await offered(...words)).toSorted()).toEqual(expected.toSorted());
});

it.each(['bash', 'zsh', 'fish'])('%s knows every command and its flags', async (shell) => {
  const text = await script(shell);
  for (const word of firstWords(COMMANDS)) expect(text).toContain(word);
  expect(text).toMatch(/-?-?fail-under/);
});

it('another shell is unknown', async () => {
  expect(await script('tcsh')).toBe('completion needs one of bash, zsh, fish.\n');
});
