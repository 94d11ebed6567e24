import type { Pagination } from '../../contract/paging.ts';
import { type SqlFragment, oneOf } from '../../storage/sql.ts';
import type { Owner } from '../../contract/owner.ts';
import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/sqlite/database.ts';
import {
  EVAL_COLUMNS,
  evalRecords,
  type EvalRow,
  LISTED_EVAL_COLUMNS,
  listedEvals,
  type ListedEvalRow,
} from './eval-records.ts';
import { evalsOfTraces } from '../definitions/evals-of-traces.ts';
import { listRows } from '../../storage/list-rows.ts';
import type { EvalsQuery, Evaluation, ListedEval } from './contract.ts';
import { evalCosts } from './costs.ts';
import { testsToEvaluate } from './tests-to-evaluate.ts';

const ORDER = { createdAt: 'created_at', modifiedAt: 'modified_at', status: 'status', id: 'id' };

function listEvals(
  database: Database,
  { owner, query }: { owner: Owner; query: EvalsQuery },
): { data: ListedEval[]; pagination: Pagination } {
  const { skip, limit, orderBy, orderDir, ...filter } = query;
  const { rows, pagination } = listRows<ListedEvalRow, keyof typeof ORDER>(database, {
    application: owner.application,
    table: 'eval',
    columns: LISTED_EVAL_COLUMNS,
    where: conditions(owner.application, filter),
    order: ORDER,
    page: { skip, limit, orderBy, orderDir },
  });
  return { data: listedEvals(database, owner, rows), pagination };
}

type Filter = Omit<EvalsQuery, 'skip' | 'limit' | 'orderBy' | 'orderDir'>;

function conditions(application: number, filter: Filter): SqlFragment[] {
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
function subjects({ taskId, testId, runId, evalDefinitionId }: Filter): SqlFragment[] {
  return [
    taskId && oneOf('task_id', taskId),
    testId && oneOf('test_id', testId),
    runId && oneOf('run_id', runId),
    evalDefinitionId && oneOf('definition_id', evalDefinitionId),
  ].filter((fragment) => fragment !== undefined);
}

/** Throws `not_found`. */
function getEval(database: Database, { owner, id }: { owner: Owner; id: string }): Evaluation {
  const rows = database.all<EvalRow>(
    `SELECT ${EVAL_COLUMNS} FROM eval WHERE application = ? AND id = ?`,
    owner.application,
    id,
  );
  const [record] = evalRecords(database, owner, rows);
  if (!record) throw new AppError('not_found', 'eval not found');
  return record;
}

export const evalQueries = { listEvals, getEval, evalCosts, testsToEvaluate };
