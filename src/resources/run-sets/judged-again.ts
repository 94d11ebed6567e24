import type { EvalRow } from '../runs/compare-side.ts';

/**
 * Returns the ids of the definitions by which some verdicts were given again on the same input and others not: to judge again what has
 * failed, until it passes, would decide nothing. Those of which all were judged again afterwards are not among them.
 */
export const judgedAgainInPart = (evals: readonly EvalRow[], leftOut: ReadonlySet<string>): string[] =>
  [
    ...Map.groupBy(
      evals.filter(({ definitionId }) => !leftOut.has(definitionId)),
      ({ definitionId }) => definitionId,
    ),
  ].flatMap(([id, ofDefinition]) => (isInPart(ofDefinition) ? [id] : []));

function isInPart(evals: readonly EvalRow[]): boolean {
  const replaced = evals.flatMap(({ replacedAt }) => replacedAt ?? []);
  const latest = replaced.reduce((a, b) => Math.max(a, b), 0);
  return replaced.length > 0 && evals.some(({ at = 0, attempts = 1 }) => attempts === 1 || at <= latest);
}
