import { comparisonWith } from './test-comparison.ts';
import type { CorrectedDefinition } from './test-report.ts';
import type { TestOptions } from './test-options.ts';
import type { Server, StartedRun } from './test-runs.ts';

/** Returns the corrected pass rates of runs, of the definitions that have one. */
export async function correctedOf(
  server: Server,
  runs: readonly StartedRun[],
  { question, withAdvisory }: Pick<TestOptions, 'question' | 'withAdvisory'>,
): Promise<CorrectedDefinition[]> {
  const baseline = runs.map(({ runId }) => runId);
  const { candidates } = await comparisonWith(server, runs, { baseline, question, withAdvisory });
  return (candidates[0]?.definitions ?? []).flatMap(({ name, candidate, correctedCandidate: corrected }) =>
    corrected ? [{ name, rate: candidate, corrected }] : [],
  );
}
