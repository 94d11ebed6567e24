import { SUCCESS_RATE, WARNING_RATE } from '../../evaluate/statistics/levels.ts';
import { createdWithin, isOneOf, oneOfEach, type SqlFragment } from '../../storage/sql.ts';
import type { SeenBy } from '../../contract/reviewer.ts';
import { shownTo } from '../../traces/withheld/store.ts';
import type { Database } from '../../storage/database.ts';
import { testConditions } from '../../tests/filter-terms.ts';
import { storedOutcome } from '../../traces/filter/of-tests.ts';
import type { RequestedFilter } from '../../filter/query.ts';
import type { TestsQuery } from './contract.ts';

/** Filter of a list of tests; `q` as it was parsed. */
export type TestsFilter = Omit<TestsQuery, 'skip' | 'limit' | 'orderBy' | 'orderDir' | 'q'> & {
  q?: RequestedFilter | undefined;
  /** Caller, from whom verdicts may be withheld. */
  seenBy?: SeenBy | undefined;
};

/** Status of the pass rate of a test; null without a counted eval. */
const PASS_RATE_STATUS = `CASE WHEN counted_evals = 0 THEN NULL
  WHEN counted_passed > ${SUCCESS_RATE} * counted_evals THEN 'success'
  WHEN counted_passed > ${WARNING_RATE} * counted_evals THEN 'warning' ELSE 'error' END`;

/** Returns the conditions of a filter of tests. */
export function testsThat(database: Database, application: number, filter: TestsFilter): SqlFragment[] {
  const { taskId, runId, exampleId, status, phase, runType, experimentVariantId, evalDefinitionId } = filter;
  const { tagId, issueId, passRateStatuses, outcome, outcomeBasis, causeKey } = filter;
  const columns = { task_id: taskId, run_id: runId, example_id: exampleId, status, phase, run_type: runType };
  const where = oneOfEach({ ...columns, experiment_variant_id: experimentVariantId });
  if (evalDefinitionId) {
    const { sql, values } = isOneOf('definition_id', evalDefinitionId);
    where.push({
      sql: `id IN (SELECT test_id FROM eval WHERE application = ? AND superseded = 0 AND ${sql})`,
      values: [application, ...values],
    });
  }
  if (tagId) {
    const { sql, values } = isOneOf('tag_id', tagId);
    where.push({
      sql: `task_id IN (SELECT task_id FROM task_tag WHERE application = ? AND ${sql})`,
      values: [application, ...values],
    });
  }
  if (issueId) {
    const { sql, values } = isOneOf('issue_id', issueId);
    where.push({
      sql: `id IN (SELECT test_id FROM issue_link WHERE application = ? AND test_id IS NOT NULL AND ${sql})`,
      values: [application, ...values],
    });
  }
  const results = { outcome, basis: outcomeBasis, cause: causeKey };
  const shown = filter.seenBy ? shownTo(database, { application, ...filter.seenBy }) : null;
  const ofVerdicts = [outcome, outcomeBasis, causeKey, passRateStatuses, issueId];
  if (shown && ofVerdicts.some((values) => values !== undefined)) where.push(shown.test('test.id'));
  for (const [column, values] of Object.entries(results))
    if (values) where.push(isOneOf(storedOutcome(column), values));
  if (passRateStatuses) where.push(isOneOf(PASS_RATE_STATUS, passRateStatuses));
  if (filter.q)
    where.push(...testConditions({ database, application, at: filter.q.at, shown }, filter.q.terms));
  return [...where, ...createdWithin(filter)];
}
