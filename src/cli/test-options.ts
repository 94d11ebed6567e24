import type { ClientSettings } from '../api/client.ts';
import { readFlags } from '../config/flags.ts';
import { uuid } from '../contract/values.ts';
import { StartupError } from '../errors.ts';
import { MAX_UNTIL_SURE } from '../resources/run-sets/contract.ts';
import { ACCOUNT_FLAGS, readAccount } from './account.ts';
import type { StatisticalQuestion } from '../evaluate/statistics/question.ts';
import type { Io } from './io.ts';
import { type Provenance, provenanceOf } from './test-provenance.ts';
import type { RegressionPlan } from './test-plan-regression.ts';
import type { TestPlan } from './test-plan.ts';

const MAX_CHOICES = 1_000;
const MAX_REPEAT = 100;
const MAX_BASELINE_RUNS = 1_000;
const MAX_PROMPT_SEED = 1_000_000_000;
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600 };
const LONGEST_HOURS = 24;

/** Selected tasks: one task, those of a topic or with a tag, or all active ones. */
export type TaskChoice = { by: 'all' } | { by: 'id' | 'topic' | 'tag'; id: string };

export interface TestOptions {
  account: ClientSettings;
  tasks: readonly TaskChoice[];
  /** Number of tests of each chosen example; of each task, if its tests take its examples in turn. */
  repeat: number;
  /** Lowest sufficient pass rate, in percent. */
  failUnder: number;
  /** True if the lower bound of the interval must reach the rate. */
  isStrict: boolean;
  /** Question that the intervals answer. */
  question: StatisticalQuestion;
  /** True if each task has the same weight. */
  equalTasks: boolean;
  /** True if the result is printed as JSON. */
  isJson: boolean;
  /** True if verdicts of advisory definitions count. */
  withAdvisory: boolean;
  /** Number of tests that may lack a verdict. */
  allowSkipped: number;
  /** Largest acceptable loss against the baseline, in percentage points; null when the comparison decides nothing. */
  margin: number | null;
  /** Lowest share of what was tested on either side that must be compared, in percent. */
  minPaired: number;
  /** Loss beyond the margin that the comparison must be able to show, in percentage points. */
  findLoss: number;
  /** Examples to test; null for `repeat` tests of each task, which take its examples in turn. */
  examples: { splits?: string[] } | null;
  /** Seed of the prompts that a model writes; null for the default of the server. */
  promptSeed: number | null;
  /** Baseline to compare with: a run set, `previous`, `branch:` with a name, or runs; null for nothing. */
  baseline: string | null;
  /** True if a baseline that was judged otherwise is judged again. */
  rejudgesBaseline: boolean;
  /** Title of the run set; null for none. */
  title: string | null;
  provenance: Provenance;
  /** Largest number of examples to test until the result is sure; null to test all. */
  untilSure: { max: number } | null;
  /** Path of the Markdown summary; null for none. */
  markdown: string | null;
  /** Path of the JUnit report; null for none. */
  junit: string | null;
  timeoutMs: number;
}

/** Returns the plan that `--plan` requests: of a gate, or of a comparison; null without it. Throws StartupError. */
export function readPlan(args: readonly string[]): TestPlan | RegressionPlan | null {
  if (!args.includes('--plan')) return null;
  const isComparison = args.includes('--no-regression');
  const { flags } = readFlags(args, {
    values: [
      '--true-rate',
      '--repeat',
      '--correlation',
      ...(isComparison ? ['--tasks', '--find-loss'] : ['--fail-under']),
    ],
    switches: ['--plan', isComparison ? '--no-regression' : '--strict'],
  });
  const rate = (flag: string, fallback: string): number => percentage(flag, flags.get(flag) ?? fallback);
  const tests = {
    repeats: repeatOf(flags),
    correlation: number('--correlation', flags.get('--correlation') ?? '0.5', {
      pattern: /^[01](?:\.\d{1,6})?$/,
      min: 0,
      max: 1,
    }),
  };
  if (!isComparison)
    return {
      ...tests,
      failUnder: rate('--fail-under', '100'),
      trueRate: rate('--true-rate', '80'),
      isStrict: flags.has('--strict'),
    };
  return {
    ...tests,
    trueRate: rate('--true-rate', '90'),
    tasks: number('--tasks', flags.get('--tasks') ?? '1', { pattern: /^\d{1,4}$/, min: 1, max: 1_000 }),
    findLoss: rate('--find-loss', '10'),
  };
}

const repeatOf = (flags: ReadonlyMap<string, string>): number =>
  number('--repeat', flags.get('--repeat') ?? '1', { pattern: /^\d{1,3}$/, min: 1, max: MAX_REPEAT });

/** Parses the options of `test`. Throws StartupError on the first invalid one. */
export function readTestOptions(args: readonly string[], env: Io['env']): TestOptions {
  const { flags, words } = readFlags(args, {
    values: [
      '--tasks',
      '--repeat',
      '--fail-under',
      '--baseline',
      '--max',
      '--commit',
      '--branch',
      '--title',
      '--junit',
      '--markdown',
      '--timeout',
      '--allow-skipped',
      '--margin',
      '--min-paired',
      '--find-loss',
      '--examples',
      '--question',
      '--prompt-seed',
      ...ACCOUNT_FLAGS,
    ],
    switches: [
      '--strict',
      '--no-regression',
      '--rejudge-baseline',
      '--with-advisory',
      '--equal-tasks',
      '--until-sure',
      '--json',
    ],
  });
  if (words[0] !== undefined) throw new StartupError(`test takes no "${words[0].slice(0, 80)}".`);
  return {
    tasks: taskChoices(flags.get('--tasks')),
    repeat: repeatOf(flags),
    failUnder: percentage('--fail-under', flags.get('--fail-under') ?? '100'),
    isStrict: flags.has('--strict'),
    question: question(flags.get('--question')),
    equalTasks: flags.has('--equal-tasks'),
    withAdvisory: flags.has('--with-advisory'),
    allowSkipped: number('--allow-skipped', flags.get('--allow-skipped') ?? '0', {
      pattern: /^\d{1,5}$/,
      min: 0,
      max: 10_000,
    }),
    margin: margin(flags),
    minPaired: ofComparison(flags, '--min-paired', '80'),
    findLoss: ofComparison(flags, '--find-loss', '50'),
    examples: examples(flags.get('--examples')),
    promptSeed: promptSeed(flags.get('--prompt-seed')),
    baseline: baseline(flags.get('--baseline')),
    rejudgesBaseline: rejudgesBaseline(flags),
    title: flags.get('--title') ?? null,
    provenance: provenance(flags, env),
    markdown: flags.get('--markdown') ?? null,
    untilSure: untilSure(flags),
    junit: flags.get('--junit') ?? null,
    isJson: flags.has('--json'),
    timeoutMs: timeLimit(flags.get('--timeout')),
    account: readAccount('test', flags, env),
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

const QUESTION_FLAGS: ReadonlyMap<string, StatisticalQuestion> = new Map([
  ['these-examples', 'THESE_EXAMPLES'],
  ['these-tasks', 'THESE_TASKS'],
  ['examples-like-these', 'EXAMPLES_LIKE_THESE'],
]);

function question(text = 'examples-like-these'): StatisticalQuestion {
  const found = QUESTION_FLAGS.get(text);
  if (found === undefined)
    throw new StartupError(
      `--question must be examples-like-these, these-tasks or these-examples, not ${quoted(text)}.`,
    );
  return found;
}

function margin(flags: ReadonlyMap<string, string>): number | null {
  const text = flags.get('--margin');
  if (!flags.has('--no-regression')) {
    if (text !== undefined) throw new StartupError('--margin needs --no-regression.');
    return null;
  }
  if (!flags.has('--baseline')) throw new StartupError('--no-regression needs --baseline.');
  return number('--margin', text ?? '0', PERCENT);
}

function ofComparison(flags: ReadonlyMap<string, string>, flag: string, fallback: string): number {
  const text = flags.get(flag);
  if (text !== undefined && !flags.has('--no-regression'))
    throw new StartupError(`${flag} needs --no-regression.`);
  return percentage(flag, text ?? fallback);
}

function examples(text: string | undefined): TestOptions['examples'] {
  if (text === undefined || text === 'all') return {};
  if (text === 'in-turn') return null;
  const splits = parts(text).map((part) => /^split:(.{1,64})$/.exec(part)?.[1]);
  if (splits.length > 0 && splits.every((split) => split !== undefined)) return { splits };
  throw new StartupError(`--examples must be all, in-turn, or split:NAME with commas, not ${quoted(text)}.`);
}

const promptSeed = (text: string | undefined): number | null =>
  text === undefined
    ? null
    : number('--prompt-seed', text, { pattern: /^\d{1,10}$/, min: 0, max: MAX_PROMPT_SEED });

function baseline(text: string | undefined): string | null {
  if (text === undefined) return null;
  const name = text.trim();
  if (name === 'previous' || /^branch:./.test(name)) return name;
  const ids = parts(text).map((part) => uuid.safeParse(part));
  const valid = ids.flatMap(({ data }) => data ?? []);
  if (valid.length < ids.length || ids.length === 0 || ids.length > MAX_BASELINE_RUNS)
    throw new StartupError(
      `--baseline must be the id of a run set, previous, branch:NAME, or 1 to ${MAX_BASELINE_RUNS} ids of runs separated by commas; got ${quoted(text)}.`,
    );
  return valid.join(',');
}

function rejudgesBaseline(flags: ReadonlyMap<string, string>): boolean {
  if (!flags.has('--rejudge-baseline')) return false;
  if (!flags.has('--baseline')) throw new StartupError('--rejudge-baseline needs --baseline.');
  return true;
}

/** Flags that are for tests of a fixed size, or for comparisons. */
const OF_FIXED_SIZE = [
  '--strict',
  '--repeat',
  '--question',
  '--equal-tasks',
  '--baseline',
  '--no-regression',
  '--prompt-seed',
];

function untilSure(flags: ReadonlyMap<string, string>): TestOptions['untilSure'] {
  const max = flags.get('--max');
  if (!flags.has('--until-sure')) {
    if (max !== undefined) throw new StartupError('--max needs --until-sure.');
    return null;
  }
  const other = OF_FIXED_SIZE.find((flag) => flags.has(flag));
  if (other !== undefined) throw new StartupError(`--until-sure cannot be combined with ${other}.`);
  if (flags.get('--examples') === 'in-turn')
    throw new StartupError('--until-sure cannot be combined with --examples in-turn.');
  const line = percentage('--fail-under', flags.get('--fail-under') ?? '100');
  if (line <= 0 || line >= 100)
    throw new StartupError(
      `--until-sure needs --fail-under between 0 and 100: no number of examples shows a pass rate of ${line === 0 ? 'less than 0' : 'all'}.`,
    );
  return {
    max: number('--max', max ?? String(MAX_UNTIL_SURE), {
      pattern: /^\d{1,4}$/,
      min: 1,
      max: MAX_UNTIL_SURE,
    }),
  };
}

/** Returns what the variables of the CI system say of the build, and the flags in their place. */
function provenance(flags: ReadonlyMap<string, string>, env: Io['env']): Provenance {
  const found = provenanceOf(env);
  const given = (flag: string, otherwise: string | null): string | null => {
    const text = flags.get(flag)?.trim();
    if (text === '') throw new StartupError(`${flag} must not be empty.`);
    return text ?? otherwise;
  };
  return { ...found, commit: given('--commit', found.commit), branch: given('--branch', found.branch) };
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

/** Flags for which 1 is hardly meant as 1 %. */
const SHARE_FLAGS: ReadonlySet<string> = new Set(['--fail-under', '--min-paired', '--true-rate']);

/**
 * Parses a percentage, with or without `%`. Below 1 it needs the sign, because 0.6 may be meant as a share, as may a required rate of 1.
 * Throws StartupError.
 */
function percentage(flag: string, text: string): number {
  const hasSign = text.endsWith('%');
  const value = number(flag, hasSign ? text.slice(0, -1).trimEnd() : text, PERCENT);
  if (hasSign || value === 0 || value > 1 || (value === 1 && !SHARE_FLAGS.has(flag))) return value;
  throw new StartupError(
    `${flag} is a percentage, and ${value} may be meant as a share: write ${Number((100 * value).toPrecision(12))} or ${value}%.`,
  );
}

/** Parses the value of `--timeout` and returns milliseconds. Throws StartupError. */
export function timeLimit(text = '15m'): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([smh])$/.exec(text) ?? [];
  const seconds = Number(count) * (SECONDS[unit] ?? 0);
  if (seconds > 0 && seconds <= LONGEST_HOURS * 3_600) return seconds * 1_000;
  throw new StartupError(
    `--timeout must be a duration such as 90s, 15m or 1h, at most ${LONGEST_HOURS} hours; got ${quoted(text)}.`,
  );
}

const parts = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  ),
];

const PERCENT: NumberRule = { pattern: /^\d{1,3}(?:\.\d{1,6})?$/, min: 0, max: 100 };

const quoted = (text: string): string => JSON.stringify(text.slice(0, 80));
