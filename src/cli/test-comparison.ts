import type { RunComparison, TaskDifference } from '../resources/runs/compare-contract.ts';
import { printable } from './server-trouble.ts';
import { patiently } from './test-calls.ts';
import type { TestOptions } from './test-options.ts';
import type { ServerAccess, TriggeredRun } from './test-runs.ts';
import { percentText } from './test-text.ts';

/** Most tasks that are listed as better, and most that are listed as worse. */
const MAX_TASKS = 5;

/** Compares the runs with those of the baseline. Throws StartupError. */
export async function comparisonWith(
  server: ServerAccess,
  runs: readonly TriggeredRun[],
  { baseline, question, withAdvisory }: Pick<TestOptions, 'baseline' | 'question' | 'withAdvisory'>,
): Promise<RunComparison> {
  const body = {
    baseline: { runIds: [...baseline] },
    candidates: [{ runIds: runs.map(({ runId }) => runId) }],
    question,
    withAdvisory,
  };
  const { data } = await patiently(server.url, server, (init) =>
    server.api.POST('/v0/runs/compare', { body, ...init }),
  );
  return data;
}

/** Formats the comparison of one candidate. */
export function comparisonText({ confidence, baseline, candidates }: RunComparison): string {
  const [candidate] = candidates;
  const difference = candidate?.difference;
  if (!candidate || !difference)
    return [
      '',
      'Compared with the baseline: no task and input example was tested on both sides.',
      ...deletedLine(baseline.tracesDeleted, 'the baseline'),
      ...deletedLine(candidate?.tracesDeleted ?? 0, 'these runs'),
      '',
    ].join('\n');
  const { estimate, low, high, adjustedPValue, reason } = difference;
  const isClear = adjustedPValue < 1 - confidence;
  const meaning = isClear ? (estimate > 0 ? 'better' : 'worse') : 'no clear difference';
  const { pairs, onlyInBaseline, onlyInCandidate, tasks } = candidate;
  return [
    '',
    `Compared with the baseline: ${meaning}.`,
    `  ${percentText(difference.baseline)} became ${percentText(difference.candidate)}: ${points(estimate)} (${100 * confidence} % interval ${points(low)} to ${points(high)}), p = ${adjustedPValue.toPrecision(2)}`,
    `  over ${pairs} tasks and input examples; ${onlyInBaseline} only in the baseline, ${onlyInCandidate} only in these runs. ${printable(reason)}`,
    ...deletedLine(baseline.tracesDeleted, 'the baseline'),
    ...deletedLine(candidate.tracesDeleted, 'these runs'),
    ...tasks.mostWorsened.slice(0, MAX_TASKS).map((task) => taskLine('worse', task)),
    ...tasks.mostImproved.slice(0, MAX_TASKS).map((task) => taskLine('better', task)),
    '',
  ].join('\n');
}

const deletedLine = (tests: number, side: string): string[] =>
  tests === 0
    ? []
    : [`  left out: ${tests} of the tests of ${side}, whose traces were deleted before they were judged`];

const taskLine = (what: string, { title, baseline, candidate }: TaskDifference): string =>
  `  ${what}: ${printable(title)}, ${percentText(baseline)} became ${percentText(candidate)}`;

/** Formats percentage points with their sign. */
export const points = (value: number): string =>
  `${value > 0 ? '+' : ''}${Math.round(value * 10) / 10} points`;
