/** Chromium of the machine, which the tests of the dashboard share. */
import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type BrowserServer, chromium } from 'playwright-core';

/** A program and a package of Debian: it has no windows of its own to draw, and takes less CPU time than the complete one. */
const HEADLESS = 'chromium-headless-shell';
const PROGRAMS = [HEADLESS, 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** Returns the path of Chromium; installs it on Debian as root, and throws an error that says what to do elsewhere. */
export function findChromium(): string {
  const found = search();
  if (found !== null) return found;
  const advice = `The tests of the dashboard need Chromium in the PATH. Install it, on Debian: apt-get install -y ${HEADLESS}`;
  if (process.platform !== 'linux' || process.getuid?.() !== 0) throw new Error(advice);
  try {
    process.stderr.write('Installing Chromium with apt-get …\n');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    execFileSync('apt-get', ['update', '-qq'], { stdio: 'ignore', env });
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', HEADLESS], {
      stdio: 'ignore',
      env,
    });
  } catch (error) {
    throw new Error(`${advice} (tried it, and it failed)`, { cause: error });
  }
  const installed = search();
  if (installed === null) throw new Error(advice);
  return installed;
}

function search(): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const candidates = folders.flatMap((folder) => PROGRAMS.map((program) => join(folder, program)));
  return candidates.find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Starts a browser that several processes can use. */
export const startChromium = (): Promise<BrowserServer> =>
  chromium.launchServer({
    executablePath: findChromium(),
    // Without a sandbox as root, where Chromium has none; fonts look the same on every machine.
    args: ['--font-render-hinting=none', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
