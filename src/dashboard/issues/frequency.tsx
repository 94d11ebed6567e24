import type { ReactNode } from 'react';
import type { Issue } from '../../api/generated/schema.ts';
import { formatWhole } from '../format/number.ts';
import { DayColumns } from '../ui/day-columns.tsx';
import { randomRate, rateText } from './random-rate.ts';

/** Writes how often traces that were chosen by hand show an issue. They give no rate. */
export const seenText = (count: number): string =>
  count === 0 ? 'not seen yet' : count === 1 ? 'seen once' : `seen ${formatWhole(count)} times`;

/** Shows in a line how often an issue occurs. */
export function FrequencyLine({ frequency }: { frequency: Issue['frequency'] }): ReactNode {
  const rate = randomRate(frequency);
  if (rate === undefined) return seenText(frequency.count);
  return (
    <span title={`${formatWhole(rate.count)} of a random sample of ${formatWhole(rate.of)}`}>
      <b className="font-semibold">{rateText(rate)}</b>{' '}
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
