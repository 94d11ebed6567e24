import type { RunComparison } from '../../api/generated/schema.ts';

type Candidate = RunComparison['candidates'][number];
type Shared = Pick<Candidate, 'unpaired'>;
type Estimate = Pick<NonNullable<Candidate['difference']>, 'low' | 'high'>;

/** Reports whether a run is certainly worse. */
export const lossOf = ({ difference }: { difference: Estimate | null }): boolean =>
  difference !== null && difference.high < 0;

/** Says in a sentence whether a run is better than another, as far as their tests show it. */
export function differenceText(
  { difference, unpaired }: { difference: Estimate | null } & Shared,
  other: string,
): string {
  if (difference === null) return `${whyIncomparable(unpaired)}: they cannot be compared.`;
  const { low, high } = difference;
  if (low > 0) return `Better than ${other}, by ${round(low)} to ${points(high)}.`;
  if (high < 0) return `Worse than ${other}, by ${round(high)} to ${points(low)}.`;
  const doubts = [
    ...(low < 0 ? [`a loss of up to ${points(low)}`] : []),
    ...(high > 0 ? [`a gain of up to ${points(high)}`] : []),
  ];
  const verb = doubts.length === 1 ? 'is' : 'are';
  const rest = doubts.length === 0 ? '' : `; ${doubts.join(' and ')} ${verb} not ruled out`;
  return `No difference detected${rest}.`;
}

function whyIncomparable(unpaired: Shared['unpaired']): string {
  const shared = unpaired.filter(({ reason }) => !reason.startsWith('NOT_IN_'));
  if (shared.length === 0) return 'The runs share no example';
  return shared.some(({ reason }) => reason === 'JUDGED_OTHERWISE')
    ? 'The runs share examples, but with another expected output, evaluator version or judge version'
    : 'The runs share examples, but none of them has a verdict in both';
}

const round = (value: number): string => String(Math.round(Math.abs(value) * 10) / 10);
const points = (value: number): string => `${round(value)} ${round(value) === '1' ? 'point' : 'points'}`;

/** Shows a p value. */
export const pText = (p: number): string => (p < 0.001 ? 'p < 0.001' : `p ${p.toFixed(3)}`);
