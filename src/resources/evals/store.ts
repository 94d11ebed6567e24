import type { ListOf } from '../../contract/paging.ts';
import { isOneOf, oneOfEach, type SqlFragment } from '../../storage/sql.ts';
import type { ById, Owner } from '../../contract/owner.ts';
import type { SeenBy } from '../../contract/reviewer.ts';
import { shownTo } from '../../traces/withheld/store.ts';
import type { Database } from '../../storage/database.ts';
import { evalsWithReferences, listedEvals, wholeEvals, withDefinitions } from './record.ts';
import { evalsOfTraces } from '../definitions/evals-of-traces.ts';
import type { EvalsQuery, Evaluation, ListedEval } from './contract.ts';
import { evalCosts } from './costs.ts';
import { listJudgeCalls } from './judge-calls.ts';
import { testsToEvaluate } from './tests-to-evaluate.ts';

function listEvals(
  database: Database,
  { owner, query, seenBy }: { owner: Owner; query: EvalsQuery; seenBy: SeenBy },
): ListOf<ListedEval> {
  const { application } = owner;
  const where = conditions(application, query);
  const shown = query.passed === undefined ? null : shownTo(database, { application, ...seenBy });
  if (shown) where.push(shown.trace('eval.trace_id'), shown.test('eval.test_id'));
  const { data, pagination } = listedEvals.list(database, owner, { where, page: query });
  return { data: withDefinitions(database, owner, data), pagination };
}

function conditions(application: number, filter: EvalsQuery): SqlFragment[] {
  const { superseded, status, type, passed, traceId, exampleId } = filter;
  const { taskId, testId, runId, evalDefinitionId } = filter;
  const where: SqlFragment[] = [{ sql: `superseded = ${Number(superseded)}`, values: [] }];
  where.push(...oneOfEach({ status, definition_type: type }));
  if (passed !== undefined) where.push({ sql: `passed = ${Number(passed)}`, values: [] });
  if (exampleId) {
    const { sql, values } = isOneOf('example_id', exampleId);
    where.push({
      sql: `test_id IN (SELECT id FROM test WHERE application = ? AND ${sql})`,
      values: [application, ...values],
    });
  }
  if (traceId) where.push(evalsOfTraces(application, traceId));
  // Few evals meet these conditions. A query of its own finds each by its index, whatever the order of the list.
  const subjects = { task_id: taskId, test_id: testId, run_id: runId, definition_id: evalDefinitionId };
  for (const { sql, values } of oneOfEach(subjects))
    where.push({
      sql: `id IN (SELECT id FROM eval WHERE application = ? AND ${sql})`,
      values: [application, ...values],
    });
  return where;
}

/** Returns an eval; throws `not_found`. */
function getEval(database: Database, { owner, id }: ById): Evaluation {
  return wholeEvals(database, owner, [evalsWithReferences.get(database, { owner, id })])[0] as Evaluation;
}

export const evalQueries = { listEvals, getEval, listJudgeCalls, evalCosts, testsToEvaluate };
