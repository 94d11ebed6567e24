import { AppError } from '../../errors.ts';
import type { SqlFragment } from '../../storage/sql.ts';
import type { Observation } from '../../evaluate/statistics/comparison.ts';
import type { Database } from '../../storage/database.ts';
import { inTimeAtEach, orderedJoin, unindexed, valuesOf } from '../../storage/dialect.ts';
import { type ComparedSide, type CompareBody, MAX_COMPARED_TESTS } from './compare-contract.ts';
import { definitions } from '../definitions/record.ts';
import { variants } from '../experiments/variant-record.ts';
import { runs } from '../../tests/record.ts';

/** Tests of one side. */
export interface SideTests {
  counted: Observation[];
  unfinished: number;
  errors: number;
  /** Observations by the id of the definition. */
  byDefinition: ReadonlyMap<string, Observation[]>;
}

/** Loads both sides. Throws `not_found` for a run, a variant or the definition, and `too_large`. */
export function loadSides(
  database: Database,
  application: number,
  { baseline, candidates, definitionId }: CompareBody,
): { baseline: SideTests; candidates: SideTests[] } {
  const sides = [baseline, ...candidates];
  runs.requireAll(
    database,
    application,
    sides.flatMap(({ runIds }) => runIds ?? []),
  );
  variants.requireAll(
    database,
    application,
    sides.map(({ variantId }) => variantId),
  );
  definitions.requireAll(database, application, [definitionId]);
  const tests = sides.reduce((sum, side) => sum + countTests(database, application, side), 0);
  if (tests > MAX_COMPARED_TESTS)
    throw new AppError('too_large', `At most ${MAX_COMPARED_TESTS} tests can be compared; got ${tests}`);
  const load = (side: ComparedSide): SideTests => loadSide(database, application, side, definitionId);
  return { baseline: load(baseline), candidates: candidates.map(load) };
}

const testsOf = (application: number, { runIds, variantId }: ComparedSide): SqlFragment =>
  runIds === undefined
    ? {
        sql: 'test.application = ? AND experiment_variant_id = ?',
        values: [application, variantId as string],
      }
    : {
        sql: `test.application = ? AND test.run_id IN ${valuesOf('?')}`,
        values: [application, JSON.stringify(runIds)],
      };

function countTests(database: Database, application: number, side: ComparedSide): number {
  const { sql, values } = testsOf(application, side);
  return database.get<{ n: number }>(`SELECT count(*) AS n FROM test WHERE ${sql}`, ...values)?.n ?? 0;
}

interface TestRow {
  id: string;
  taskId: string;
  exampleId: string | null;
  rate: number | null;
  hasError: number;
  isOver: number;
}
interface EvalRow {
  testId: string;
  definitionId: string;
  passed: number;
  normalised: number;
}

function loadSide(
  database: Database,
  application: number,
  side: ComparedSide,
  definitionId: string | undefined,
): SideTests {
  const { sql, values } = testsOf(application, side);
  // The plus keeps SQLite on the index of the side. A fixed order makes the bootstrap repeatable.
  const tests = database.all<TestRow>(
    `SELECT id, task_id AS taskId, example_id AS exampleId, has_error AS hasError,
       CASE WHEN counted_evals > 0 THEN counted_passed * 1.0 / counted_evals END AS rate,
       status IN ('COMPLETED', 'FAILED') AS isOver
     FROM test WHERE ${sql} ORDER BY ${unindexed('task_id')}, example_id, id`,
    ...values,
  );
  const evals = database.all<EvalRow>(
    `SELECT test_id AS testId, definition_id AS definitionId, passed, normalised
     FROM test ${orderedJoin} eval ON eval.application = ? AND eval.test_id = test.id AND superseded = 0
       AND eval.status = 'COMPLETED'
     WHERE ${sql} AND test.status = 'COMPLETED' AND ${inTimeAtEach('test.id')}
       ${definitionId === undefined ? '' : 'AND definition_id = ?'}
     ORDER BY definition_id, test_id`,
    application,
    ...values,
    ...(definitionId === undefined ? [] : [definitionId]),
  );
  const byDefinition = observationsByDefinition(tests, evals);
  return {
    counted: definitionId === undefined ? countedTests(tests, evals) : (byDefinition.get(definitionId) ?? []),
    unfinished: tests.filter(({ isOver }) => isOver === 0).length,
    errors: tests.filter(({ hasError }) => hasError === 1).length,
    byDefinition,
  };
}

function countedTests(tests: readonly TestRow[], evals: readonly EvalRow[]): Observation[] {
  const evalsOf = Map.groupBy(evals, ({ testId }) => testId);
  return tests.flatMap(({ id, taskId, exampleId, rate }) => {
    if (rate === null) return [];
    const scores = (evalsOf.get(id) ?? []).map(({ normalised }) => normalised);
    const sum = scores.reduce((total, score) => total + score, 0);
    return [{ taskId, exampleId, rate, score: scores.length === 0 ? null : sum / scores.length }];
  });
}

function observationsByDefinition(
  tests: readonly TestRow[],
  evals: readonly EvalRow[],
): Map<string, Observation[]> {
  const known = new Map(tests.map((test) => [test.id, test]));
  const byDefinition = Map.groupBy(evals, ({ definitionId }) => definitionId);
  const observations = new Map<string, Observation[]>();
  for (const [id, ofDefinition] of byDefinition)
    observations.set(
      id,
      ofDefinition.map(({ testId, passed, normalised }) => {
        const { taskId, exampleId } = known.get(testId) as TestRow;
        return { taskId, exampleId, rate: passed, score: normalised };
      }),
    );
  return observations;
}
