import { JUDGED_TYPES } from '../contract/judged-types.ts';
import type { Advisory, AdvisoryDefinition, ReportedEval } from '../resources/run-sets/report.ts';
import { evalsOfRuns, type ServerAccess, type StartedRunOfTests } from './test-runs.ts';
import { patiently } from './test-calls.ts';

/** Most evals by judge models that are read. */
const MAX_EVALS = 100_000;

/** Advisory verdicts of runs. */
export interface AdvisoryOfRuns extends Advisory {
  /** True if a judge with a valid gate gave verdicts. */
  hasGated: boolean;
}

/** Returns the advisory definitions of runs, and what they count in the results of tests. */
export async function advisoryOf(
  server: ServerAccess,
  runs: readonly StartedRunOfTests[],
): Promise<AdvisoryOfRuns> {
  const evals = await evalsOfRuns(server, runs, { type: [...JUDGED_TYPES] }, MAX_EVALS);
  const byId = new Map(evals.map(({ definition }) => [definition.id, definition]));
  const definitions: AdvisoryDefinition[] = [];
  const otherJudges = await definitionsWithOtherJudge(server, runs);
  for (const { id, name } of byId.values()) {
    const { isAdvisory, gate } = await reliabilityOf(server, id);
    if (isAdvisory) definitions.push({ id, name, reason: gate?.reason ?? null });
    else if (otherJudges.has(id)) definitions.push({ id, name, reason: OTHER_JUDGE });
  }
  const ids = new Set(definitions.map(({ id }) => id));
  const counts = countsOf(evals.filter(({ definition }) => ids.has(definition.id)));
  return { definitions, counts, hasGated: definitions.length < byId.size };
}

const OTHER_JUDGE =
  'another judge gave some of its verdicts than the one that people were compared with, such as another model behind the same name';

/** Returns the ids of the definitions some of whose verdicts another judge gave than the one with the valid gate. */
async function definitionsWithOtherJudge(
  { api, url, ...call }: ServerAccess,
  runs: readonly StartedRunOfTests[],
): Promise<Set<string>> {
  const found = new Set<string>();
  for (const { runId } of runs) {
    const params = { path: { id: runId } };
    const { run } = await patiently(url, call, (init) => api.GET('/v0/runs/{id}', { params, ...init }));
    for (const id of run.otherJudges ?? []) found.add(id);
  }
  return found;
}

async function reliabilityOf({ api, url, ...call }: ServerAccess, id: string) {
  const params = { path: { id } };
  const { data } = await patiently(url, call, (init) =>
    api.GET('/v0/definitions/{id}/reliability', { params, ...init }),
  );
  return data;
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
