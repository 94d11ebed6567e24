import type { Database } from '../storage/database.ts';
import type { FieldsOf } from '../storage/record.ts';
import { storeEvalCounts } from '../tests/store.ts';
import { isDeleted } from '../traces/delete.ts';
import { evals as evalTable, type EvalStatus, type EvalSubject, type SavedEval } from './eval-record.ts';
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
  updateCounts(database, { application, counted, at });
}

const waitingEvals = evalTable.pick('id', 'status', 'testId', 'definitionId', 'taskId');

/** Changes of an eval; absent fields stay. */
export type EvalChanges = Pick<SavedEval, 'id' | 'status'> & Partial<Omit<SavedEval, keyof EvalSubject>>;

/**
 * Changes evals that wait, with the consequences for their tests and metrics; returns their number. Others stay as they are.
 */
export function changeWaitingEvals(
  database: Database,
  { application, changes, at }: { application: number; changes: readonly EvalChanges[]; at: number },
): number {
  const ids = changes.map(({ id }) => id);
  const stored = waitingEvals.byIds(database, application, ids);
  const changed = changes.filter(({ id }) => isWaiting(stored.get(id)));
  for (const { id, ...given } of changed) evalTable.update(database, { application, id, at }, given);
  const counted = changed
    .filter(({ status }) => status === 'COMPLETED')
    .flatMap(({ id }) => stored.get(id) ?? []);
  updateCounts(database, { application, counted, at });
  return changed.length;
}

const isWaiting = (stored: { status: EvalStatus } | undefined): boolean =>
  stored?.status === 'PENDING' || stored?.status === 'IN_PROGRESS';

type CountedEval = Pick<FieldsOf<typeof evalTable>, 'testId' | 'definitionId' | 'taskId'>;

/** Updates what depends on evals whose counts may have changed. */
function updateCounts(
  database: Database,
  { application, counted, at }: { application: number; counted: readonly CountedEval[]; at: number },
): void {
  for (const testId of new Set(counted.flatMap((one) => one.testId ?? [])))
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
  if (!isWaiting(stored)) return false;
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
