import type { Database } from '../storage/sqlite/database.ts';
import { percent, settled } from './statistics/settled.ts';

/** What came out of tests that are over. */
export interface Result {
  /** Evals of these tests. One that failed by the app's fault counts as one eval that failed. */
  passed: number;
  failed: number;
  total: number;
  /** The mean over tests of the share of evals that passed, in percent; null when nothing counts. */
  passRate: number | null;
  /** Of the normalised scores, 0 to 1. */
  averageScore: number | null;
}

/** What one definition says of them. */
export interface DefinitionResult extends Result {
  /** Of the definition. */
  id: string;
  name: string;
  type: string;
}

/** What holds tests together: the column of `test` with its id. */
export type TestGroup = 'id' | 'run_id' | 'experiment_variant_id';

interface Groups {
  application: number;
  by: TestGroup;
  ids: readonly string[];
}

/** The result of each group of tests, also of those that have none. */
export function resultsOf(database: Database, groups: Groups): Map<string, Result> {
  const { application, by, ids } = groups;
  const rows = database.all<Sums & { id: string }>(
    `SELECT value AS id, sum(counted_passed) AS passed, sum(counted_evals) AS total,
       avg(counted_passed * 1.0 / counted_evals) AS rate,
       (SELECT avg(normalised) FROM test CROSS JOIN ${CURRENT_EVALS}
        WHERE test.application = ?1 AND test.${by} = value AND test.status = 'COMPLETED') AS score
     FROM json_each(?2) CROSS JOIN test ON test.application = ?1 AND test.${by} = value
     WHERE counted_evals > 0 GROUP BY value`,
    application,
    JSON.stringify(ids),
  );
  const results = new Map(rows.map((row) => [row.id, resultOf(row)]));
  return new Map(ids.map((id) => [id, results.get(id) ?? NO_RESULT]));
}

/** What each definition says of each group of tests. */
export function definitionResultsOf(
  database: Database,
  { application, by, ids }: Groups,
): Map<string, DefinitionResult[]> {
  const rows = database.all<Sums & { of: string; id: string; name: string; type: string }>(
    `SELECT sums.*, name, type FROM (
       SELECT value AS "of", definition_id AS id, sum(passed) AS passed, count(*) AS total, avg(passed) AS rate,
         avg(normalised) AS score
       FROM json_each(?2) CROSS JOIN test ON test.application = ?1 AND test.${by} = value CROSS JOIN ${CURRENT_EVALS}
       WHERE test.status = 'COMPLETED' GROUP BY value, definition_id) AS sums
     CROSS JOIN definition USING (id) WHERE application = ?1 ORDER BY id`,
    application,
    JSON.stringify(ids),
  );
  const results = new Map<string, DefinitionResult[]>(ids.map((id) => [id, []]));
  for (const { of, id, name, type, ...sums } of rows)
    results.get(of)?.push({ id, name, type, ...resultOf(sums) });
  return results;
}

/** The result of the tests of one variant of an experiment. */
export function variantResult(database: Database, application: number, variantId: string): Result {
  const results = resultsOf(database, { application, by: 'experiment_variant_id', ids: [variantId] });
  return results.get(variantId) ?? NO_RESULT;
}

const CURRENT_EVALS = `eval ON eval.application = ?1 AND eval.test_id = test.id AND superseded = 0
  AND eval.status = 'COMPLETED'`;

export const NO_RESULT: Result = { passed: 0, failed: 0, total: 0, passRate: null, averageScore: null };

interface Sums {
  passed: number;
  total: number;
  /** 0 to 1. */
  rate: number;
  score: number | null;
}

const resultOf = ({ passed, total, rate, score }: Sums): Result => ({
  passed,
  failed: total - passed,
  total,
  passRate: percent(rate),
  averageScore: score === null ? null : settled(score),
});
