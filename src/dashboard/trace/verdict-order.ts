import type { ListedEval } from '../../api/generated/schema.ts';

/** Returns verdicts with those first that matter most: failed ones before passed ones, blocking ones before others. */
export const byWeight = (evals: readonly ListedEval[]): ListedEval[] =>
  evals.toSorted((a, b) => weightOf(a) - weightOf(b));

const weightOf = ({ passed, definition }: ListedEval): number =>
  (passed === false ? 0 : passed === null ? 4 : 2) + (definition.isBlocking ? 0 : 1);
