import type { RunComparison } from '../../api/generated/schema.ts';

type Candidate = RunComparison['candidates'][number];
type Estimate = Pick<NonNullable<Candidate['difference']>, 'estimate' | 'low' | 'high'>;

/** Says in a sentence whether a run is better than another, as far as their tests show it. */
export function differenceText({ difference }: { difference: Estimate | null }): string {
  if (difference === null)
    return 'The runs share no task and input that was judged by the same: they cannot be compared.';
  const { estimate, low, high } = difference;
  const interval = `95 % interval ${signed(low)} to ${signed(high)}`;
  if (low > 0) return `Better by ${points(estimate)} (${interval}).`;
  if (high < 0) return `Worse by ${points(estimate)} (${interval}).`;
  const doubts = [
    ...(low < 0 ? [`a loss of ${points(low)}`] : []),
    ...(high > 0 ? [`a gain of ${points(high)}`] : []),
  ];
  const verb = doubts.length === 1 ? 'is' : 'are';
  const rest = doubts.length === 0 ? '' : `; ${doubts.join(' and ')} ${verb} not ruled out`;
  return `No difference shown (estimate ${signed(estimate)})${rest}.`;
}

const round = (value: number): string => String(Math.round(Math.abs(value) * 10) / 10);
const points = (value: number): string => `${round(value)} ${round(value) === '1' ? 'point' : 'points'}`;
const signed = (value: number): string => `${value > 0 ? '+' : value < 0 ? '−' : ''}${round(value)}`;
