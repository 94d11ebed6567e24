/** The programs and rights that the tests beyond `npm test` need. */
import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface Need {
  name: string;
  /** The tests that need it. */
  use: string;
  /** A way to get it. */
  how: string;
  /** Package of Debian that has it; null if no package does. */
  debian: string | null;
  isThere: () => boolean;
}

/** Names of Chromium, the preferred first: the first one has no windows to draw, and takes less CPU time. */
const CHROMIUM = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
];

/** Returns the path of the first of these programs in the PATH; null without one. */
function pathOf(...programs: readonly string[]): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const isProgram = (path: string): boolean => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  };
  return (
    folders.flatMap((folder) => programs.map((program) => join(folder, program))).find(isProgram) ?? null
  );
}

function works(program: string, ...args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function fromDebian(name: string, debian: string, use: string, isThere: () => boolean): Need {
  return { name, use, how: `apt-get install ${debian}`, debian, isThere };
}

const program = (name: string, debian: string, use: string): Need =>
  fromDebian(name, debian, use, () => pathOf(name) !== null);

export const NEEDS: readonly Need[] = [
  {
    name: 'Linux',
    use: 'files of /proc, limits of processes: *.linux.test.ts, test/cli, test/e2e',
    how: 'run on Linux, or in a container with it',
    debian: null,
    isThere: () => process.platform === 'linux',
  },
  {
    name: 'root',
    use: 'files of other users: *.root.test.ts, test/cli',
    how: 'run as root, or in a container',
    debian: null,
    isThere: () => process.getuid?.() === 0,
  },
  fromDebian(
    'chromium',
    'chromium-headless-shell',
    'the dashboard: test/dashboard',
    () => pathOf(...CHROMIUM) !== null,
  ),
  program('bash', 'bash', 'commands of the documentation: test/examples, test/readme.process.test.ts'),
  program('curl', 'curl', 'commands of the documentation, uploads: test/examples, test/server'),
  program('prlimit', 'util-linux', 'a full disk, no free descriptor: test/e2e, test/chaos'),
  program('python3', 'python3', 'senders and apps in Python: test/examples, test/deploy, test/deliver'),
  fromDebian(
    'python3-venv',
    'python3-venv',
    'packages of Python, from PyPI: test/python, test/clients, test/transport, test/troubleshooting',
    () => works('python3', '-c', 'import ensurepip, venv'),
  ),
  program('systemd-analyze', 'systemd', 'the unit of the service: test/deploy'),
  program('haproxy', 'haproxy', 'the proxy in front of replicas: test/deploy'),
];

/** Fails with the way to install what a test needs, if the machine does not have it. */
export function demand(name: string): void {
  const need = NEEDS.find((one) => one.name === name);
  if (need === undefined) throw new Error(`There is no need with the name ${name}.`);
  if (!need.isThere()) throw new Error(`${name} is needed for ${need.use}. ${adviceOf([need])}`);
}

/** Returns the path of Chromium; fails with the way to install it if the machine has none. */
export function findChromium(): string {
  demand('chromium');
  return pathOf(...CHROMIUM) ?? '';
}

/** Returns one line for each need: whether it is there, what needs it, and how to get it if it is missing. */
export function listOf(needs: readonly Need[], missing: readonly Need[]): string[] {
  const width = Math.max(...needs.map(({ name }) => name.length));
  return needs.map((need) => {
    const isMissing = missing.includes(need);
    const line = `${isMissing ? '✗ missing' : '✓ present'}  ${need.name.padEnd(width)}  ${need.use}`;
    return isMissing ? `${line}; ${need.how}` : line;
  });
}

/** Returns the way to get what is missing. */
export function adviceOf(missing: readonly Need[]): string {
  const packages = missing.flatMap(({ debian }) => debian ?? []);
  const others = missing.filter(({ debian }) => debian === null).map(({ how }) => `${how}.`);
  const sentences = others.map((how) => how.charAt(0).toUpperCase() + how.slice(1));
  if (packages.length > 0)
    sentences.push(
      `On Debian, as root: apt-get install ${packages.join(' ')}, or npm run test:all -- --install.`,
    );
  return sentences.join(' ');
}

/** Installs what packages of Debian have. Fails with the reason where it may not. */
export function install(missing: readonly Need[]): void {
  const packages = missing.flatMap(({ debian }) => debian ?? []);
  if (packages.length === 0) return;
  if (process.getuid?.() !== 0 || pathOf('apt-get') === null)
    throw new Error(`--install needs root and apt-get, to install ${packages.join(' ')}.`);
  console.log(`Installing with apt-get: ${packages.join(' ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const aptGet = (...args: string[]): void => {
    execFileSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env });
  };
  aptGet('update', '-qq');
  aptGet('install', '-y', '-qq', '--no-install-recommends', ...packages);
}
