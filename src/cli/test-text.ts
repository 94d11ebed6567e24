import type { StatisticalQuestion } from '../evaluate/statistics/question.ts';
import { intervalText, percentText } from '../evaluate/statistics/percent-text.ts';
import { formatTable } from './tables.ts';
import {
  countOf,
  type TestFinding,
  isJudged,
  type RateWithInterval,
  type Report,
  type TaskReport,
  type TestReport,
} from '../resources/run-sets/report.ts';
import { printable } from './server-trouble.ts';
import { truncateLine } from './terminal-text.ts';
import { countText } from '../runtime/count-text.ts';

const MAX_TITLE = 40;
const MAX_PROMPT = 60;
/** Names listed under one task. */
const MAX_NAMES = 10;
/** Examples listed under one definition. */
const MAX_EXAMPLES = 3;

/** Formats the report for people: a row for each task, then the reasons why tests did not pass. */
export function reportText({ tasks, rate, advisory, corrected }: Report): string {
  const all = tasks.flatMap(({ tests }) => tests);
  const rows = tasks.map((task) => rowOf(truncateLine(task.task.title, MAX_TITLE), task));
  const whole = tasks.length > 1 ? [rowOf('All', { rate, tests: all })] : [];
  const heads = ['TASK', 'TESTS', 'JUDGED', 'PASS RATE', '95 % INTERVAL', 'FAILED', 'ERRORS', 'SKIPPED'];
  const details = tasks.map(detailsOf).filter((text) => text !== '');
  const question = rate === null ? [] : [`${questionText(rate)}\n`];
  return [
    '',
    formatTable(heads, [...rows, ...whole]),
    ...question,
    ...corrected.map(correctedText),
    ...details,
    ...advisory.map(advisoryText),
  ].join('\n');
}

const correctedText = ({ name, rate, corrected }: Report['corrected'][number]): string =>
  `${printable(name)}: ${percentText(rate)} passed; ${percentText(corrected.rate)} (95 % interval ${intervalText(corrected)}) when corrected for the errors of its judge\n`;

const advisoryText = ({ name, reason }: Report['advisory'][number]): string =>
  `${printable(name)} is advisory: its verdicts do not count, because ${reason === null ? 'it has no gate' : `its gate is not valid: ${printable(reason)}`}\n`;

const QUESTION_TEXTS: Readonly<Record<StatisticalQuestion, string>> = {
  THESE_EXAMPLES: 'other tests of these very examples',
  THESE_TASKS: 'other examples of these tasks',
  EXAMPLES_LIKE_THESE: 'other examples like these',
};
const LEVEL_TEXTS = { TEST: 'test', EXAMPLE: 'example', TASK: 'task' } as const;

/** Explains what the interval of all tests applies to. */
const questionText = ({ question, clusteredBy, clusters }: RateWithInterval): string =>
  `The intervals are for ${QUESTION_TEXTS[question]}; ${countText(clusters, LEVEL_TEXTS[clusteredBy])} in all.`;

function rowOf(title: string, { rate, tests }: Pick<TaskReport, 'rate' | 'tests'>): string[] {
  return [
    title,
    String(tests.length),
    `${tests.filter(isJudged).length} of ${tests.length}`,
    rate === null ? '-' : percentText(rate.rate),
    rate === null ? '-' : intervalText(rate),
    ...(['failed', 'error', 'skipped'] as const).map((verdict) => String(countOf(tests, verdict))),
  ];
}

interface Found extends TestFinding {
  test: TestReport;
}

function detailsOf({ task, tests }: TaskReport): string {
  const found = tests.flatMap((test) => test.findings.map((finding): Found => ({ ...finding, test })));
  if (found.length === 0) return '';
  const byName = [...Map.groupBy(found, ({ kind, name }) => `${kind}\n${name}`).values()];
  const lines = byName.slice(0, MAX_NAMES).flatMap((some) => linesOf(some, tests.length));
  if (byName.length > MAX_NAMES) lines.push(`  and ${byName.length - MAX_NAMES} more`);
  return `${[truncateLine(task.title, MAX_TITLE), ...lines].join('\n')}\n`;
}

function linesOf(found: readonly Found[], tests: number): string[] {
  const [{ kind, name } = { kind: 'error', name: '' }] = found;
  const what = {
    failed: 'failed',
    error: 'could not be judged or run',
    skipped: 'skipped',
    advisory: 'not passed (advisory)',
  }[kind];
  // Several definitions may have the same name.
  const count = new Set(found.map(({ test }) => test)).size;
  const heading = `  ${printable(name)}: ${what} in ${count} of ${tests}`;
  if (kind === 'skipped') return [`${heading}: ${printable(found[0]?.reason ?? '')}`];
  const examples = found.map(
    ({ test, reason }) => `    ${truncateLine(test.prompt, MAX_PROMPT)}: ${printable(reason)}`,
  );
  return [heading, ...[...new Set(examples)].slice(0, MAX_EXAMPLES)];
}
