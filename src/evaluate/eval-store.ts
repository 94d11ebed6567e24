import type { Database } from '../storage/sqlite/database.ts';
import { isDeleted } from '../traces/delete.ts';
import { evals as evalTable, type SavedEval } from './eval-record.ts';

export interface SaveEvals {
  application: number;
  evals: readonly SavedEval[];
  /** Unix milliseconds. */
  at: number;
}

/**
 * Stores evals as they are now, and all that follows from it for their tests and the figures. What is COMPLETED, FAILED
 * or SKIPPED stays so, and a trace that was deleted gets no more evals. Rows saved as PENDING or IN_PROGRESS before the
 * texts are read are what makes a deletion meanwhile take effect.
 */
export function saveEvals(database: Database, { application, evals, at }: SaveEvals): void {
  const counted = evals.filter((saved) => saveEval(database, application, saved, at));
  for (const testId of new Set(counted.flatMap((saved) => saved.testId ?? [])))
    countFinished(database, application, testId);
  for (const saved of counted) if (saved.testId === null) markFiguresDue(database, application, saved);
}

const statuses = evalTable.pick('id', 'status');
const versions = evalTable.pick('id', 'version');
/** What may change while an eval waits. */
const states = evalTable.omit('definitionId', 'testId', 'traceId', 'taskId', 'runId', 'runType');

/** Returns whether what counts may have changed. */
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

/** The store makes the figures due with it. */
function countFinished(database: Database, application: number, testId: string): void {
  database.run(
    `UPDATE test SET (finished_evals, passed_evals) = (
       SELECT count(*), coalesce(sum(passed), 0) FROM eval
       WHERE application = ?1 AND test_id = ?2 AND superseded = 0 AND eval.status = 'COMPLETED')
     WHERE application = ?1 AND id = ?2`,
    application,
    testId,
  );
}

function markFiguresDue(database: Database, application: number, { definitionId, taskId }: SavedEval): void {
  database.run(
    `INSERT INTO figure (application, kind, id)
       SELECT ?1, 'definition', ?2
       UNION ALL SELECT application, 'task', id FROM task WHERE application = ?1 AND id = ?3
       UNION ALL SELECT application, 'topic', topic_id FROM task
       WHERE application = ?1 AND id = ?3 AND topic_id IS NOT NULL
     ON CONFLICT DO UPDATE SET due_at = ready_at, version = version + 1`,
    application,
    definitionId,
    taskId,
  );
}
