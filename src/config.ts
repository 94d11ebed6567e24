import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { DATABASE_SETTINGS } from './config/database.ts';
import { type Flags, suggestion } from './config/flags.ts';
import { fitToMemory, memoryLimitBytes, memoryWarnings, prepareThreadsFor } from './config/machine.ts';
import { ORGANISATION_SETTINGS } from './config/organisations.ts';
import { OWN_TRACES_SETTINGS } from './config/own-traces.ts';
import { TEST_SETTINGS } from './config/tests.ts';
import {
  byteSize,
  commaSeparated,
  frozen,
  GIB,
  isHost,
  isNetwork,
  isWebAddress,
  KIB,
  MIB,
  oneOf,
  path,
  setting,
  type Setting,
  wholeNumber,
} from './config/setting.ts';
import { StartupError } from './errors.ts';

const PREFIX = 'TOUCHSTONE_';
/** Matches paths of the server, with which the path of the public URL must not begin. */
const OWN_PATH = /^\/(?:v\d|docs|assets|packages|mcp)(?:\/|$)/;

/** Reports whether the public URL has no user and no path of the server. */
const isPublic = ({ username, password, pathname }: URL): boolean =>
  username === '' && password === '' && !OWN_PATH.test(pathname);

/** All settings. The parser, --help and docs/settings.md are generated from this list. */
export const SETTINGS = {
  host: setting({
    meaning: 'Address to listen on. `0.0.0.0` or `::` opens the service to the network.',
    default: '127.0.0.1',
    example: '0.0.0.0',
    allowed: 'an IP address or a host name, without scheme and port',
    parse: z.string().refine(isHost),
  }),
  port: setting({
    meaning: 'Port of the REST API and of OTLP over HTTP; `0` chooses any free port.',
    default: '4318',
    example: '8080',
    allowed: 'a whole number from 0 to 65535',
    parse: wholeNumber(0, 65_535),
  }),
  grpcPort: setting<number | 'off' | null>({
    meaning:
      'Port of OTLP over gRPC; `0` chooses any free port, `off` none. Default: 4317, unless another program uses it.',
    default: null,
    example: 'off',
    allowed: 'a whole number from 0 to 65535, or off',
    parse: z.union([oneOf('off'), wholeNumber(0, 65_535)]),
  }),
  grpcHost: setting<string | null>({
    meaning: 'Address to listen on for OTLP over gRPC. Default: that of the REST API.',
    default: null,
    example: '0.0.0.0',
    allowed: 'an IP address or a host name, without scheme and port',
    parse: z.string().refine(isHost),
  }),
  dataDir: setting({
    meaning: 'Folder of all stored data; created if it does not exist.',
    default: './data',
    example: '/var/lib/touchstone',
    allowed: 'the path of a folder',
    parse: path,
  }),
  ...DATABASE_SETTINGS,
  logLevel: setting({
    meaning: 'Lowest level of log lines that are written.',
    default: 'info',
    example: 'debug',
    allowed: 'one of debug, info, warn, error',
    parse: oneOf('debug', 'info', 'warn', 'error'),
  }),
  publicUrl: setting<string | null>({
    meaning:
      'Address under which clients reach the service, if it differs from host and port, for example behind a proxy; with a path if the proxy serves it below one.',
    default: null,
    example: 'https://touchstone.example.com',
    allowed:
      'an address that begins with http:// or https://, without a user, a query or a path of the server such as /v0',
    parse: z
      .string()
      .refine((url) => isWebAddress(url) && !/[?#]/.test(url) && isPublic(new URL(url)))
      .transform((url) => new URL(url).href.replace(/\/+$/, '')),
  }),
  bootstrapOrgId: setting<string | null>({
    meaning: 'Id of the organisation that the first start creates. No effect later.',
    default: null,
    example: 'acme',
    allowed: '1 to 64 letters, digits, dots, hyphens or underscores',
    parse: z.string().regex(/^[\w.-]{1,64}$/),
  }),
  bootstrapApplicationId: setting<string | null>({
    meaning: 'Id of the application that the first start creates. No effect later.',
    default: null,
    example: '7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60',
    allowed: 'a UUID',
    parse: z.string().toLowerCase().pipe(z.uuid()),
  }),
  bootstrapApiKey: setting<string | null>({
    meaning: 'Admin key that the first start creates. No effect later; never printed.',
    default: null,
    example: 'sk_A1b2C3d4E5f6_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg',
    allowed: '`sk_`, 12 letters or digits, `_` and 43 letters or digits',
    parse: z.string().regex(/^sk_[A-Za-z\d]{12}_[A-Za-z\d]{43}$/),
    secret: true,
  }),
  maxBodyBytes: setting({
    meaning:
      'Largest request body, both as sent and after decompression. The default is lower where the memory is limited to less than 1 GiB.',
    default: '64 MiB',
    example: '16MiB',
    allowed: 'a size from 1 KiB to 512 MiB, such as 16777216 or 16MiB',
    parse: byteSize(KIB, 512 * MIB),
  }),
  memoryBudgetBytes: setting({
    meaning:
      'Most memory for requests in progress; further requests are rejected with 503 and may be retried. The default is lower where the memory is limited to less than 1 GiB.',
    default: '192 MiB',
    example: '512MiB',
    allowed: 'a size from 1 MiB to 1 GiB, such as 536870912 or 512MiB',
    parse: byteSize(MIB, GIB),
  }),
  prepareThreads: setting({
    meaning:
      'Most threads that decode, mask and compress what arrives. A request that needs long occupies one of them. Further ones start when several organisations send at one time. The default is half of the processor cores from 6 cores on, at most 4.',
    default: '2',
    example: '4',
    allowed: 'a whole number from 1 to 16',
    parse: wholeNumber(1, 16),
  }),
  corsOrigins: setting({
    meaning: 'Origins whose pages may call the API from a browser, separated by commas; empty for none.',
    default: '',
    example: 'https://app.example.com,http://localhost:5173',
    allowed: 'a comma-separated list of origins such as https://app.example.com',
    parse: commaSeparated
      .refine((origins) =>
        origins.every((origin) => isWebAddress(origin) && URL.parse(origin)?.origin === origin),
      )
      .transform(frozen),
  }),
  outboundAllow: setting({
    meaning:
      'Non-public networks and single addresses that webhooks and scorers may call, separated by commas. The metadata address of a cloud is allowed only if exactly that address is listed.',
    default: '',
    example: '10.0.0.0/8,fd00:1234::/32,192.168.1.20',
    allowed: 'a comma-separated list of networks or addresses such as 10.0.0.0/8,192.168.1.20',
    parse: commaSeparated.refine((networks) => networks.every(isNetwork)).transform(frozen),
  }),
  trustedProxies: setting({
    meaning:
      'Networks and single addresses of the proxies in front of the service, separated by commas. Their `Forwarded` and `X-Forwarded-` headers are trusted. When set, webhooks may not call loopback unless `TOUCHSTONE_OUTBOUND_ALLOW` lists it.',
    default: '',
    example: '127.0.0.1,10.1.0.0/16',
    allowed: 'a comma-separated list of networks or addresses such as 127.0.0.1,10.1.0.0/16',
    parse: commaSeparated.refine((networks) => networks.every(isNetwork)).transform(frozen),
  }),
  knownHosts: setting({
    meaning:
      'Further host names of the service, separated by commas: under which browsers may sign in, and this machine may read `/metrics` without a key. Loopback names and the listen address are always known, to browsers also the host of the public URL.',
    default: '',
    example: 'touchstone.internal',
    allowed: 'a comma-separated list of host names or addresses without ports, such as touchstone.internal',
    parse: commaSeparated
      .refine((names) => names.every(isHost))
      .transform((names) => frozen(names.map((name) => name.toLowerCase()))),
  }),
  auditDays: setting({
    meaning: 'Number of days for which it is recorded who changed what; see docs/sign-in.md.',
    default: '365',
    example: '90',
    allowed: 'a whole number from 1 to 3650',
    parse: wholeNumber(1, 3_650),
  }),
  pricesFile: setting<string | null>({
    meaning: 'JSON file with prices of models, which take precedence over the built-in table of 2026-08-21.',
    default: null,
    example: '/etc/touchstone/prices.json',
    allowed: 'the path of a file',
    parse: path,
  }),
  judgesFile: setting<string | null>({
    meaning:
      'JSON file with the judge models by name; see docs/judges.md. Without it, and without a judge model, there is no judge.',
    default: null,
    example: '/etc/touchstone/judges.json',
    allowed: 'the path of a file',
    parse: path,
  }),
  judgeProvider: setting({
    meaning: 'API protocol of the only judge, if there is no judges file.',
    default: 'openai-compatible',
    example: 'anthropic',
    allowed: 'one of openai-compatible, anthropic',
    parse: oneOf('openai-compatible', 'anthropic'),
  }),
  judgeBaseUrl: setting<string | null>({
    meaning:
      'Base URL of the judge, to which `/chat/completions` or `/messages` is appended. Default with `anthropic`: that of Anthropic.',
    default: null,
    example: 'http://localhost:11434/v1',
    allowed: 'an address that begins with http:// or https://',
    parse: z.string().refine(isWebAddress),
    secret: true,
  }),
  judgeApiKey: setting<string | null>({
    meaning: 'API key of the judge model, if it requires one.',
    default: null,
    example: 'sk-…',
    allowed: 'a text without spaces',
    parse: z.string().regex(/^\S+$/),
    secret: true,
  }),
  judgeModel: setting<string | null>({
    meaning: 'Name of the judge model.',
    default: null,
    example: 'qwen3:32b',
    allowed: 'the name of a model, at most 256 characters',
    parse: z.string().min(1).max(256),
  }),
  promptProvider: setting({
    meaning: 'API protocol of the prompt model.',
    default: 'openai-compatible',
    example: 'anthropic',
    allowed: 'one of openai-compatible, anthropic',
    parse: oneOf('openai-compatible', 'anthropic'),
  }),
  promptBaseUrl: setting<string | null>({
    meaning: 'Base URL of the prompt model, like that of the judge.',
    default: null,
    example: 'http://localhost:11434/v1',
    allowed: 'an address that begins with http:// or https://',
    parse: z.string().refine(isWebAddress),
    secret: true,
  }),
  promptApiKey: setting<string | null>({
    meaning: 'API key of the prompt model, if it requires one.',
    default: null,
    example: 'sk-…',
    allowed: 'a text without spaces',
    parse: z.string().regex(/^\S+$/),
    secret: true,
  }),
  promptModel: setting<string | null>({
    meaning:
      'Name of the model that writes the prompts of `NORMAL` tasks. Without it, these cannot be tested.',
    default: null,
    example: 'qwen3:32b',
    allowed: 'the name of a model, at most 256 characters',
    parse: z.string().min(1).max(256),
  }),
  judgeMode: setting({
    meaning:
      '`record` stores requests to judges and their responses in the folder of recordings; `replay` uses only these and needs no model.',
    default: 'live',
    example: 'replay',
    allowed: 'one of live, record, replay',
    parse: oneOf('live', 'record', 'replay'),
  }),
  judgeRecordings: setting<string | null>({
    meaning:
      'Folder of recorded requests to judges and their responses; required with the modes `record` and `replay`.',
    default: null,
    example: './judge-recordings',
    allowed: 'the path of a folder',
    parse: path,
  }),
  secretKey: setting<string | null>({
    meaning:
      'Text from which the key that encrypts webhook secrets and headers is derived; `base64:` and the content of a `secret.key` in base64 are that key. If not set, a key is created in `secret.key` in the data folder.',
    default: null,
    example: 'a long random text',
    allowed: 'a text of at least 16 characters',
    parse: z.string().min(16),
    secret: true,
  }),
  ...TEST_SETTINGS,
  rateLimit: setting<number | null>({
    meaning:
      'Most calls of the REST API per minute and key, a sixth of them at once; `0` for no limit. Traces and events do not count. It holds for all replicas together, on average. Default: no limit on a loopback host, else 6000.',
    default: null,
    example: '600',
    allowed: 'a whole number from 0 to 10000000',
    parse: wholeNumber(0, 10_000_000),
  }),
  maxConnections: setting({
    meaning:
      'Most open connections to each port; further ones are rejected. Lower where the limit of open files requires it.',
    default: '4096',
    example: '512',
    allowed: 'a whole number from 1 to 1000000',
    parse: wholeNumber(1, 1_000_000),
  }),
  ...ORGANISATION_SETTINGS,
  ...OWN_TRACES_SETTINGS,
} as const;

type SettingName = keyof typeof SETTINGS;
export type Config = {
  readonly [K in SettingName]: (typeof SETTINGS)[K] extends Setting<infer T> ? T : never;
};

const NAMES = Object.keys(SETTINGS) as SettingName[];
const upperSnake = (name: string): string => name.replace(/[A-Z]/g, '_$&').toUpperCase();
const variableOf = (name: string): string => PREFIX + upperSnake(name);
const flagOf = (name: string): string => `--${upperSnake(name).toLowerCase().replaceAll('_', '-')}`;

/** Text of one setting, for people. */
export interface SettingText {
  flag: string;
  variable: string;
  meaning: string;
  default: string | null;
  example: string;
}
export const settingTexts = (): SettingText[] =>
  NAMES.map((name) => {
    const { meaning, default: fallback, example } = SETTINGS[name];
    return { flag: flagOf(name), variable: variableOf(name), meaning, default: fallback, example };
  });

export const SETTING_FLAGS: readonly string[] = NAMES.map(flagOf);
export const DATA_DIR_FLAG = flagOf('dataDir');

/**
 * Reads the settings from flags, else from variables (an empty one counts as not set), else from their defaults.
 * Throws StartupError on the first invalid one; `warnings` lists unknown variables and too little memory.
 */
export function readConfig(
  flags: Flags,
  env: Readonly<Record<string, string | undefined>>,
  memoryBytes = memoryLimitBytes(),
  cores = availableParallelism(),
): { config: Config; warnings: string[] } {
  const values: Record<string, unknown> = {};
  const given = new Set<string>();
  for (const name of NAMES) {
    const { default: fallback, parse } = SETTINGS[name];
    const flag = flags.get(flagOf(name));
    const set = flag ?? (env[variableOf(name)] || null);
    if (set !== null) given.add(name);
    const text = set ?? fallback;
    if (text !== null && /[\r\n]$/.test(text))
      throw lineEnd(flag === undefined ? variableOf(name) : flagOf(name));
    if (text === null) {
      values[name] = null;
      continue;
    }
    const parsed = parse.safeParse(text);
    if (!parsed.success)
      throw badSetting(flag === undefined ? variableOf(name) : flagOf(name), SETTINGS[name], text);
    values[name] = parsed.data;
  }
  const fitted = fitToMemory(values as Config, given, memoryBytes);
  const threads = given.has('prepareThreads') ? {} : { prepareThreads: prepareThreadsFor(cores) };
  const config = Object.freeze({ ...(values as Config), ...fitted, ...threads });
  if (config.memoryBudgetBytes < 2 * config.maxBodyBytes)
    throw new StartupError(
      `${variableOf('memoryBudgetBytes')} (${inMib(config.memoryBudgetBytes)}) must be at least twice ${variableOf('maxBodyBytes')} (${inMib(config.maxBodyBytes)}): a body needs memory both as sent and decompressed.`,
    );
  return { config, warnings: [...unknownVariables(env), ...memoryWarnings(memoryBytes, fitted)] };
}

const inMib = (size: number): string => `${Math.round((size / MIB) * 1000) / 1000} MiB`;

/** Returns the error for a value with the end of its line, as files from Windows give it. */
const lineEnd = (name: string): StartupError =>
  new StartupError(
    `${name} ends in a line break (CR or LF), which is not part of its value; save the file that sets it with line ends of Unix (LF).`,
  );

function badSetting(
  name: string,
  { allowed, secret }: Pick<Setting<unknown>, 'allowed' | 'secret'>,
  text: string,
): StartupError {
  // The user of an address is there with a password.
  const shown = text.replace(/\/\/[^/@]*@/g, '//…@');
  const came = secret ? '' : `, not ${JSON.stringify(shown.length > 80 ? `${shown.slice(0, 80)}…` : shown)}`;
  return new StartupError(`${name} must be ${allowed}${came}.`);
}

/** Variables that the exporter package, `listen` and `test` read, so they may be set where a server is started. */
const OF_CLIENTS = ['URL', 'API_KEY', 'APPLICATION_ID'].map((name) => PREFIX + name);

function unknownVariables(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = NAMES.map(variableOf);
  return Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && !known.includes(name) && !OF_CLIENTS.includes(name))
    .sort()
    .map((name) => `The variable ${name} is not a setting${suggestion(name, known)}`);
}
