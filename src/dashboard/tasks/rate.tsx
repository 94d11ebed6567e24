import type { ReactNode } from 'react';
import { type Interval, shareInterval } from '../format/interval.ts';
import { formatPercent } from '../format/number.ts';
import { DASH } from '../ui/cells.tsx';
import { IntervalBar } from '../ui/interval-bar.tsx';

/** Shows a pass rate with its interval in one line. */
export function RateLine({ of }: { of: { share: number; interval: Interval } | undefined }): ReactNode {
  if (of === undefined) return DASH;
  return (
    <span className="flex items-center gap-2.5 pr-2">
      <span className="w-10 shrink-0 text-right">{formatPercent(of.share)}</span>
      <span className="min-w-0 grow">
        <IntervalBar {...of} />
      </span>
    </span>
  );
}

interface Rated {
  passRate: number | null;
  passRateInterval: Interval | null;
}

/** Returns the pass rate of a task, from 0 to 1; undefined while no test counts. */
export const rateOf = ({
  passRate,
  passRateInterval,
}: Rated): { share: number; interval: Interval } | undefined =>
  passRate === null || passRateInterval === null
    ? undefined
    : { share: passRate / 100, interval: shareInterval(passRateInterval) };
