import { settingTexts } from '../config.ts';
import type { Io } from './io.ts';

const COMMANDS: readonly (readonly [command: string, meaning: string])[] = [
  ['serve', 'start the server; the default'],
  [
    'keys create [--application-id ID] [--name NAME] [--scopes ingest,read] [--expires-at TIME]',
    'make an API key',
  ],
  ['keys list [--application-id ID]', 'list the API keys, without their secrets'],
  ['keys revoke KEY', 'take an API key out of use'],
  ['applications create --title TITLE [--type CHATBOT|AGENT] [--new-organisation]', 'make an application'],
  ['applications list', 'list the applications'],
  ['listen --forward URL', 'receive the deliveries of a webhook on this machine and send them on to URL'],
  [
    'test --tasks ID,…|all|topic:ID|tag:ID [--repeat N] [--fail-under 90] [--strict] [--baseline RUN,…] [--junit FILE] [--timeout 15m]',
    'run tests and say by the exit code whether enough of them passed',
  ],
  [
    'migrate [--no-snapshot]',
    'bring the store of an older version up to date while no server runs; serve does so by itself',
  ],
  ['remap [--limit N] [--prices-file FILE]', 'map stored traces anew after the mapping rules changed'],
  ['version', 'print the version'],
  ['help', 'print this'],
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
    '\nlisten and test talk to a server: --url, --api-key and --application-id, or better the variables TOUCHSTONE_URL, TOUCHSTONE_API_KEY and TOUCHSTONE_APPLICATION_ID; without an address, http://127.0.0.1:4318.\n',
    'All others but version and help take --data-dir; those on keys and applications, and remap, work beside a running server.\n',
    '\nSettings, as a flag (--port 8080 or --port=8080) or as a variable; the flag wins:\n',
    ...settings,
  ].join('');
}
