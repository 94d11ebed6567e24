import type { Decision, RunSetIssue } from '../api/generated/schema.ts';
import { intervalText, percentText, pointsText } from '../evaluate/statistics/percent-text.ts';
import { judgedAgainText } from '../resources/run-sets/judged-again.ts';
import type { Report, TaskReport, TestReport } from '../resources/run-sets/report.ts';
import { countText } from '../runtime/count-text.ts';
import { printable } from './server-trouble.ts';
import { examplesText, issueState } from './test-issues.ts';
import { truncateLine } from './terminal-text.ts';

const MAX_TASKS = 50;
const MAX_ISSUES = 50;
const MAX_FAILURES = 20;
const MAX_TEXT = 120;

const HEADS = { PASS: '✅ Passed', FAIL: '❌ Failed', INCONCLUSIVE: '⚠️ Unknown' } as const;

/** Result that a summary is made from. */
interface Summarised {
  report: Report;
  decision: Decision | null;
  issues: readonly RunSetIssue[];
  runSetId: string | null;
  problem: string | null;
}

/** Formats a summary for a comment on a pull request, with links to the dashboard. */
export function markdownOf(
  { report, decision, issues, runSetId, problem }: Summarised,
  baseUrl: string,
): string {
  const head = decision === null ? HEADS.INCONCLUSIVE : HEADS[decision.outcome];
  const reasons = decision?.reasons ?? [problem ?? 'The tests were not decided.'];
  const runs = runSetId === null ? [] : ['', `[Run set](${baseUrl}/run-sets/${runSetId}) \`${runSetId}\``];
  return [
    `## ${head}: ${titleOf(report)}`,
    '',
    ...reasons.map((reason) => `- ${escaped(reason)}`),
    ...(decision?.judgedAgain ?? []).map((one) => `- ${escaped(judgedAgainText(one))}`),
    ...(report.tasks.length === 0 ? [] : ['', ...tableOf(report)]),
    ...comparisonLines(decision),
    ...issueLines(issues, baseUrl),
    ...failureLines(report, baseUrl),
    ...runs,
    '',
  ].join('\n');
}

function titleOf({ tasks, rate }: Report): string {
  const tests = tasks.flatMap((task) => task.tests);
  const counts = `${countText(tests.length, 'test')} of ${countText(tasks.length, 'task')}`;
  return rate === null ? counts : `${percentText(rate.rate)} of ${counts}`;
}

function tableOf({ tasks }: Report): string[] {
  const rows = tasks.slice(0, MAX_TASKS).map(rowOf);
  const more = tasks.length - rows.length;
  return [
    '| Task | Tests | Failed | Pass rate | 95 % interval |',
    '|---|---:|---:|---:|---:|',
    ...rows,
    ...(more > 0 ? [`| and ${more} more | | | | |`] : []),
  ];
}

function rowOf({ task, tests, rate }: TaskReport): string {
  const failed = tests.filter(({ verdict }) => verdict === 'failed').length;
  const cells = [
    escaped(task.title),
    String(tests.length),
    String(failed),
    rate === null ? '–' : percentText(rate.rate),
    rate === null ? '–' : intervalText(rate),
  ];
  return `| ${cells.join(' | ')} |`;
}

function comparisonLines(decision: Decision | null): string[] {
  const [candidate] = decision?.comparison?.candidates ?? [];
  if (!candidate) return [];
  const { difference, pairs, pairedShare } = candidate;
  if (difference === null) return ['', 'Nothing could be compared with the baseline.'];
  const { baseline, candidate: now, estimate, low, high } = difference;
  const interval = `95 % interval ${pointsText(low)} to ${pointsText(high)}`;
  return [
    '',
    `Compared with the baseline: ${percentText(baseline)} became ${percentText(now)}, ${pointsText(estimate)} (${interval}), over ${pairs} tasks and inputs (${percentText(pairedShare)} of what was tested).`,
  ];
}

/** Lists the issues that the tests concern, those that failed first. */
function issueLines(issues: readonly RunSetIssue[], baseUrl: string): string[] {
  if (issues.length === 0) return [];
  const shown = issues.slice(0, MAX_ISSUES);
  const more = issues.length - shown.length;
  return [
    '',
    '| Issue | State | Regression examples | Failed tests that are linked |',
    '|---|---|---|---:|',
    ...shown.map((issue) => {
      const name = `[#${issue.number} ${escaped(issue.title)}](${baseUrl}/issues/${issue.number})`;
      return `| ${[name, issueState(issue), examplesText(issue), issue.linkedTests].join(' | ')} |`;
    }),
    ...(more > 0 ? [`| and ${more} more | | | |`] : []),
  ];
}

/** Lists the first tests that failed or could not be judged, below a line that opens them. */
function failureLines({ tasks }: Report, baseUrl: string): string[] {
  const found = tasks.flatMap(({ tests }) =>
    tests.filter(({ verdict }) => verdict === 'failed' || verdict === 'error'),
  );
  if (found.length === 0) return [];
  const shown = found.slice(0, MAX_FAILURES).map((test) => failureLine(test, baseUrl));
  const more = found.length - shown.length;
  return [
    '',
    `<details><summary>${countText(found.length, 'test')} not passed</summary>`,
    '',
    ...shown,
    ...(more > 0 ? [`- and ${more} more`] : []),
    '',
    '</details>',
  ];
}

function failureLine({ id, prompt, findings }: TestReport, baseUrl: string): string {
  const [first] = findings;
  const why = first
    ? `: ${escaped(first.name)}${first.reason === '' ? '' : ` – ${escaped(first.reason)}`}`
    : '';
  return `- [${escaped(prompt === '' ? id : prompt)}](${baseUrl}/tests/${id})${why}`;
}

/** Returns a text as one line that Markdown and HTML show as it is: texts of an app must not become links, mentions or tags. */
const escaped = (text: string): string =>
  truncateLine(printable(text), MAX_TEXT)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/[\\`*_{}[\]()#+!|~>]/g, String.raw`\$&`)
    .replaceAll('@', '@\u{200B}')
    .replaceAll('://', ':\u{200B}//')
    .replaceAll(/www\./gi, '$&\u{200B}');
