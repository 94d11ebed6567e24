/** Facts by which a test to compare with is chosen. */
interface Candidate {
  id: string;
  createdAt: string;
  exampleIndex: number | null;
  /** Null when nothing counts. */
  result: { passed: number; total: number } | null;
}

export const isPassing = ({ result }: Pick<Candidate, 'result'>): boolean =>
  result !== null && result.total > 0 && result.passed === result.total;

/**
 * Chooses among tests of the same task, the newest first: the last one before it that passed, of the same example if there is
 * one; without a passing one, the last of all.
 */
export function choosePartner<T extends Candidate>(own: Candidate, tests: readonly T[]): T | undefined {
  const earlier = tests.filter(({ id, createdAt }) => id !== own.id && createdAt <= own.createdAt);
  const passing = earlier.filter(isPassing);
  const choices = passing.length > 0 ? passing : earlier;
  return choices.find(({ exampleIndex }) => exampleIndex === own.exampleIndex) ?? choices[0];
}
