import type { EvalRow } from '../runs/compare-side.ts';
import type { JudgedAgain } from './decision-contract.ts';

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

/**
 * Returns the definitions that judged tests again although nothing of their input had changed, and how often at most. Whoever judges
 * all tests until the result suits is entitled to the newest verdicts, but not to silence about the earlier ones.
 */
export function judgedAgainOf(
  evals: readonly EvalRow[],
  { names, leftOut }: { names: Readonly<Record<string, string>>; leftOut: ReadonlySet<string> },
): JudgedAgain[] {
  const again = evals.filter(
    ({ definitionId, replacedAt }) => typeof replacedAt === 'number' && !leftOut.has(definitionId),
  );
  return [...Map.groupBy(again, ({ definitionId }) => definitionId)]
    .map(([id, ofDefinition]) => ({
      id,
      name: names[id] ?? id,
      times: ofDefinition.reduce((most, { attempts = 1 }) => Math.max(most, attempts), 1),
    }))
    .toSorted((a, b) => a.id.localeCompare(b.id, 'en'));
}

/** Describes how often a definition judged. */
export const judgedAgainText = ({ name, times }: Pick<JudgedAgain, 'name' | 'times'>): string =>
  `${name} judged the same outputs again, ${times} times in all at most; only the newest verdicts count.`;
