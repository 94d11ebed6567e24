import type { ReactNode } from 'react';
import type { Run } from '../../api/generated/schema.ts';
import { shareInterval } from '../format/interval.ts';
import { formatPercent, formatWhole } from '../format/number.ts';
import { IntervalBar } from '../ui/interval-bar.tsx';

const PARTS = [
  ['passed', 'passed', 'fill-pass'],
  ['failed', 'failed', 'fill-fail'],
  ['appError', 'app errors', 'fill-doubt'],
  ['noVerdict', 'no verdict', 'fill-bar'],
  ['notRun', 'not run', 'fill-line'],
  ['running', 'running', 'fill-accent'],
] as const;

type Outcomes = Run['outcomes'];

/** Number of tests that count: those that passed, failed, or ended with an error of the app. */
export const countedOf = ({ passed, failed, appError }: Outcomes): number => passed + failed + appError;

/** Returns the share of tests that passed, from 0 to 1; null when none counts. */
export const passedShare = (outcomes: Outcomes): number | null =>
  countedOf(outcomes) === 0 ? null : outcomes.passed / countedOf(outcomes);

/** Returns what became of tests in words, those of which there are some. */
const outcomeWords = (outcomes: Outcomes, without: readonly string[] = []): string =>
  PARTS.filter(([name]) => outcomes[name] > 0 && !without.includes(name))
    .map(
      ([name, word]) =>
        `${formatWhole(outcomes[name])} ${name === 'appError' && outcomes.appError === 1 ? 'app error' : word}`,
    )
    .join(' · ');

/** Shows what became of tests as a bar, and in words beside it. */
export function OutcomeBar({
  outcomes,
  isBrief = false,
}: {
  outcomes: Outcomes;
  isBrief?: boolean;
}): ReactNode {
  const total = PARTS.reduce((sum, [name]) => sum + outcomes[name], 0);
  const widthOf = (count: number): number => (total === 0 ? 0 : (count / total) * 100);
  return (
    <div className={isBrief ? 'flex items-center gap-2' : 'grid gap-1'}>
      <svg
        viewBox="0 0 100 8"
        preserveAspectRatio="none"
        aria-hidden="true"
        className={isBrief ? 'h-2 w-24 shrink-0' : 'h-2.5 w-full'}
      >
        {PARTS.map(([name, , colour], index) => (
          <rect
            key={name}
            x={widthOf(PARTS.slice(0, index).reduce((sum, [other]) => sum + outcomes[other], 0))}
            width={widthOf(outcomes[name])}
            height="8"
            className={colour}
          />
        ))}
      </svg>
      <span className="truncate text-dim">{total === 0 ? 'no tests' : outcomeWords(outcomes)}</span>
    </div>
  );
}

interface HeadlineProps {
  run: Run;
  /** Another run, drawn faintly below. */
  before: Run | undefined;
  children: ReactNode;
}

/** The share of tests that passed, with its interval, and what it means. */
export function Headline({ run, before, children }: HeadlineProps): ReactNode {
  const { outcomes, outcomeInterval, result } = run;
  const share = passedShare(outcomes);
  const counted = countedOf(outcomes);
  const others = outcomeWords(outcomes, ['passed']);
  const shareBefore = before && passedShare(before.outcomes);
  const earlier =
    before?.outcomeInterval && shareBefore != null
      ? { share: shareBefore, interval: shareInterval(before.outcomeInterval) }
      : undefined;
  const verdicts =
    result.passRate === null
      ? undefined
      : `${formatPercent(result.passRate / 100)} of the verdicts of a test passed on average`;
  if (share === null || outcomeInterval === null)
    return (
      <div className="grid content-start gap-1">
        <p className="text-reading font-semibold">No test has a result yet</p>
        <p className="text-dim">{outcomeWords(outcomes) || 'The run has no tests.'}</p>
      </div>
    );
  const interval = shareInterval(outcomeInterval);
  return (
    <div className="grid content-start gap-1">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="text-headline font-semibold" title={verdicts}>
          {formatPercent(share)}
        </span>
        <span className="text-dim">
          {formatWhole(outcomes.passed)} of {formatWhole(counted)} passed
          {outcomes.running > 0 && ' so far'}
          {others !== '' && ` · ${others}`}
        </span>
      </p>
      <div className="px-1">
        <IntervalBar share={share} interval={interval} before={earlier} />
      </div>
      <p className="text-label text-dim">
        95 % interval {formatPercent(interval.low)} to {formatPercent(interval.high)}
      </p>
      {children}
    </div>
  );
}
