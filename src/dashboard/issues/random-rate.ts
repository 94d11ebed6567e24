import type { Issue } from '../../api/generated/schema.ts';
import type { Interval } from '../format/interval.ts';
import { formatPercent } from '../format/number.ts';

export interface RandomRate {
  share: number;
  interval: Interval;
  count: number;
  of: number;
  queueId: string | null;
}

/** Returns the rate of an issue in a random sample, from 0 to 1; undefined where the traces were chosen otherwise. */
export function randomRate({
  kind,
  rate,
  low,
  high,
  of,
  count,
  queueId,
}: Issue['frequency']): RandomRate | undefined {
  if (kind !== 'RATE' || rate === null || low === null || high === null || of === null) return undefined;
  return { share: rate / 100, interval: { low: low / 100, high: high / 100 }, count, of, queueId };
}

/** Writes the rate of a sample; of one without the issue, how high the rate may be, because "0 %" would say that there is none. */
export const rateText = ({ count, share, interval }: RandomRate): string =>
  count === 0 ? `at most ${formatPercent(interval.high, 1)}` : formatPercent(share, 1);
