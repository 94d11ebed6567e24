import { settingTexts } from '../config.ts';
import { readAsset } from '../runtime/assets.ts';

const COMMANDS: readonly (readonly [command: string, meaning: string])[] = [
  ['serve', 'start the server; the default'],
  [
    'keys create [--application ID] [--name NAME] [--scopes ingest,read] [--expires-at TIME]',
    'make an API key',
  ],
  ['keys list [--application ID]', 'list the API keys, without their secrets'],
  ['keys revoke KEY', 'take an API key out of use'],
  ['applications create --title TITLE [--type CHATBOT|AGENT] [--new-organisation]', 'make an application'],
  ['applications list', 'list the applications'],
  [
    'listen --forward URL [--server URL] [--application ID] [--api-key KEY]',
    'receive the deliveries of a webhook on this machine and send them on to URL; the rest is also read from TOUCHSTONE_URL, TOUCHSTONE_APPLICATION_ID and TOUCHSTONE_API_KEY',
  ],
  [
    'test --tasks ID,…|all|topic:ID|tag:ID [--repeat N] [--fail-under 90] [--strict] [--baseline RUN,…] [--junit FILE] [--timeout 15m]',
    'run tests and say by the exit code whether enough of them passed; the server is given as with listen, or by --url, --application-id and --api-key',
  ],
  [
    'migrate [--no-snapshot]',
    'bring the store of an older version up to date while no server runs; serve does so by itself',
  ],
  ['remap [--limit N] [--prices-file FILE]', 'map stored traces anew after the mapping rules changed'],
  ['version', 'print the version'],
  ['help', 'print this'],
];

export const version = (): string =>
  (JSON.parse(readAsset('../package.json')) as { version: string }).version;

export function help(program: string): string {
  const settings = settingTexts().map(
    ({ flag, variable, meaning, default: fallback }) =>
      `  ${flag}\n      ${meaning.replaceAll('`', '')}${fallback ? ` Default: ${fallback}` : ''}\n      ${variable}\n`,
  );
  return [
    `Usage: ${program} [command] [flags]\n\nCommands:\n`,
    ...COMMANDS.map(([command, meaning]) => `  ${command}\n      ${meaning}\n`),
    '\nAll but listen, test, version and help take --data-dir; those on keys and applications, and remap, work beside a running server.\n',
    '\nSettings, as a flag (--port 8080 or --port=8080) or as a variable; the flag wins:\n',
    ...settings,
  ].join('');
}
