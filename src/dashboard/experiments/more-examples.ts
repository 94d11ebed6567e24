import type { RunComparison } from '../../api/generated/schema.ts';

type Candidate = RunComparison['candidates'][number];

/** Loss that more examples should be able to show, in percentage points. */
export const WANTED_POINTS = 5;

/** Returns about how many more examples would show a loss of five points; null if these do. */
export function moreExamples({ difference, pairs }: Pick<Candidate, 'difference' | 'pairs'>): number | null {
  if (difference === null || pairs === 0 || difference.smallestLoss <= WANTED_POINTS) return null;
  const needed = pairs * (difference.smallestLoss / WANTED_POINTS) ** 2;
  return roundUp(needed - pairs);
}

const roundUp = (count: number): number => {
  const step = count > 100 ? 50 : 10;
  return Math.ceil(count / step) * step;
};
