import type { ReactNode } from 'react';
import type { Issue } from '../../api/generated/schema.ts';
import type { Interval } from '../format/interval.ts';
import { formatPercent, formatWhole } from '../format/number.ts';
import { DayColumns } from '../ui/day-columns.tsx';

type Frequency = Issue['frequency'];

interface RandomRate {
  share: number;
  interval: Interval;
  count: number;
  of: number;
  queueId: string | null;
}

/** Returns the rate of an issue in a random sample, from 0 to 1; undefined where the traces were chosen otherwise. */
export function randomRate({ kind, rate, low, high, of, count, queueId }: Frequency): RandomRate | undefined {
  if (kind !== 'RATE' || rate === null || low === null || high === null || of === null) return undefined;
  return { share: rate / 100, interval: { low: low / 100, high: high / 100 }, count, of, queueId };
}

/** Writes how often traces that were chosen by hand show an issue. They give no rate. */
export const seenText = (count: number): string =>
  count === 0 ? 'not seen yet' : count === 1 ? 'seen once' : `seen ${formatWhole(count)} times`;

/** Shows in a line how often an issue occurs. */
export function FrequencyLine({ frequency }: { frequency: Frequency }): ReactNode {
  const rate = randomRate(frequency);
  if (rate === undefined) return seenText(frequency.count);
  return (
    <span title={`${formatWhole(rate.count)} of a random sample of ${formatWhole(rate.of)}`}>
      <b className="font-semibold">{formatPercent(rate.share, 1)}</b>{' '}
      <span className="text-dim">
        {formatWhole(rate.count)} of {formatWhole(rate.of)} sampled
      </span>
    </span>
  );
}

/** Draws the number of linked traces of each of the last days. */
export const LinkedDays = ({
  issue: { daily },
  className,
}: {
  issue: Pick<Issue, 'daily'>;
  className: string;
}): ReactNode => {
  const total = daily.reduce((sum, { count }) => sum + count, 0);
  return (
    <DayColumns
      label={`Linked traces of the last ${daily.length} days: ${formatWhole(total)}`}
      days={daily.map(({ date, count }) => ({
        day: date,
        value: count,
        title: `${formatWhole(count)} ${count === 1 ? 'trace' : 'traces'}`,
      }))}
      className={className}
    />
  );
};
