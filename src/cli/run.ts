import { suggestion } from '../config/flags.ts';
import { StartupError } from '../errors.ts';
import { commandsUnder, firstWords, type LazyCommand } from './command-entry.ts';
import { COMMANDS } from './commands.ts';
import { failureText } from './failure.ts';
import type { Io } from './io.ts';
import { withoutControls } from './server-trouble.ts';

/** Runs one command line and returns its exit code: that of the command, else 0, or 1 when it fails. */
export async function runCommandLine(args: readonly string[], io: Io): Promise<number> {
  // Files that commands create are readable by their user only, including the key file and the store.
  process.umask(0o077);
  try {
    const { load, rest } = find(args);
    const command = await load();
    const code = await command(rest, io);
    return typeof code === 'number' ? code : 0;
  } catch (error) {
    // Names in it may come from files of others.
    io.err(`${withoutControls(failureText(error))}
`);
    return 1;
  }
}

function find(args: readonly string[]): { load: LazyCommand; rest: readonly string[] } {
  const [first, second] = args;
  if (args.includes('--help') || args.includes('-h')) {
    const flag = args.findIndex((arg) => arg.startsWith('-'));
    return { load: loaderOf('help'), rest: args.slice(0, flag) };
  }
  if (first === '--version' || first === '-v') return { load: loaderOf('version'), rest: [] };
  if (first === undefined || first.startsWith('-')) return { load: loaderOf('serve'), rest: args };
  if (second !== undefined && Object.hasOwn(COMMANDS, `${first} ${second}`))
    return { load: loaderOf(`${first} ${second}`), rest: args.slice(2) };
  const names = commandsUnder(COMMANDS, first);
  if (names.includes(first)) return { load: loaderOf(first), rest: args.slice(1) };
  if (names.length === 0)
    throw new StartupError(
      `Unknown command ${JSON.stringify(first.slice(0, 80))}${suggestion(first, firstWords(COMMANDS))} See help.`,
    );

  const verbs = names.map((name) => name.slice(first.length + 1));
  const isWord = second !== undefined && !second.startsWith('-');
  const wrong = isWord ? `, not ${JSON.stringify(second.slice(0, 80))}${suggestion(second, verbs)}` : '.';
  throw new StartupError(`${first} is followed by ${verbs.join(', ')}${wrong} See help ${first}.`);
}

const loaderOf = (name: string): LazyCommand => {
  const entry = COMMANDS[name];
  if (entry === undefined) throw new Error(`There is no command ${name}`);
  return entry.load;
};
