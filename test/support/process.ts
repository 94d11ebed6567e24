/** The program itself, as a child process under the same Node. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { programWith } from './build.ts';
import { plainEnvironment } from './environment.ts';

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  env?: Readonly<Record<string, string>>;
  /** Makes the program believe that it writes to a terminal. */
  terminal?: boolean;
  cwd?: string;
  /** Runs it as this user and group; only root may. */
  user?: number;
}

export interface Program extends AsyncDisposable {
  child: ChildProcess;
  stdout: () => string;
  stderr: () => string;
  /** Waits until standard output holds it; fails when the program ends before. */
  sees: (pattern: RegExp) => Promise<RegExpExecArray>;
  ended: Promise<Ended>;
}

export function start(
  args: readonly string[],
  { env = {}, terminal = false, cwd, user }: RunOptions = {},
): Program {
  const believe = terminal ? ['--import', 'data:text/javascript,process.stdout.isTTY=true'] : [];
  const child = spawn(...programWith(args, believe), {
    env: { ...plainEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
    ...(user === undefined ? {} : { uid: user, gid: user }),
  });
  let [stdout, stderr] = ['', ''];
  let isOver = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = once(child, 'close').then(([code, signal]): Ended => {
    isOver = true;
    return { code: code as number | null, signal: signal as NodeJS.Signals | null, stdout, stderr };
  });
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    ended,
    sees: async (pattern) => {
      for (;;) {
        const match = pattern.exec(stdout);
        if (match) return match;
        if (isOver) throw new Error(`ended without ${String(pattern)}\n${stdout}\n${stderr}`);
        await Promise.race([once(child.stdout, 'data'), ended]);
      }
    },
    [Symbol.asyncDispose]: async () => {
      if (!isOver) child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Runs it to its end. */
export const run = (args: readonly string[], options?: RunOptions): Promise<Ended> =>
  start(args, options).ended;

export interface Server extends Program {
  url: string;
  applicationId: string;
}

/** Starts a server on a free port and waits until it listens. */
export async function startServer(
  dataDir: string,
  args: readonly string[] = [],
  options?: RunOptions,
): Promise<Server> {
  const program = start(['serve', '--port', '0', '--data-dir', dataDir, ...args], options);
  const [, url = '', applicationId = ''] = await program.sees(
    /listening\W+url\W+(http[^"\s]+)\W+applicationId\W+([\da-f-]{36})/,
  );
  return { ...program, url, applicationId };
}
