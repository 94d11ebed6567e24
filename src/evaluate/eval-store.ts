import type { Database } from '../storage/database.ts';
import { storeEvalCounts } from '../tests/store.ts';
import { isDeleted } from '../traces/delete.ts';
import { evals as evalTable, type SavedEval } from './eval-record.ts';
import { markMetricsOfMonitoring, markMetricsOfTest } from './due-quality-metrics.ts';

export interface SaveEvals {
  application: number;
  evals: readonly SavedEval[];
  /** Time of the change, in Unix milliseconds. */
  at: number;
}

/**
 * Stores the state of evals, and the consequences for their tests and metrics. Evals that are COMPLETED, FAILED or
 * SKIPPED do not change, and a deleted trace gets no further evals. Callers store PENDING or IN_PROGRESS rows before
 * they read the texts, so that a deletion in between takes effect.
 */
export function saveEvals(database: Database, { application, evals, at }: SaveEvals): void {
  const counted = evals.filter((saved) => saveEval(database, application, saved, at));
  for (const testId of new Set(counted.flatMap((saved) => saved.testId ?? [])))
    countFinished(database, { application, testId, at });
  for (const { testId, definitionId, taskId } of counted)
    if (testId === null) markMetricsOfMonitoring(database, { application, definitionId, taskId });
}

const statuses = evalTable.pick('id', 'status');
const versions = evalTable.pick('id', 'version');
/** Columns that may change while an eval waits. */
const states = evalTable.omit('definitionId', 'testId', 'traceId', 'taskId', 'runId', 'runType');

/** Stores an eval; returns whether the counts of its target may have changed. */
function saveEval(database: Database, application: number, saved: SavedEval, at: number): boolean {
  const stored = statuses.find(database, application, saved.id);
  if (!stored) return insertEval(database, application, saved, at);
  if (stored.status !== 'PENDING' && stored.status !== 'IN_PROGRESS') return false;
  states.update(database, { application, id: saved.id, at }, saved);
  return saved.status === 'COMPLETED';
}

function insertEval(database: Database, application: number, saved: SavedEval, at: number): boolean {
  const { testId, traceId, definitionId } = saved;
  if (testId === null && isDeleted(database, application, traceId as Uint8Array)) return false;
  const ofSubject = testId === null ? 'test_id IS NULL AND trace_id = :traceId' : 'test_id = :testId';
  const [before] = versions.all(
    database,
    application,
    `definition_id = :definitionId AND superseded = 0 AND ${ofSubject}`,
    { definitionId, testId, traceId },
  );
  if (before) evalTable.update(database, { application, id: before.id, at }, { superseded: true });
  const version = (before?.version ?? 0) + 1;
  evalTable.insert(database, { application, at }, { ...saved, version, superseded: false });
  return before !== undefined || saved.status === 'COMPLETED';
}

function countFinished(database: Database, test: { application: number; testId: string; at: number }): void {
  const counts = database.get<{ finishedEvals: number; passedEvals: number }>(
    `SELECT count(*) AS "finishedEvals", coalesce(sum(passed), 0) AS "passedEvals" FROM eval
     WHERE application = :application AND test_id = :testId AND superseded = 0 AND status = 'COMPLETED'`,
    { application: test.application, testId: test.testId },
  );
  if (storeEvalCounts(database, test, counts ?? { finishedEvals: 0, passedEvals: 0 }))
    markMetricsOfTest(database, test);
}
