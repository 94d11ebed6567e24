import { comparisonWith } from './test-comparison.ts';
import type { CorrectedDefinition, CorrectedRates } from '../resources/run-sets/report.ts';
import type { TestOptions } from './test-options.ts';
import { patiently } from './test-calls.ts';
import type { ServerAccess, StartedRunOfTests } from './test-runs.ts';

const RUNS_AT_ONCE = 8;

/** Returns the corrected pass rates of runs, of the definitions that have one. */
export async function correctedOf(
  server: ServerAccess,
  runs: readonly StartedRunOfTests[],
  options: Pick<TestOptions, 'question' | 'equalTasks' | 'withAdvisory'>,
): Promise<CorrectedRates> {
  const all = await correctedOfAll(server, runs, options);
  return { all, byTask: all.length === 0 ? new Map() : await correctedByTask(server, runs) };
}

async function correctedByTask(
  { api, url, ...call }: ServerAccess,
  runs: readonly StartedRunOfTests[],
): Promise<CorrectedRates['byTask']> {
  const found = new Map<string, CorrectedDefinition[]>();
  for (let i = 0; i < runs.length; i += RUNS_AT_ONCE)
    await Promise.all(
      runs.slice(i, i + RUNS_AT_ONCE).map(async ({ runId }) => {
        const params = { path: { id: runId } };
        const { run } = await patiently(url, call, (init) => api.GET('/v0/runs/{id}', { params, ...init }));
        const ofRun = run.evals.flatMap(({ name, passRate, correctedPassRate: corrected }) =>
          corrected && passRate !== null ? [{ name, rate: passRate, corrected }] : [],
        );
        found.set(run.taskId, ofRun);
      }),
    );
  return found;
}

async function correctedOfAll(
  server: ServerAccess,
  runs: readonly StartedRunOfTests[],
  { question, equalTasks, withAdvisory }: Pick<TestOptions, 'question' | 'equalTasks' | 'withAdvisory'>,
): Promise<CorrectedDefinition[]> {
  const baseline = runs.map(({ runId }) => runId);
  const { candidates } = await comparisonWith(server, runs, { baseline, question, equalTasks, withAdvisory });
  return (candidates[0]?.definitions ?? []).flatMap(({ name, candidate, correctedCandidate: corrected }) =>
    corrected ? [{ name, rate: candidate, corrected }] : [],
  );
}
