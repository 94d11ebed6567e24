import type { ClientSettings } from '../api/client.ts';
import { readFlags } from '../config.ts';
import { uuid } from '../contract/values.ts';
import { StartupError } from '../errors.ts';
import type { Io } from './io.ts';

const DEFAULT_SERVER = 'http://127.0.0.1:4318';
const MAX_CHOICES = 1_000;
const MAX_REPEAT = 100;
const MAX_BASELINE_RUNS = 100;
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600 };
const LONGEST_HOURS = 24;

/** Which tasks are meant: one, those of a topic or with a tag, or every one that is active. */
export type TaskChoice = { by: 'all' } | { by: 'id' | 'topic' | 'tag'; id: string };

export interface TestOptions {
  account: ClientSettings;
  tasks: readonly TaskChoice[];
  /** Tests of each task. */
  repeat: number;
  /** The pass rate that is good enough, in percent. */
  failUnder: number;
  /** Whether the lower bound of the interval has to reach it. */
  isStrict: boolean;
  /** Runs to compare with. */
  baseline: readonly string[];
  /** Where the report for CI goes. */
  junit: string | null;
  timeoutMs: number;
}

/** The options of `test`. Throws StartupError on the first that is wrong. */
export function readTestOptions(args: readonly string[], env: Io['env']): TestOptions {
  const { flags, words } = readFlags(args, {
    values: [
      '--tasks',
      '--repeat',
      '--fail-under',
      '--baseline',
      '--junit',
      '--timeout',
      '--url',
      '--api-key',
      '--application-id',
    ],
    switches: ['--strict'],
  });
  if (words[0] !== undefined) throw new StartupError(`test takes no "${words[0].slice(0, 80)}".`);
  return {
    tasks: taskChoices(flags.get('--tasks')),
    repeat: number('--repeat', flags.get('--repeat') ?? '1', {
      pattern: /^\d{1,3}$/,
      min: 1,
      max: MAX_REPEAT,
    }),
    failUnder: number('--fail-under', flags.get('--fail-under') ?? '100', {
      pattern: /^\d{1,3}(?:\.\d{1,6})?$/,
      min: 0,
      max: 100,
    }),
    isStrict: flags.has('--strict'),
    baseline: runIds(flags.get('--baseline')),
    junit: flags.get('--junit') ?? null,
    timeoutMs: milliseconds(flags.get('--timeout') ?? '15m'),
    account: {
      baseUrl: serverAddress(flags.get('--url') ?? (env['TOUCHSTONE_URL'] || DEFAULT_SERVER)),
      apiKey: credential(flags, env, '--api-key', 'TOUCHSTONE_API_KEY'),
      applicationId: credential(flags, env, '--application-id', 'TOUCHSTONE_APPLICATION_ID'),
    },
  };
}

function taskChoices(text: string | undefined): TaskChoice[] {
  const allowed = 'task ids, all, topic:ID or tag:ID, separated by commas';
  if (text === undefined) throw new StartupError(`test needs --tasks: ${allowed}.`);
  const choices = parts(text).map((part): TaskChoice => {
    if (part === 'all') return { by: 'all' };
    const [, by, id] = /^(?:(topic|tag):)?(.+)$/.exec(part) ?? [];
    const parsed = uuid.safeParse(id);
    if (!parsed.success) throw new StartupError(`--tasks must be ${allowed}, not ${quoted(part)}.`);
    return { by: by === 'topic' || by === 'tag' ? by : 'id', id: parsed.data };
  });
  if (choices.length === 0 || choices.length > MAX_CHOICES)
    throw new StartupError(`--tasks must be ${allowed}; 1 to ${MAX_CHOICES} of them.`);
  return choices;
}

function runIds(text: string | undefined): string[] {
  const ids = parts(text ?? '').map((part) => {
    const parsed = uuid.safeParse(part);
    if (!parsed.success)
      throw new StartupError(`--baseline must be ids of runs, separated by commas, not ${quoted(part)}.`);
    return parsed.data;
  });
  if (text !== undefined && (ids.length === 0 || ids.length > MAX_BASELINE_RUNS))
    throw new StartupError(`--baseline must be 1 to ${MAX_BASELINE_RUNS} ids of runs.`);
  return ids;
}

interface NumberRule {
  pattern: RegExp;
  min: number;
  max: number;
}

function number(flag: string, text: string, { pattern, min, max }: NumberRule): number {
  const value = pattern.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new StartupError(`${flag} must be a number from ${min} to ${max}, not ${quoted(text)}.`);
}

function milliseconds(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([smh])$/.exec(text) ?? [];
  const seconds = Number(count) * (SECONDS[unit] ?? 0);
  if (seconds > 0 && seconds <= LONGEST_HOURS * 3_600) return seconds * 1_000;
  throw new StartupError(
    `--timeout must be such as 90s, 15m or 1h, ${LONGEST_HOURS} hours at most, not ${quoted(text)}.`,
  );
}

function serverAddress(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new StartupError(
      '--url (or TOUCHSTONE_URL) must be an http or https address without user name and password.',
    );
  // An exporter takes the address of its own endpoint in the same variable.
  return url.origin + url.pathname.replace(/\/+$/, '').replace(/\/v1\/traces$/, '');
}

function credential(
  flags: ReadonlyMap<string, string>,
  env: Io['env'],
  flag: string,
  variable: string,
): string {
  const value = flags.get(flag) ?? env[variable] ?? '';
  if (value === '') throw new StartupError(`test needs ${variable}, or ${flag}.`);
  // Not shown: a wrong key may be nearly the right one.
  if (!/^[\x21-\x7e]+$/.test(value)) throw new StartupError(`${variable} (or ${flag}) is not well formed.`);
  return value;
}

const parts = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  ),
];

const quoted = (text: string): string => JSON.stringify(text.slice(0, 80));
