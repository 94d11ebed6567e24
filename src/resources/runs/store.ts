import type { Pagination } from '../../contract/paging.ts';
import { isoTime } from '../../contract/values.ts';
import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/sqlite/database.ts';
import type { SqlFragment } from '../../traces/page.ts';
import type { Owner } from '../../traces/read.ts';
import { listRows, oneOf } from '../list-rows.ts';
import { NO_RESULT } from '../tests/contract.ts';
import type { Run, RunsQuery } from './contract.ts';

const COLUMNS = `id, task_id AS taskId, type, experiment_variant_id AS experimentVariantId,
  created_at AS createdAt, modified_at AS modifiedAt`;
const ORDER = { createdAt: 'created_at', modifiedAt: 'modified_at', type: 'type', id: 'id' };

type Row = Pick<Run, 'id' | 'taskId' | 'type' | 'experimentVariantId'> & {
  createdAt: number;
  modifiedAt: number;
};

function listRuns(
  database: Database,
  { owner, query }: { owner: Owner; query: RunsQuery },
): { data: Run[]; pagination: Pagination } {
  const { taskId, type, startDate, endDate, ...page } = query;
  const where: SqlFragment[] = [];
  if (taskId) where.push(oneOf('task_id', taskId));
  if (type) where.push(oneOf('type', type));
  if (startDate !== undefined) where.push({ sql: 'created_at >= ?', values: [Date.parse(startDate)] });
  if (endDate !== undefined) where.push({ sql: 'created_at <= ?', values: [Date.parse(endDate)] });
  const { rows, pagination } = listRows<Row, keyof typeof ORDER>(database, {
    application: owner.application,
    table: 'run',
    columns: COLUMNS,
    where,
    order: ORDER,
    page,
  });
  return { data: rows.map((row) => runOf(database, row, owner)), pagination };
}

/** Throws `not_found`. */
function getRun(database: Database, { owner, id }: { owner: Owner; id: string }): Run {
  const row = database.get<Row>(
    `SELECT ${COLUMNS} FROM run WHERE application = ? AND id = ?`,
    owner.application,
    id,
  );
  if (!row) throw new AppError('not_found', 'run not found');
  return runOf(database, row, owner);
}

const runOf = (database: Database, row: Row, { application, orgId, applicationId }: Owner): Run => ({
  ...row,
  orgId,
  applicationId,
  createdAt: isoTime(row.createdAt),
  modifiedAt: isoTime(row.modifiedAt),
  threadId: threadOf(database, application, row.id),
  tests: progressOf(database, application, row.id),
  evals: [],
  result: NO_RESULT,
});

function progressOf(database: Database, application: number, id: string): Run['tests'] {
  return database.get<Run['tests']>(
    `SELECT count(*) AS total, count(*) FILTER (WHERE status = 'PENDING') AS pending,
       count(*) FILTER (WHERE status = 'IN_PROGRESS') AS inProgress,
       count(*) FILTER (WHERE status = 'COMPLETED') AS completed, count(*) FILTER (WHERE status = 'FAILED') AS failed
     FROM test WHERE application = ? AND run_id = ?`,
    application,
    id,
  ) as Run['tests'];
}

/** Of traces that begin with our own delivery the app's may be apart, so the first that names a session tells. */
function threadOf(database: Database, application: number, id: string): string | null {
  const first = database.get<{ session: string }>(
    `SELECT session_id AS session FROM test
       CROSS JOIN trace_test ON trace_test.application = ?1 AND test_id = unhex(test.id, '-')
       CROSS JOIN trace USING (tkey)
     WHERE test.application = ?1 AND run_id = ?2 AND session_id IS NOT NULL ORDER BY start_ns, trace.trace_id LIMIT 1`,
    application,
    id,
  );
  return first?.session ?? null;
}

export const runQueries = { listRuns, getRun };
