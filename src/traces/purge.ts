import type { Database, SqlValue } from '../storage/database.ts';
import { totalOf } from '../storage/dialect.ts';
import { formatUuid } from './ids.ts';
import { skeletonResources } from './skeleton.ts';
import type { TraceKey } from './trace-keys.ts';

/**
 * Removes at most `limit` rows that a resource keeps of a trace, because they repeat or judge its texts; how many. Fewer
 * than `limit`: none is left.
 */
export type PurgeRows = (
  database: Database,
  args: { application: number; traceId: Uint8Array; limit: number },
) => number;

/**
 * Most rows and bytes that one step of a purge changes: freed pages are overwritten, so bytes count as much as rows.
 */
const STEP_ROWS = 2_000;
const STEP_BYTES = 4 * 1024 * 1024;
/** Rows that a span block counts as, beside its bytes. */
const CHUNK_ROWS = 4;
/** Rows that a test counts as, beside its deliveries and evals, which are counted. */
const TEST_ROWS = 4;
const TESTS_AT_ONCE = 100;

/** Budget of a step. A single row may exceed it: it is then the last one of its step. */
class StepBudget {
  rows = STEP_ROWS;
  private bytes = STEP_BYTES;

  get isSpent(): boolean {
    return this.rows <= 0 || this.bytes <= 0;
  }

  spend(rows: number, bytes: number): void {
    this.rows -= rows;
    this.bytes -= bytes;
  }
}

interface Purge extends TraceKey {
  /** null: of a trace that an earlier version deleted, only chunks and spans are left. */
  traceId: Buffer | null;
  /** Unix milliseconds. */
  deletedAt: number;
}

/** The parts of a trace in the order of their removal. Each returns whether nothing of it is left. */
const PARTS = [purgeTests, purgeOwnEvals, purgeLogs, purgeSteps, purgeChunks, purgeSpans];

/** Makes a command that removes some of what is left of a deleted trace; false when nothing is left to remove. */
export const purgeTraceAnd =
  (others: readonly PurgeRows[]) =>
  (database: Database, { tkey }: { tkey: number }): boolean => {
    const purge = database.get<Purge>(
      `SELECT tkey, purge.application, purge.trace_id AS traceId, coalesce(deleted_at, 0) AS deletedAt
       FROM purge LEFT JOIN tombstone
         ON tombstone.application = purge.application AND tombstone.trace_id = purge.trace_id
       WHERE tkey = ?`,
      tkey,
    );
    if (!purge) return false;
    const budget = new StepBudget();
    const isDone =
      others.every((part) => purgeRows(database, purge, budget, part)) &&
      PARTS.every((part) => part(database, purge, budget));
    if (!isDone) return true;
    database.run('DELETE FROM purge WHERE tkey = ?', tkey);
    return false;
  };

/** Purges like `purgeTraceAnd`, without the records that resources keep of the trace. */
export const purgeTrace = purgeTraceAnd([]);

const MAX_PENDING = 100;

/** Returns deleted traces of which something is left, the oldest first. */
export function pendingPurges(database: Database, _args: null): number[] {
  return database
    .all<{ tkey: number }>('SELECT tkey FROM purge ORDER BY tkey LIMIT ?', MAX_PENDING)
    .map(({ tkey }) => tkey);
}

function purgeRows(
  database: Database,
  { application, traceId }: Purge,
  budget: StepBudget,
  part: PurgeRows,
): boolean {
  if (traceId === null) return true;
  if (budget.isSpent) return false;
  const limit = budget.rows;
  const removed = part(database, { application, traceId, limit });
  budget.spend(removed, 0);
  return removed < limit;
}

function purgeTests(database: Database, purge: Purge, budget: StepBudget): boolean {
  const { tkey } = purge;
  while (!budget.isSpent) {
    const tests = database.all<{ id: Buffer; application: number }>(
      'SELECT test_id AS id, application FROM trace_test WHERE tkey = ? LIMIT ?',
      tkey,
      TESTS_AT_ONCE,
    );
    if (tests.length === 0) return true;
    for (const { id, application } of tests) {
      if (budget.isSpent) return false;
      const testId = formatUuid(id);
      if (!forgetDeliveries(database, purge, testId, budget)) return false;
      if (!forgetEvals(database, purge, { sql: 'test_id = ?', value: testId }, budget)) return false;
      const isOne = 'application = ? AND test_id = ? AND tkey = ?';
      database.run(`DELETE FROM trace_test WHERE ${isOne}`, application, id, tkey);
      budget.spend(TEST_ROWS, 0);
    }
  }
  return false;
}

/** Deletes the bodies of the deliveries of a test, which repeat texts of the trace. The deliveries stay. */
function forgetDeliveries(
  database: Database,
  { application }: Purge,
  testId: string,
  budget: StepBudget,
): boolean {
  return removeRows<{ id: string }>(
    database,
    {
      sql: `SELECT id, length(request_body) + coalesce(length(response_body), 0) AS bytes FROM delivery
            WHERE application = ? AND test_id = ? AND (length(request_body) > 0 OR response_body IS NOT NULL)`,
      values: [application, testId],
    },
    budget,
    ({ id }) =>
      database.run(
        `UPDATE delivery SET request_body = x'', response_body = NULL WHERE application = ? AND id = ?`,
        application,
        id,
      ),
  );
}

function purgeOwnEvals(database: Database, purge: Purge, budget: StepBudget): boolean {
  const { traceId } = purge;
  return traceId === null || forgetEvals(database, purge, { sql: 'trace_id = ?', value: traceId }, budget);
}

const GONE = 'The trace was deleted.';

/** Judges quote what they judge; how they judged, and what it cost, stays. What is not judged yet can't be any more. */
function forgetEvals(
  database: Database,
  { application, deletedAt }: Purge,
  of: { sql: string; value: SqlValue },
  budget: StepBudget,
): boolean {
  return removeRows<{ id: string }>(
    database,
    {
      sql: `SELECT id, coalesce(length(results), 0) + coalesce(length(judge), 0) + (
              SELECT ${totalOf('coalesce(length(request), 0) + coalesce(length(raw), 0)')} FROM judge_call
              WHERE judge_call.application = eval.application AND eval_id = eval.id) AS bytes
            FROM eval WHERE application = ? AND ${of.sql}
              AND (status IN ('PENDING', 'IN_PROGRESS') OR results IS NOT NULL OR judge IS NOT NULL
                OR coalesce(reason, '${GONE}') <> '${GONE}'
                OR EXISTS (SELECT 1 FROM judge_call WHERE judge_call.application = eval.application
                  AND eval_id = eval.id AND (request IS NOT NULL OR raw IS NOT NULL)))`,
      values: [application, of.value],
    },
    budget,
    ({ id }) => {
      database.run(
        'UPDATE judge_call SET request = NULL, raw = NULL WHERE application = ? AND eval_id = ?',
        application,
        id,
      );
      database.run(
        `UPDATE eval SET results = NULL, judge = NULL, modified_at = :deletedAt,
           reason = CASE WHEN status IN ('PENDING', 'IN_PROGRESS') THEN '${GONE}' END,
           status = CASE WHEN status IN ('PENDING', 'IN_PROGRESS') THEN 'SKIPPED' ELSE status END
         WHERE application = :application AND id = :id`,
        { application, id, deletedAt },
      );
    },
  );
}

function purgeLogs(database: Database, { application, traceId }: Purge, budget: StepBudget): boolean {
  if (traceId === null) return true;
  return removeRows<{ id: number }>(
    database,
    {
      sql: 'SELECT id, length(record) AS bytes FROM span_log WHERE application = ? AND trace_id = ?',
      values: [application, traceId],
    },
    budget,
    ({ id }) => database.run('DELETE FROM span_log WHERE id = ?', id),
  );
}

function purgeSteps(database: Database, purge: Purge, budget: StepBudget): boolean {
  return (
    deleteSome(database, { table: 'open_step', columns: 'match, start_ns, span_id' }, purge, budget) &&
    deleteSome(database, { table: 'closed_step', columns: 'end_id' }, purge, budget)
  );
}

function purgeChunks(database: Database, { tkey, application }: Purge, budget: StepBudget): boolean {
  return removeRows<{ seq: number }>(
    database,
    {
      sql: `SELECT seq, length(skeleton) + length(payload) AS bytes FROM chunk
            WHERE application = ? AND tkey = ? ORDER BY seq`,
      values: [application, tkey],
      rowsEach: CHUNK_ROWS,
    },
    budget,
    ({ seq }) => removeChunk(database, { application, tkey, seq }),
  );
}

function purgeSpans(database: Database, purge: Purge, budget: StepBudget): boolean {
  return deleteSome(database, { table: 'span', columns: 'span_id' }, purge, budget);
}

/** Deletes a chunk that is there, and the resources no other chunk names. */
export function removeChunk(
  database: Database,
  { application, tkey, seq }: TraceKey & { seq: number },
): void {
  const key = [application, tkey, seq] as const;
  const isOne = 'application = ? AND tkey = ? AND seq = ?';
  const chunk = database.get<{ skeleton: Buffer }>(`SELECT skeleton FROM chunk WHERE ${isOne}`, ...key);
  if (!chunk) return;
  database.run(`DELETE FROM chunk WHERE ${isOne}`, ...key);
  for (const hash of skeletonResources(chunk.skeleton)) {
    database.run('UPDATE resource SET refs = refs - 1 WHERE application = ? AND hash = ?', application, hash);
    database.run('DELETE FROM resource WHERE application = ? AND hash = ? AND refs <= 0', application, hash);
  }
}

/** Removes rows one by one until there are none or the budget is spent; whether none is left. */
function removeRows<Row>(
  database: Database,
  { sql, values, rowsEach = 1 }: { sql: string; values: SqlValue[]; rowsEach?: number },
  budget: StepBudget,
  remove: (row: Row) => unknown,
): boolean {
  if (budget.isSpent) return false;
  const limit = Math.ceil(budget.rows / rowsEach);
  const rows = database.all<Row & { bytes: number }>(`${sql} LIMIT ?`, ...values, limit);
  for (const row of rows) {
    if (budget.isSpent) return false;
    remove(row);
    budget.spend(rowsEach, row.bytes);
  }
  return rows.length < limit;
}

/** Deletes rows of a trace until none is left or the budget is spent. `columns`: what tells its rows apart. Returns whether none is left. */
function deleteSome(
  database: Database,
  { table, columns }: { table: string; columns: string },
  { application, tkey }: TraceKey,
  budget: StepBudget,
): boolean {
  if (budget.isSpent) return false;
  const limit = budget.rows;
  const deleted = database.run(
    `DELETE FROM ${table} WHERE application = :application AND tkey = :tkey AND (${columns}) IN
       (SELECT ${columns} FROM ${table} WHERE application = :application AND tkey = :tkey LIMIT :limit)`,
    { application, tkey, limit },
  );
  budget.spend(deleted, 0);
  return deleted < limit;
}
