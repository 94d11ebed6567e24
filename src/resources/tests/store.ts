import type { Pagination } from '../../contract/paging.ts';
import { isoTime } from '../../contract/values.ts';
import { testContent } from '../../deliver/test-content.ts';
import type { Failure, TestPhase } from '../../deliver/test-state.ts';
import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/sqlite/database.ts';
import type { SqlFragment } from '../../traces/page.ts';
import type { Owner } from '../../traces/read.ts';
import { listRows, oneOf } from '../list-rows.ts';
import { type ListedTest, NO_RESULT, type Test, type TestsQuery } from './contract.ts';

interface ById {
  owner: Owner;
  id: string;
}

/** What can happen to one test has few stages; a test revived without end is cut here. */
const MAX_EVENTS = 1_000;

const COLUMNS = `id, task_id AS taskId, run_id AS runId, run_type AS runType, status, phase, failure,
  example_index AS exampleIndex, experiment_id AS experimentId, experiment_variant_id AS experimentVariantId,
  created_at AS createdAt, modified_at AS modifiedAt`;
const ORDER = { createdAt: 'created_at', modifiedAt: 'modified_at', id: 'id' };

type Row = Omit<ListedTest, 'orgId' | 'applicationId' | 'failure' | 'createdAt' | 'modifiedAt' | 'result'> & {
  failure: string | null;
  createdAt: number;
  modifiedAt: number;
};

function listTests(
  database: Database,
  { owner, query }: { owner: Owner; query: TestsQuery },
): { data: ListedTest[]; pagination: Pagination } {
  const { skip, limit, orderBy, orderDir, ...filter } = query;
  const { rows, pagination } = listRows<Row, keyof typeof ORDER>(database, {
    application: owner.application,
    table: 'test',
    columns: `${COLUMNS}, substr(prompt, 1, 300) AS prompt`,
    where: conditions(filter),
    order: ORDER,
    page: { skip, limit, orderBy, orderDir },
  });
  return { data: rows.map((row) => listedTest(row, owner)), pagination };
}

const FILTER_COLUMNS = {
  taskId: 'task_id',
  runId: 'run_id',
  status: 'status',
  phase: 'phase',
  runType: 'run_type',
  experimentVariantId: 'experiment_variant_id',
} as const;

type Filter = Omit<TestsQuery, 'skip' | 'limit' | 'orderBy' | 'orderDir'>;

function conditions({ evalDefinitionId, startDate, endDate, ...filter }: Filter): SqlFragment[] {
  const where: SqlFragment[] = [];
  for (const [field, values] of Object.entries(filter))
    if (values) where.push(oneOf(FILTER_COLUMNS[field as keyof typeof filter], values));
  // There are no evals yet.
  if (evalDefinitionId) where.push({ sql: 'FALSE', values: [] });
  if (startDate !== undefined) where.push({ sql: 'created_at >= ?', values: [Date.parse(startDate)] });
  if (endDate !== undefined) where.push({ sql: 'created_at <= ?', values: [Date.parse(endDate)] });
  return where;
}

const listedTest = (row: Row, { orgId, applicationId }: Owner): ListedTest => ({
  ...row,
  orgId,
  applicationId,
  failure: row.failure === null ? null : (JSON.parse(row.failure) as Failure),
  createdAt: isoTime(row.createdAt),
  modifiedAt: isoTime(row.modifiedAt),
  result: NO_RESULT,
});

/** Throws `not_found`. */
function getTest(database: Database, { owner, id }: ById): Test {
  const row = database.get<Row & { metadata: string | null }>(
    `SELECT ${COLUMNS}, prompt, metadata FROM test WHERE application = ? AND id = ?`,
    owner.application,
    id,
  );
  if (!row) throw new AppError('not_found', 'test not found');
  return {
    ...listedTest(row, owner),
    metadata: row.metadata === null ? null : (JSON.parse(row.metadata) as unknown),
    timeline: timeline(database, owner.application, id),
    ...testContent(database, { application: owner.application, testId: id }),
    evals: [],
  };
}

function timeline(database: Database, application: number, id: string): Test['timeline'] {
  return database
    .all<{ at: number; phase: TestPhase; detail: string }>(
      'SELECT at, phase, detail FROM test_event WHERE application = ? AND test_id = ? ORDER BY id LIMIT ?',
      application,
      id,
      MAX_EVENTS,
    )
    .map((event) => ({ ...event, at: isoTime(event.at) }));
}

export interface TestNews {
  /** Of the newest event of the test; 0 = there is none. */
  eventId: number;
  /** null = nothing has happened since the event that was seen. */
  test: Test | null;
}

/** The test if something happened to it after the event `seen` (null = nothing was seen). Throws `not_found`. */
function getTestNews(database: Database, { owner, id, seen }: ById & { seen: number | null }): TestNews {
  const newest = database.get<{ eventId: number | null }>(
    'SELECT max(id) AS eventId FROM test_event WHERE application = ? AND test_id = ?',
    owner.application,
    id,
  );
  const eventId = newest?.eventId ?? 0;
  return { eventId, test: eventId === seen ? null : getTest(database, { owner, id }) };
}

export const testQueries = { listTests, getTest, getTestNews };
