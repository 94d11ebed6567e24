import { JUDGED_TYPES } from '../../contract/judged-types.ts';
import type { Database } from '../../storage/database.ts';
import { valuesOf } from '../../storage/dialect.ts';
import { parseId } from '../../traces/ids.ts';
import { VIA_DELIVERY } from '../../traces/rollup.ts';
import { tracesOfTest } from '../../traces/traces-of-test.ts';
import type { Failure } from '../failures.ts';
import { inputOf } from '../input-of.ts';
import { isOver, type TestStatus } from '../states.ts';
import { type EndedOutcome, decideOutcome, type TestOutcome } from './outcome.ts';

interface OfTest {
  application: number;
  testId: string;
}

/** Condition that a definition is blocking; `type` and `id` are SQL. */
const isBlocking = (type: string, id: string): string =>
  `(${type} NOT IN (${JUDGED_TYPES.map((name) => `'${name}'`).join(', ')})
    OR EXISTS (SELECT 1 FROM verified_judge AS verified
      WHERE verified.application = :application AND verified.definition_id = ${id}))`;

interface VerdictRow {
  definitionId: string;
  definitionType: string;
  isBlocking: number;
  status: string;
  passed: number | null;
  results: string | null;
}

/** Computes the outcome of a test that has ended from its row and its evals; null for others. */
export function computeOutcome(database: Database, { application, testId }: OfTest): EndedOutcome | null {
  const test = database.get<{ status: TestStatus; failure: string | null }>(
    'SELECT status, failure FROM test WHERE application = :application AND id = :testId',
    { application, testId },
  );
  if (!test || !isOver(test)) return null;
  const verdicts = database.all<VerdictRow>(
    `SELECT eval.definition_id AS "definitionId", definition_type AS "definitionType", eval.status, passed,
       ${isBlocking('definition_type', 'eval.definition_id')} AS "isBlocking",
       CASE WHEN passed = 0 AND definition_type IN ('ASSERT', 'FACT') THEN results END AS results
     FROM eval LEFT JOIN definition ON definition.application = eval.application AND definition.id = eval.definition_id
     WHERE eval.application = :application AND test_id = :testId AND superseded = 0
     ORDER BY definition.created_at, eval.definition_id`,
    { application, testId },
  );
  return decideOutcome({
    status: test.status,
    failure: test.failure === null ? null : (JSON.parse(test.failure) as Failure),
    verdicts: verdicts.map(({ results, passed, isBlocking: blocks, ...verdict }) => ({
      ...verdict,
      isBlocking: blocks === 1,
      passed: passed === null ? null : passed === 1,
      results: results === null ? null : (JSON.parse(results) as unknown),
    })),
  });
}

/**
 * Stores the outcome of a test, with what lists of results read about it. A test that has not ended has none. It must be called in the
 * command that changes the test or its evals.
 */
export function saveOutcome(database: Database, { application, testId }: OfTest): void {
  const outcome = computeOutcome(database, { application, testId });
  const args = { application, testId };
  database.run('DELETE FROM test_result WHERE application = :application AND test_id = :testId', args);
  if (outcome !== null) insertOutcome(database, args, outcome);
  database.run(
    `UPDATE run SET results_version = results_version + 1 WHERE application = :application
       AND id = (SELECT run_id FROM test WHERE application = :application AND id = :testId)`,
    args,
  );
}

function insertOutcome(
  database: Database,
  { application, testId }: OfTest,
  { outcome, basis, causeKey }: EndedOutcome,
): void {
  database.run(
    `INSERT INTO test_result (application, run_id, test_id, task_id, example_id, input, example_index, outcome, basis, cause,
       duration_ms, cost, tokens)
     SELECT test.application, run_id, id, task_id, example_id, ${resultInput('test')}, example_index, :outcome, :basis, :causeKey,
       made.duration_ms, made.cost, made.tokens
     FROM test, (
       SELECT (max(end_ns) - min(start_ns)) / 1000000 AS duration_ms, sum(cost) AS cost, sum(total_tokens) AS tokens
       FROM ${tracesOfTest(':bytes')} AND via < ${VIA_DELIVERY}) AS made
     WHERE test.application = :application AND test.id = :testId`,
    { application, testId, outcome, basis, causeKey, bytes: parseId(testId) },
  );
}

/** Returns SQL for the input by which results of tests are paired. An erased test is paired with none. */
export const resultInput = (table: string): string =>
  `CASE WHEN ${table}.prompt = '[erased]' THEN ${table}.id ELSE ${inputOf(table)} END`;

/** Deletes the outcomes of tests that are deleted. */
export function removeOutcomes(
  database: Database,
  { application, testIds }: { application: number; testIds: readonly string[] },
): void {
  database.run(
    `DELETE FROM test_result WHERE application = :application AND test_id IN ${valuesOf(':ids')}`,
    { application, ids: JSON.stringify(testIds) },
  );
}

export interface StoredOutcome {
  outcome: TestOutcome;
  outcomeBasis: EndedOutcome['basis'];
  causeKey: string | null;
}

const RUNNING: StoredOutcome = { outcome: 'RUNNING', outcomeBasis: null, causeKey: null };

/** Returns the outcomes of tests, by their ids. Those that the upgrade of a store has not reached yet are computed. */
export function outcomesOfTests(
  database: Database,
  application: number,
  tests: readonly { id: string; status: TestStatus }[],
): Map<string, StoredOutcome> {
  const rows = database.all<StoredOutcome & { id: string }>(
    `SELECT test_id AS id, outcome, basis AS "outcomeBasis", cause AS "causeKey" FROM test_result
     WHERE application = :application AND test_id IN ${valuesOf(':ids')}`,
    { application, ids: JSON.stringify(tests.map(({ id }) => id)) },
  );
  const stored = new Map(rows.map(({ id, ...outcome }) => [id, outcome]));
  return new Map(
    tests.map((test) => {
      if (!isOver(test)) return [test.id, RUNNING];
      const found = stored.get(test.id);
      if (found) return [test.id, found];
      const made = computeOutcome(database, { application, testId: test.id });
      return [
        test.id,
        made ? { outcome: made.outcome, outcomeBasis: made.basis, causeKey: made.causeKey } : RUNNING,
      ];
    }),
  );
}
