import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MAX_INSTALL_MS = 240_000;

/** Programs that tests run, by the Debian package each is in. */
const PACKAGES = { curl: 'curl', python3: 'python3' };

/** Sees to it that the machine has a program: installs it where that is allowed, else says what to do. */
export async function ensureTool(name: keyof typeof PACKAGES): Promise<void> {
  if (await isThere(name)) return;
  const advice = `${name} is needed to test; on Debian: apt-get install ${PACKAGES[name]}`;
  if (process.getuid?.() !== 0) throw new Error(advice);
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, timeout: MAX_INSTALL_MS };
  try {
    await run('apt-get', ['update', '-qq'], options);
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', PACKAGES[name]], options);
  } catch (error) {
    throw new Error(advice, { cause: error });
  }
  if (!(await isThere(name))) throw new Error(advice);
}

async function isThere(name: string): Promise<boolean> {
  try {
    await run(name, ['--version']);
    return true;
  } catch {
    return false;
  }
}
