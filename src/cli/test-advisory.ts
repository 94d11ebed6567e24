import { JUDGED_TYPES } from '../contract/judged-types.ts';
import type { Advisory, AdvisoryDefinition, ReportedEval } from '../resources/run-sets/report.ts';
import { evalsOfRuns, type ServerAccess, type StartedRunOfTests } from './test-runs.ts';

/** Most evals by judge models that are read. */
const MAX_EVALS = 100_000;

/** Advisory verdicts of runs. */
export interface AdvisoryOfRuns extends Advisory {
  /** True if a judge with a valid gate gave verdicts. */
  hasGated: boolean;
}

/**
 * Returns those of the advisory definitions that judged the tests of runs, and what they count in their results. `advisory` has those of
 * the decision: a gate counts as it was when the run set was started, whatever people have judged since.
 */
export async function advisoryOf(
  server: ServerAccess,
  runs: readonly StartedRunOfTests[],
  advisory: readonly AdvisoryDefinition[],
): Promise<AdvisoryOfRuns> {
  const evals = await evalsOfRuns(server, runs, { type: [...JUDGED_TYPES] }, MAX_EVALS);
  const judging = new Set(evals.map(({ definition }) => definition.id));
  const definitions = advisory.filter(({ id }) => judging.has(id));
  const ids = new Set(definitions.map(({ id }) => id));
  const counts = countsOf(evals.filter(({ definition }) => ids.has(definition.id)));
  return { definitions, counts, hasGated: definitions.length < judging.size };
}

function countsOf(evals: readonly ReportedEval[]): Advisory['counts'] {
  const counts = new Map<string, { passed: number; total: number }>();
  for (const { testId, status, passed } of evals) {
    if (testId === null || status !== 'COMPLETED') continue;
    const known = counts.get(testId) ?? { passed: 0, total: 0 };
    counts.set(testId, { passed: known.passed + Number(passed === true), total: known.total + 1 });
  }
  return counts;
}
