import { settingTexts } from '../config.ts';
import { suggestion } from '../config/flags.ts';
import { StartupError } from '../errors.ts';
import { type CommandEntry, type CliCommands, commandsUnder, firstWords } from './command-entry.ts';
import type { Io } from './io.ts';

const WORKS_ON: Readonly<Record<CommandEntry['worksOn'], string>> = {
  server: `Calls a server. Set it with --url, --api-key and --application-id, or better with the variables TOUCHSTONE_URL,
TOUCHSTONE_API_KEY and TOUCHSTONE_APPLICATION_ID. The default address is http://127.0.0.1:4318.`,
  store:
    'Uses the data folder of --data-dir, or of TOUCHSTONE_DATA_DIR; the default is ./data. With --database-url or TOUCHSTONE_DATABASE_URL it uses that database instead.',
  nothing: '',
};

/** Prints all commands; or, for words such as `keys` or `keys create`, the flags and examples of these. */
export function printHelp(commands: CliCommands, words: readonly string[], io: Io): void {
  io.out(words.length === 0 ? overview(commands, io.program) : helpOf(commands, words, io.program));
}

function overview(commands: CliCommands, program: string): string {
  const entries = Object.entries(commands);
  const width = Math.max(...entries.map(([name]) => name.length));
  const groups = Map.groupBy(entries, ([, { group }]) => group);
  const lines = [...groups].flatMap(([group, members]) => [
    '',
    `${group}:`,
    ...members.map(([name, { meaning }]) => `  ${name.padEnd(width)}  ${firstPart(meaning)}`),
  ]);
  return `Usage: ${program} [command] [flags]
${lines.join('\n')}

${program} help COMMAND prints the flags and examples of a command; help serve prints all settings.
`;
}

/** Returns a meaning up to its first stop. */
const firstPart = (meaning: string): string => meaning.split(/[;,.] /, 1)[0] ?? meaning;

function helpOf(commands: CliCommands, [first = '', second]: readonly string[], program: string): string {
  const both = commandsUnder(commands, `${first} ${second ?? ''}`);
  const names = both.length > 0 ? both : commandsUnder(commands, first);
  if (names.length === 0)
    throw new StartupError(
      `Unknown command ${JSON.stringify(first.slice(0, 80))}${suggestion(first, firstWords(commands))} See help.`,
    );
  const entries = names.map((name) => [name, commands[name] as CommandEntry] as const);
  const notes = new Set(entries.map(([, { worksOn }]) => WORKS_ON[worksOn]).filter((note) => note !== ''));
  return [
    entries.map(([name, entry]) => commandText(program, name, entry)).join('\n'),
    ...[...notes].map((note) => `\n${note}\n`),
    ...(first === 'serve' ? [settingsText()] : []),
  ].join('');
}

const commandText = (program: string, name: string, { usage, meaning, examples }: CommandEntry): string =>
  [
    ...usage.split('\n').map((one) => `${program} ${name} ${one}`.trimEnd()),
    `    ${meaning}`,
    '  Examples:',
    ...examples.map((example) => `    ${program} ${example}`),
    '',
  ].join('\n');

const settingsText = (): string =>
  [
    '\nSettings, as a flag (--port 8080 or --port=8080) or as a variable; the flag takes precedence:\n',
    ...settingTexts().map(
      ({ flag, variable, meaning, default: fallback }) =>
        `  ${flag}\n      ${meaning.replaceAll('`', '')}${fallback ? ` Default: ${fallback}` : ''}\n      ${variable}\n`,
    ),
  ].join('');
