/** Every command on a data folder that its user may not use: one sentence, no stack. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { runCommandLine } from '../../src/cli/run.ts';

const NOBODY = 65534;
const parent = mkdtempSync(join(tmpdir(), 'touchstone-other-'));
const FOLDERS = {
  'of another user': join(parent, 'closed'),
  'that is a file': join(parent, 'file'),
  'in which only another user may write': join(parent, 'read-only'),
};

/** Arguments with which each command comes to the folder. */
const ARGS: Readonly<Record<string, readonly string[]>> = {
  serve: ['--port', '0', '--grpc-port', 'off'],
  doctor: [],
  backup: [join(parent, 'backup')],
  restore: [join(parent, 'none')],
  erase: ['--user', 'a'],
  'mappings import': [join(parent, 'mappings.json')],
  prices: ['gpt-4o'],
  'keys revoke': ['AAAAAAAAAAAA'],
  'applications create': ['--title', 'A'],
  'users invite': ['ada@example.com'],
  'users role': ['ada@example.com', 'admin'],
  'users remove': ['ada@example.com'],
  'users logins': ['ada@example.com'],
  'users sign-out': ['ada@example.com'],
};
const NAMES = Object.keys(COMMANDS).filter(
  (name) => COMMANDS[name]?.worksOn === 'store' || name === 'doctor',
);

beforeAll(async () => {
  chmodSync(parent, 0o755);
  for (const folder of [FOLDERS['of another user'], FOLDERS['in which only another user may write']]) {
    mkdirSync(folder);
    for (const file of ['touchstone.db', 'secret.key', 'first-key', 'lock.db'])
      writeFileSync(join(folder, file), 'of another user', { mode: 0o600 });
  }
  chmodSync(FOLDERS['of another user'], 0o700);
  chmodSync(FOLDERS['in which only another user may write'], 0o755);
  writeFileSync(FOLDERS['that is a file'], 'x');
  writeFileSync(join(parent, 'mappings.json'), '{ "rules": [] }');
  // Another user may not read the sources.
  for (const name of NAMES) await COMMANDS[name]?.load();
});
afterAll(() => rmSync(parent, { recursive: true, force: true }));

/** Runs a command as a user without rights; tests that are not run by root close the folder instead. */
async function runAsOther(folder: string, args: readonly string[]): Promise<{ code: number; err: string }> {
  let err = '';
  const io = { env: {}, out: () => undefined, isTerminal: false, program: 'touchstone' };
  const umask = process.umask(0o077);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid?.(NOBODY);
  else if (folder !== FOLDERS['that is a file']) chmodSync(folder, 0o000);
  try {
    const code = await runCommandLine([...args, '--data-dir', folder], {
      ...io,
      err: (text) => void (err += text),
    });
    return { code, err };
  } finally {
    if (isRoot) process.seteuid?.(0);
    else chmodSync(folder, 0o700);
    process.umask(umask);
  }
}

const endings = (): unknown[] =>
  ['uncaughtException', 'SIGTERM', 'SIGINT'].map((event) => process.listeners(event as 'SIGTERM'));

describe.each(Object.entries(FOLDERS))('on a folder %s', (_what, folder) => {
  it.each(NAMES)('%s fails in one sentence', async (name) => {
    const { code, err } = await runAsOther(folder, [...name.split(' '), ...(ARGS[name] ?? [])]);
    expect(code).toBe(1);
    if (name !== 'doctor') expect(err).toMatch(/^[A-Z/].*\.\n$/);
    expect(err).not.toMatch(/\n +at |Error:/);
  });

  it('serve leaves no way of ending to the process that could not start it', async () => {
    const before = endings();
    await runAsOther(folder, ['serve', ...(ARGS['serve'] ?? [])]);
    expect(endings()).toEqual(before);
  });
});
