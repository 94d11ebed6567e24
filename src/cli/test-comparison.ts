import type { RunComparison, TaskDifference } from '../resources/runs/compare-contract.ts';
import { printable } from './server-trouble.ts';
import { patiently } from './test-calls.ts';
import type { TestOptions } from './test-options.ts';
import type { ServerAccess, StartedRunOfTests } from './test-runs.ts';
import { truncateLine } from './terminal-text.ts';
import { percentText, pointsText } from '../evaluate/statistics/percent-text.ts';

/** Most tasks that are listed as better, and most that are listed as worse. */
const MAX_TASKS = 5;
/** Most combinations without a partner that are listed. */
const MAX_UNPAIRED = 10;
const MAX_PROMPT = 60;

/** Compares the runs with those of the baseline. Throws StartupError. */
export async function comparisonWith(
  server: ServerAccess,
  runs: readonly StartedRunOfTests[],
  {
    baseline,
    question,
    equalTasks,
    withAdvisory,
  }: Pick<TestOptions, 'question' | 'equalTasks' | 'withAdvisory'> & { baseline: readonly string[] },
): Promise<RunComparison> {
  const body = {
    baseline: { runIds: [...baseline] },
    candidates: [{ runIds: runs.map(({ runId }) => runId) }],
    question,
    equalTasks,
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
      'Compared with the baseline: no task and input was judged by the same on both sides.',
      ...(candidate ? unpairedLines(candidate) : []),
      ...deletedLine(baseline.tracesDeleted, 'the baseline'),
      ...deletedLine(candidate?.tracesDeleted ?? 0, 'these runs'),
      '',
    ].join('\n');
  const { estimate, low, high, adjustedPValue, reason } = difference;
  const isClear = adjustedPValue < 1 - confidence;
  const meaning = isClear ? (estimate > 0 ? 'better' : 'worse') : 'no clear difference';
  const { pairs, onlyInBaseline, onlyInCandidate, judgedOtherwise, tasks } = candidate;
  return [
    '',
    `Compared with the baseline: ${meaning}.`,
    `  ${percentText(difference.baseline)} became ${percentText(difference.candidate)}: ${pointsText(estimate)} (${100 * confidence} % interval ${pointsText(low)} to ${pointsText(high)}), p = ${adjustedPValue.toPrecision(2)}`,
    `  over ${pairs} tasks and inputs; ${onlyInBaseline} only in the baseline, ${onlyInCandidate} only in these runs${judgedOtherwise === 0 ? '' : `, ${judgedOtherwise} judged by something else`}. ${printable(reason)}`,
    ...unpairedLines(candidate),
    ...deletedLine(baseline.tracesDeleted, 'the baseline'),
    ...deletedLine(candidate.tracesDeleted, 'these runs'),
    ...tasks.mostWorsened.slice(0, MAX_TASKS).map((task) => taskLine('worse', task)),
    ...tasks.mostImproved.slice(0, MAX_TASKS).map((task) => taskLine('better', task)),
    '',
  ].join('\n');
}

type Candidate = RunComparison['candidates'][number];

const UNPAIRED_TEXTS: Readonly<Record<Candidate['unpaired'][number]['reason'], string>> = {
  NOT_IN_BASELINE: 'not tested in the baseline',
  NOT_IN_CANDIDATE: 'not tested in these runs',
  DOES_NOT_COUNT_IN_BASELINE: 'without a verdict in the baseline',
  DOES_NOT_COUNT_IN_CANDIDATE: 'without a verdict in these runs',
  DOES_NOT_COUNT: 'without a verdict on both sides',
  JUDGED_OTHERWISE: 'judged by another expected value, definition version or judge version',
};

/** Lists what has no partner, with the reason. */
function unpairedLines({ unpaired }: Candidate): string[] {
  const lines = unpaired
    .slice(0, MAX_UNPAIRED)
    .map(
      ({ prompt, reason }) =>
        `  not compared: ${truncateLine(prompt, MAX_PROMPT)} (${UNPAIRED_TEXTS[reason]})`,
    );
  const more = unpaired.length - lines.length;
  return more > 0 ? [...lines, `  not compared: ${more} more`] : lines;
}

const deletedLine = (tests: number, side: string): string[] =>
  tests === 0
    ? []
    : [`  left out: ${tests} of the tests of ${side}, whose traces were deleted before they were judged`];

const taskLine = (what: string, { title, baseline, candidate }: TaskDifference): string =>
  `  ${what}: ${printable(title)}, ${percentText(baseline)} became ${percentText(candidate)}`;
