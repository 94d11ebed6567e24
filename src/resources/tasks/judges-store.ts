import { inputOf } from '../../tests/input-of.ts';
import { WINDOW_MS } from '../../evaluate/quality-metrics.ts';
import { percent } from '../../evaluate/statistics/settled.ts';
import type { Database } from '../../storage/database.ts';
import { byIndex, inTimeAtEach, orderedJoin, valuesOf } from '../../storage/dialect.ts';
import { correctedRateOfSums, type JudgedSumsRow, judgedSums } from '../definitions/corrected-store.ts';
import { definitions } from '../definitions/record.ts';
import { judgeStandings } from '../definitions/standing.ts';
import type { TaskJudge } from './metrics-contract.ts';

const named = definitions.pick('id', 'name', 'type');

/** Completed evals of the tests of a task that count for its metrics. */
const EVALS = `FROM test ${orderedJoin} eval ${byIndex('eval_by_test')} ON eval.application = :application AND eval.test_id = test.id AND superseded = 0
    AND eval.status = 'COMPLETED'
  WHERE test.application = :application AND test.task_id = :taskId AND test.created_at > :after
    AND test.run_type IN ('MANUAL', 'SCHEDULED') AND test.status = 'COMPLETED' AND ${inTimeAtEach('test.id')}`;

/**
 * Returns the definitions that use a judge model and judged the tests that count for the metrics of a task as of `at`, by
 * their ids; null without any. Call it in a reader only.
 */
export function judgesOfTask(
  database: Database,
  { application, taskId, at }: { application: number; taskId: string; at: number },
): TaskJudge[] | null {
  const ofTask = { application, taskId, after: at - WINDOW_MS };
  const sums = database.all<{ id: string; passed: number; total: number }>(
    `SELECT definition_id AS id, sum(passed) AS passed, count(*) AS total ${EVALS} GROUP BY definition_id ORDER BY definition_id`,
    ofTask,
  );
  const { advisory, gated } = judgeStandings(database, {
    application,
    ids: sums.map(({ id }) => id),
    now: at,
  });
  const judges = sums.filter(({ id }) => advisory.has(id) || gated.has(id));
  if (judges.length === 0) return null;
  const names = named.byIds(
    database,
    application,
    judges.map(({ id }) => id),
  );
  const corrected = gated.size === 0 ? new Map<string, JudgedSumsRow>() : judgedRows(database, ofTask, gated);
  return judges.flatMap(({ id, passed, total }) => {
    const definition = names.get(id);
    const row = corrected.get(id);
    if (!definition) return [];
    return {
      ...definition,
      isAdvisory: advisory.has(id),
      passed,
      total,
      passRate: percent(passed / total),
      correctedPassRate: row ? correctedRateOfSums(gated.get(id), row) : null,
    };
  });
}

function judgedRows(
  database: Database,
  ofTask: { application: number; taskId: string; after: number },
  gated: ReadonlyMap<string, unknown>,
): Map<string, JudgedSumsRow> {
  const source = `(SELECT definition_id AS definition, test.task_id, ${inputOf('test')} AS example_id, passed,
      definition_version AS version,
      judge_version AS judge ${EVALS} AND definition_id IN ${valuesOf(':gated')})`;
  const rows = database.all<JudgedSumsRow & { definition: string }>(judgedSums(source, ['definition']), {
    ...ofTask,
    gated: JSON.stringify([...gated.keys()]),
  });
  return new Map(rows.map((row) => [row.definition, row]));
}
