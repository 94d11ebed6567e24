import { settingTexts } from '../config.ts';
import type { Io } from './io.ts';

const COMMANDS: readonly (readonly [command: string, meaning: string])[] = [
  ['serve', 'start the server (default)'],
  [
    'keys create [--application-id ID] [--name NAME] [--scopes ingest,read] [--expires-at TIME]',
    'create an API key',
  ],
  ['keys list [--application-id ID]', 'list the API keys, without their secrets'],
  ['keys revoke KEY', 'revoke an API key'],
  ['applications create --title TITLE [--type CHATBOT|AGENT] [--new-organisation]', 'create an application'],
  ['applications list', 'list the applications'],
  ['users list', 'list the users with their roles'],
  [
    'users link [EMAIL]',
    'print a link for the first user, or for an existing one to choose a new password; it works once, for 15 minutes',
  ],
  [
    'users invite EMAIL [--role viewer|annotator|editor|admin] [--application-id ID]',
    'print a link by which a person joins an application; it works once, for 7 days',
  ],
  [
    'users role EMAIL ROLE [--application-id ID]',
    'make a user a member of an application, or change the role',
  ],
  ['users remove EMAIL [--application-id ID]', 'remove a user from an application, or delete the account'],
  ['users sign-out EMAIL', 'end all logins of a user'],
  ['listen --forward URL', 'receive the deliveries of a webhook on this machine and forward them to URL'],
  [
    'test --tasks ID,…|all|topic:ID|tag:ID [--repeat N] [--examples all|split:NAME] [--prompt-seed N] [--fail-under 90] [--strict] [--question examples-like-these|these-tasks|these-examples] [--allow-skipped N] [--with-advisory] [--baseline RUN,… [--no-regression [--margin 2]]] [--junit FILE] [--timeout 15m]',
    'run tests; the exit code shows whether enough of them passed',
  ],
  [
    'test --plan [--fail-under 90] [--strict] [--true-rate 80] [--repeat N [--correlation 0.5]]',
    'show how often an app of that true pass rate would pass, by the number of examples',
  ],
  [
    'import FILE --task ID [--map input=COLUMN,expected=COLUMN] [--dry-run]',
    'import examples of a task from CSV, JSONL or JSON, in steps; importing again changes what is known',
  ],
  [
    'export traces|tests|examples --output FILE [--format csv|jsonl|parquet] [--task ID] [--run ID] [--limit N]',
    'write them to a file, tests with their verdicts; the ending of the file gives the format if --format does not',
  ],
  [
    'backup FILE [--with-secret-key] [--overwrite] [--json]',
    'copy the store to a file, also while a server runs, and check the copy',
  ],
  [
    'restore FILE [--replace] [--json]',
    'copy a backup into a data folder that no server uses; --replace moves a store that is there aside',
  ],
  [
    'migrate [--no-snapshot]',
    'migrate the store of an older version while no server runs; serve does so itself',
  ],
  ['remap [--limit N] [--prices-file FILE]', 'map stored traces again after the mapping rules have changed'],
  ['version', 'print the version'],
  ['help', 'print this help'],
];

export const printHelp = (_args: readonly string[], io: Io): void => io.out(help(io.program));

function help(program: string): string {
  const settings = settingTexts().map(
    ({ flag, variable, meaning, default: fallback }) =>
      `  ${flag}\n      ${meaning.replaceAll('`', '')}${fallback ? ` Default: ${fallback}` : ''}\n      ${variable}\n`,
  );
  return [
    `Usage: ${program} [command] [flags]\n\nCommands:\n`,
    ...COMMANDS.map(([command, meaning]) => `  ${command}\n      ${meaning}\n`),
    '\nlisten, test, import and export call a server. Set it with --url, --api-key and --application-id, or better with the variables TOUCHSTONE_URL, TOUCHSTONE_API_KEY and TOUCHSTONE_APPLICATION_ID. The default address is http://127.0.0.1:4318.\n',
    'All other commands except version and help accept --data-dir. The keys, applications and users commands, and remap, work while a server runs.\n',
    '\nSettings, as a flag (--port 8080 or --port=8080) or as a variable; the flag takes precedence:\n',
    ...settings,
  ].join('');
}
