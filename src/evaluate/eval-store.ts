import type { Database, SqlValue } from '../storage/sqlite/database.ts';
import { isDeleted } from '../traces/delete.ts';

export const EVAL_STATUSES = ['PENDING', 'IN_PROGRESS', 'COMPLETED', 'FAILED', 'SKIPPED'] as const;
export type EvalStatus = (typeof EVAL_STATUSES)[number];

/** One definition applied to one test, or to one trace that no test asked for: how far it is and what came out. */
export interface SavedEval {
  /** A new one makes a new version, which takes the place of the current one of the same test or trace and definition. */
  id: string;
  definitionId: string;
  definitionVersion: number;
  definitionType: string;
  /** null = it is the trace that is judged. */
  testId: string | null;
  /** 16 bytes; of a test the first of its traces, null when it has none. */
  traceId: Uint8Array | null;
  taskId: string | null;
  runId: string | null;
  runType: 'MANUAL' | 'SCHEDULED' | 'EXPERIMENT' | 'MONITORING';
  inputHash: string;
  status: EvalStatus;
  /** On the scale of the definition's type. With `normalised` (0 to 1) and `passed` it is there when COMPLETED. */
  score: number | null;
  normalised: number | null;
  passed: boolean | null;
  results: Readonly<Record<string, unknown>> | null;
  reason: string | null;
  judge: Readonly<Record<string, unknown>> | null;
  /** US dollars. */
  cost: number | null;
  latencyMs: number | null;
}

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

/** Whether what counts may have changed. */
function saveEval(database: Database, application: number, saved: SavedEval, at: number): boolean {
  const stored = database.get<{ status: EvalStatus }>(
    'SELECT status FROM eval WHERE application = ? AND id = ?',
    application,
    saved.id,
  );
  if (!stored) return insertEval(database, application, saved, at);
  if (stored.status !== 'PENDING' && stored.status !== 'IN_PROGRESS') return false;
  database.run(
    `UPDATE eval SET status = ?, score = ?, normalised = ?, passed = ?, results = ?, reason = ?, judge = ?, cost = ?,
       latency_ms = ?, definition_version = ?, definition_type = ?, input_hash = ?, modified_at = ?
     WHERE application = ? AND id = ?`,
    ...stateOf(saved),
    saved.definitionVersion,
    saved.definitionType,
    saved.inputHash,
    at,
    application,
    saved.id,
  );
  return saved.status === 'COMPLETED';
}

function insertEval(database: Database, application: number, saved: SavedEval, at: number): boolean {
  const { testId, traceId, definitionId } = saved;
  if (testId === null && isDeleted(database, application, traceId as Uint8Array)) return false;
  const before = database.get<{ id: string; version: number }>(
    `SELECT id, version FROM eval WHERE application = ? AND definition_id = ? AND superseded = 0
       AND ${testId === null ? 'test_id IS NULL AND trace_id = ?' : 'test_id = ?'}`,
    application,
    definitionId,
    testId ?? bytesOf(traceId),
  );
  if (before)
    database.run(
      'UPDATE eval SET superseded = 1, modified_at = ? WHERE application = ? AND id = ?',
      at,
      application,
      before.id,
    );
  database.run(
    `INSERT INTO eval (status, score, normalised, passed, results, reason, judge, cost, latency_ms, id, application,
       definition_id, definition_version, definition_type, test_id, trace_id, task_id, run_id, run_type, input_hash,
       version, superseded, created_at, modified_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, 0, ?22, ?22)`,
    ...stateOf(saved),
    saved.id,
    application,
    definitionId,
    saved.definitionVersion,
    saved.definitionType,
    testId,
    bytesOf(traceId),
    saved.taskId,
    saved.runId,
    saved.runType,
    saved.inputHash,
    (before?.version ?? 0) + 1,
    at,
  );
  return before !== undefined || saved.status === 'COMPLETED';
}

const bytesOf = (id: Uint8Array | null): Buffer | null => id && Buffer.from(id);

/** In the order in which both statements name them. */
const stateOf = (saved: SavedEval): SqlValue[] => [
  saved.status,
  saved.score,
  saved.normalised,
  saved.passed === null ? null : Number(saved.passed),
  saved.results && JSON.stringify(saved.results),
  saved.reason,
  saved.judge && JSON.stringify(saved.judge),
  saved.cost,
  saved.latencyMs,
];

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
