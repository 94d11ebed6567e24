import type { Pagination } from '../../contract/paging.ts';
import { type SqlFragment, oneOf } from '../../storage/sql.ts';
import type { ById, Owner } from '../../contract/owner.ts';
import type { Database } from '../../storage/database.ts';
import { evals, listedEvals, withDefinitions } from './record.ts';
import { evalsOfTraces } from '../definitions/evals-of-traces.ts';
import type { EvalsQuery, Evaluation, ListedEval } from './contract.ts';
import { evalCosts } from './costs.ts';
import { testsToEvaluate } from './tests-to-evaluate.ts';

function listEvals(
  database: Database,
  { owner, query }: { owner: Owner; query: EvalsQuery },
): { data: ListedEval[]; pagination: Pagination } {
  const where = conditions(owner.application, query);
  const { data, pagination } = listedEvals.list(database, owner, { where, page: query });
  return { data: withDefinitions(database, owner, data), pagination };
}

function conditions(application: number, filter: EvalsQuery): SqlFragment[] {
  const { superseded, status, type, passed, traceId } = filter;
  const where: SqlFragment[] = [{ sql: `superseded = ${Number(superseded)}`, values: [] }];
  if (status) where.push(oneOf('status', status));
  if (type) where.push(oneOf('definition_type', type));
  if (passed !== undefined) where.push({ sql: `passed = ${Number(passed)}`, values: [] });
  if (traceId) where.push(evalsOfTraces(application, traceId));
  for (const { sql, values } of subjects(filter))
    where.push({
      sql: `id IN (SELECT id FROM eval WHERE application = ? AND ${sql})`,
      values: [application, ...values],
    });
  return where;
}

/** What few evals meet. In a query of its own, each finds them by its index, whatever the list is ordered by. */
function subjects({ taskId, testId, runId, evalDefinitionId }: EvalsQuery): SqlFragment[] {
  return [
    taskId && oneOf('task_id', taskId),
    testId && oneOf('test_id', testId),
    runId && oneOf('run_id', runId),
    evalDefinitionId && oneOf('definition_id', evalDefinitionId),
  ].filter((fragment) => fragment !== undefined);
}

/** Throws `not_found`. */
function getEval(database: Database, { owner, id }: ById): Evaluation {
  return withDefinitions(database, owner, [evals.get(database, { owner, id })])[0] as Evaluation;
}

export const evalQueries = { listEvals, getEval, evalCosts, testsToEvaluate };
