import { suggestion } from '../config.ts';
import { StartupError } from '../errors.ts';
import { createApplication, listApplications } from './applications.ts';
import { help, version } from './help.ts';
import type { Io } from './io.ts';
import { createKey, listKeys, revokeKey } from './keys.ts';
import { listen } from './listen.ts';
import { migrate } from './migrate.ts';
import { remap } from './remap.ts';
import { serve } from './serve-command.ts';
import { test } from './test-command.ts';

type Command = (args: readonly string[], io: Io) => void | Promise<void | number>;

const COMMANDS: Readonly<Record<string, Command>> = {
  serve,
  'keys create': createKey,
  'keys list': listKeys,
  'keys revoke': revokeKey,
  'applications create': createApplication,
  'applications list': listApplications,
  listen,
  test,
  migrate,
  remap,
  version: (_args, io) => io.out(`Touchstone ${version()}\n`),
  help: (_args, io) => io.out(help(io.program)),
};

/** Runs one command line; its exit code: what the command says, else 0, or 1 when it fails. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  // What commands make is for their user alone; the key file and the store are among it.
  process.umask(0o077);
  try {
    const { command, rest } = find(args);
    const code = await command(rest, io);
    return typeof code === 'number' ? code : 0;
  } catch (error) {
    io.err(error instanceof StartupError ? `${error.message}\n` : `${errorText(error)}\n`);
    return 1;
  }
}

function find(args: readonly string[]): { command: Command; rest: readonly string[] } {
  if (args.includes('--help') || args.includes('-h'))
    return { command: COMMANDS['help'] as Command, rest: [] };
  const [first, second] = args;
  if (first === '--version' || first === '-v') return { command: COMMANDS['version'] as Command, rest: [] };
  if (first === undefined || first.startsWith('-')) return { command: serve, rest: args };
  const single = own(first);
  if (single) return { command: single, rest: args.slice(1) };

  const verbs = Object.keys(COMMANDS).filter((name) => name.startsWith(`${first} `));
  if (verbs.length === 0) {
    const words = [...new Set(Object.keys(COMMANDS).map((name) => name.split(' ', 1)[0] as string))];
    throw new StartupError(
      `Unknown command ${JSON.stringify(first.slice(0, 80))}${suggestion(first, words)} See help.`,
    );
  }
  const double = own(`${first} ${second ?? ''}`);
  if (!double)
    throw new StartupError(
      `${first} is followed by ${verbs.map((name) => name.slice(first.length + 1)).join(', ')}; see help.`,
    );
  return { command: double, rest: args.slice(2) };
}

const own = (name: string): Command | undefined =>
  Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;

const errorText = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
