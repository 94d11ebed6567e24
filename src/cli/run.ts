import { suggestion } from '../config/flags.ts';
import { StartupError } from '../errors.ts';
import type { Io } from './io.ts';

type Command = (args: readonly string[], io: Io) => void | Promise<void | number>;

/** Loads a command when it runs, so that no command waits for modules that only others need. */
type LazyCommand = () => Promise<Command>;

const COMMANDS = {
  serve: async () => (await import('./serve-command.ts')).serve,
  'keys create': async () => (await import('./keys.ts')).createKey,
  'keys list': async () => (await import('./keys.ts')).listKeys,
  'keys revoke': async () => (await import('./keys.ts')).revokeKey,
  'applications create': async () => (await import('./applications.ts')).createApplication,
  'applications list': async () => (await import('./applications.ts')).listApplications,
  'users list': async () => (await import('./users.ts')).listUsers,
  'users link': async () => (await import('./users.ts')).linkUser,
  'users invite': async () => (await import('./users.ts')).inviteUser,
  'users role': async () => (await import('./users.ts')).changeRole,
  'users remove': async () => (await import('./users.ts')).removeUser,
  'users sign-out': async () => (await import('./users.ts')).signOutUser,
  listen: async () => (await import('./listen.ts')).listen,
  test: async () => (await import('./test-command.ts')).test,
  import: async () => (await import('./import.ts')).importExamples,
  export: async () => (await import('./export.ts')).exportFile,
  backup: async () => (await import('./backup.ts')).backup,
  restore: async () => (await import('./restore.ts')).restore,
  migrate: async () => (await import('./migrate.ts')).migrate,
  remap: async () => (await import('./remap.ts')).remap,
  version: async () => (await import('./version.ts')).printVersion,
  help: async () => (await import('./help.ts')).printHelp,
} satisfies Record<string, LazyCommand>;

/** Runs one command line and returns its exit code: that of the command, else 0, or 1 when it fails. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  // Files that commands create are readable by their user only, including the key file and the store.
  process.umask(0o077);
  try {
    const { load, rest } = find(args);
    const command = await load();
    const code = await command(rest, io);
    return typeof code === 'number' ? code : 0;
  } catch (error) {
    io.err(error instanceof StartupError ? `${error.message}\n` : `${errorText(error)}\n`);
    return 1;
  }
}

function find(args: readonly string[]): { load: LazyCommand; rest: readonly string[] } {
  if (args.includes('--help') || args.includes('-h')) return { load: COMMANDS.help, rest: [] };
  const [first, second] = args;
  if (first === '--version' || first === '-v') return { load: COMMANDS.version, rest: [] };
  if (first === undefined || first.startsWith('-')) return { load: COMMANDS.serve, rest: args };
  const single = own(first);
  if (single) return { load: single, rest: args.slice(1) };

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
  return { load: double, rest: args.slice(2) };
}

const own = (name: string): LazyCommand | undefined =>
  Object.hasOwn(COMMANDS, name) ? COMMANDS[name as keyof typeof COMMANDS] : undefined;

const errorText = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
