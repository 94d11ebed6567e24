import type { Database } from '../storage/database.ts';
import type { DeleteHooks } from './delete.ts';
import type { DayHooks } from './earlier-days.ts';
import { formatUuid } from './ids.ts';
import { removeRows, StepBudget } from './purge-step.ts';
import { skeletonResources } from './skeleton.ts';
import { dayOfKey, type TraceKey } from './trace-keys.ts';

/**
 * Removes at most `limit` rows in which a resource repeats or judges texts of a trace; returns their number. Fewer
 * than `limit` means that none is left.
 */
export type PurgeRows = (
  database: Database,
  args: { application: number; traceId: Uint8Array; limit: number },
) => number;
/** Removes the data of a module about a deleted trace, within the budget; returns whether nothing is left. */
type PurgePart<Subject> = (
  database: Database,
  subject: Subject & {
    application: number /** Time of the deletion, in Unix milliseconds. */;
    deletedAt: number;
  },
  budget: StepBudget,
) => boolean;

/** Hooks of features that store something about a trace. They run in steps, after it was deleted. */
export interface TraceHooks extends DeleteHooks, DayHooks {
  purgeRows: readonly PurgeRows[];
  purgeOfTrace: readonly PurgePart<{ traceId: Uint8Array }>[];
  /** Called for a trace that was part of a session. */
  purgeOfSession: readonly PurgePart<{ sessionId: string }>[];
  /** Called for each test with spans in the trace. */
  purgeOfTest: readonly PurgePart<{ testId: string }>[];
}

/** Cost of a block in addition to its bytes. */
const BLOCK_ROWS = 4;
/** Cost of a test in rows, in addition to its deliveries and evals. */
const TEST_ROWS = 4;
const TESTS_AT_ONCE = 100;

interface Purge extends TraceKey {
  traceId: Buffer;
  sessionId: string | null;
  /** Time of the deletion, in Unix milliseconds. */
  deletedAt: number;
}

/** Parts of a trace in the order of their removal. Each returns whether nothing of it is left. */
const PARTS = [purgeLogs, purgeSteps, purgeBlocks, purgeSpans];

/** Removes some of the rest of a deleted trace; returns false when nothing is left. */
export function purgeTrace(database: Database, { tkey }: { tkey: number }, hooks: TraceHooks): boolean {
  const purge = database.get<{ application: number }>('SELECT application FROM purge WHERE tkey = ?', tkey);
  return purge !== undefined && !purgeWithin(database, { ...purge, tkey }, new StepBudget(), hooks);
}

/** Removes the rest of a deleted trace within the budget; returns whether nothing is left. */
export function purgeWithin(
  database: Database,
  key: TraceKey,
  budget: StepBudget,
  hooks: TraceHooks,
): boolean {
  const purge = database.get<Purge>(
    `SELECT tkey, purge.application, purge.trace_id AS traceId, session_id AS sessionId, coalesce(deleted_at, 0) AS deletedAt
     FROM purge LEFT JOIN tombstone
       ON tombstone.application = purge.application AND tombstone.trace_id = purge.trace_id
     WHERE tkey = :tkey AND purge.application = :application`,
    { tkey: key.tkey, application: key.application },
  );
  if (!purge) return true;
  const isDone =
    hooks.purgeRows.every((part) => purgeRows(database, purge, budget, part)) &&
    purgeTests(database, purge, budget, hooks.purgeOfTest) &&
    purgeOfTrace(database, purge, budget, hooks.purgeOfTrace) &&
    purgeOfSession(database, purge, budget, hooks.purgeOfSession) &&
    PARTS.every((part) => part(database, purge, budget));
  if (isDone) database.run('DELETE FROM purge WHERE tkey = ?', key.tkey);
  for (const onChanged of hooks.onDaysChanged)
    onChanged(database, { application: key.application, days: [dayOfKey(key.tkey)] });
  return isDone;
}

const MAX_PENDING = 100;

/** Returns deleted traces with data left to remove, oldest first. */
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
  if (budget.isSpent) return false;
  const limit = budget.rows;
  const removed = part(database, { application, traceId, limit });
  budget.spend(removed, 0);
  return removed < limit;
}

function purgeOfTrace(
  database: Database,
  { traceId, ...purge }: Purge,
  budget: StepBudget,
  parts: TraceHooks['purgeOfTrace'],
): boolean {
  return parts.every((part) => part(database, { ...purge, traceId }, budget));
}

function purgeOfSession(
  database: Database,
  { sessionId, ...purge }: Purge,
  budget: StepBudget,
  parts: TraceHooks['purgeOfSession'],
): boolean {
  return sessionId === null || parts.every((part) => part(database, { ...purge, sessionId }, budget));
}

function purgeTests(
  database: Database,
  purge: Purge,
  budget: StepBudget,
  parts: TraceHooks['purgeOfTest'],
): boolean {
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
      if (!parts.every((part) => part(database, { ...purge, testId }, budget))) return false;
      const isOne = 'application = ? AND test_id = ? AND tkey = ?';
      database.run(`DELETE FROM trace_test WHERE ${isOne}`, application, id, tkey);
      budget.spend(TEST_ROWS, 0);
    }
  }
  return false;
}

function purgeLogs(database: Database, { application, traceId }: Purge, budget: StepBudget): boolean {
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
    deleteSome(database, { table: 'closed_step', columns: 'end_id' }, purge, budget) &&
    deleteSome(database, { table: 'response_span', columns: 'response, span_id' }, purge, budget)
  );
}

function purgeBlocks(database: Database, { tkey, application }: Purge, budget: StepBudget): boolean {
  return removeRows<{ seq: number }>(
    database,
    {
      sql: `SELECT seq, length(skeleton) + length(payload) AS bytes FROM chunk
            WHERE application = ? AND tkey = ? ORDER BY seq`,
      values: [application, tkey],
      rowsEach: BLOCK_ROWS,
    },
    budget,
    ({ seq }) => removeBlock(database, { application, tkey, seq }),
  );
}

function purgeSpans(database: Database, purge: Purge, budget: StepBudget): boolean {
  return deleteSome(database, { table: 'span', columns: 'span_id' }, purge, budget);
}

/** Deletes a stored block, and the resources that no other block refers to. */
export function removeBlock(
  database: Database,
  { application, tkey, seq }: TraceKey & { seq: number },
): void {
  const key = [application, tkey, seq] as const;
  const isOne = 'application = ? AND tkey = ? AND seq = ?';
  const block = database.get<{ skeleton: Buffer }>(`SELECT skeleton FROM chunk WHERE ${isOne}`, ...key);
  if (!block) return;
  database.run(`DELETE FROM chunk WHERE ${isOne}`, ...key);
  for (const hash of skeletonResources(block.skeleton)) {
    database.run('UPDATE resource SET refs = refs - 1 WHERE application = ? AND hash = ?', application, hash);
    database.run('DELETE FROM resource WHERE application = ? AND hash = ? AND refs <= 0', application, hash);
  }
}

/**
 * Deletes rows of a trace until none is left or the budget is used up. `columns` identify its rows. Returns whether
 * none is left.
 */
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
