import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MAX_INSTALL_MS = 240_000;

/** A command for everything that tests need of the machine, by the Debian package it is in. */
const COMMANDS = {
  curl: ['curl', '--version'],
  systemd: ['systemd-analyze', '--version'],
  python3: ['python3', '--version'],
  'python3-venv': ['python3', '-c', 'import ensurepip, venv'],
} as const;

/** Sees to it that the machine has a program: installs it where that is allowed, else says what to do. */
export async function ensureTool(name: keyof typeof COMMANDS): Promise<void> {
  if (await isThere(name)) return;
  const advice = `${name} is needed to test; on Debian: apt-get install ${name}`;
  if (process.getuid?.() !== 0) throw new Error(advice);
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, timeout: MAX_INSTALL_MS };
  try {
    await run('apt-get', ['update', '-qq'], options);
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], options);
  } catch (error) {
    throw new Error(advice, { cause: error });
  }
  if (!(await isThere(name))) throw new Error(advice);
}

async function isThere(name: keyof typeof COMMANDS): Promise<boolean> {
  const [program, ...args] = COMMANDS[name];
  try {
    await run(program, args);
    return true;
  } catch {
    return false;
  }
}
