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
    '\nThe commands on keys and applications take --data-dir too, and work beside a running server.\n',
    '\nSettings, as a flag (--port 8080 or --port=8080) or as a variable; the flag wins:\n',
    ...settings,
  ].join('');
}
