import type { Database } from '../storage/database.ts';
import { totalOf, valuesOf } from '../storage/dialect.ts';
import type { SqlFragment } from '../storage/sql.ts';
import { DELETED_REASON } from './deleted-evidence.ts';
import { removeRows, type StepBudget } from '../traces/purge-step.ts';

interface Deleted {
  application: number;
  /** Time of the deletion, in Unix milliseconds. */
  deletedAt: number;
}

/**
 * Condition for evals that compared another test of the same example with this one, whose output they may quote. Those
 * without results do not tell with which test.
 */
const COMPARED_WITH = `definition_type = 'PAIRWISE' AND status <> 'PENDING' AND test_id IN (
    SELECT id FROM test WHERE application = eval.application AND example_id = (
      SELECT example_id FROM test AS deleted WHERE deleted.application = eval.application AND deleted.id = ?))
  AND (results IS NULL OR results LIKE '%"' || ? || '"%')`;

/** Deletes the texts that evals of a test, or of tests that were compared with it, quote from its trace. */
export const purgeEvalsOfTest = (
  database: Database,
  { testId, ...deleted }: Deleted & { testId: string },
  budget: StepBudget,
): boolean =>
  purge(database, deleted, { sql: 'test_id = ?', values: [testId] }, budget) &&
  purge(database, deleted, { sql: COMPARED_WITH, values: [testId, testId] }, budget);

/** Deletes the texts that evals of a trace without a test quote from it. */
export const purgeEvalsOfTrace = (
  database: Database,
  { traceId, ...deleted }: Deleted & { traceId: Uint8Array },
  budget: StepBudget,
): boolean => purge(database, deleted, { sql: 'trace_id = ?', values: [traceId] }, budget);

/** Condition for evals of a session: those of its traces that read the turns before. */
const OF_SESSION = `test_id IS NULL AND definition_type IN ('CONVERSATION', 'HTTP') AND EXISTS (
  SELECT 1 FROM trace WHERE trace.application = eval.application AND trace.trace_id = eval.trace_id AND session_id = ?)`;

/** Deletes the texts that evals of a session quote from its traces, one of which was deleted; the last one ends its monitoring. */
export const purgeEvalsOfSession = (
  database: Database,
  { sessionId, ...deleted }: Deleted & { sessionId: string },
  budget: StepBudget,
): boolean => {
  database.run(
    `DELETE FROM monitored_session WHERE application = :application AND session_id = :sessionId
       AND NOT EXISTS (SELECT 1 FROM trace WHERE application = :application AND session_id = :sessionId)`,
    { application: deleted.application, sessionId },
  );
  return purge(database, deleted, { sql: OF_SESSION, values: [sessionId] }, budget);
};

/** Deletes the requests to the prompt model, which quote the examples of tasks, and its responses; returns whether nothing is left. */
export const purgePromptCalls = (
  database: Database,
  { application, taskIds, limit }: { application: number; taskIds: readonly string[]; limit: number },
): boolean =>
  database.run(
    `UPDATE judge_call SET request = NULL, raw = NULL
     WHERE application = :application AND (subject_id, hash) IN (
       SELECT subject_id, hash FROM run JOIN judge_call AS call ON call.application = run.application AND subject_id = run.id
       WHERE run.application = :application AND task_id IN ${valuesOf(':taskIds')}
         AND (request IS NOT NULL OR raw IS NOT NULL) LIMIT :limit)`,
    { application, taskIds: JSON.stringify(taskIds), limit },
  ) < limit;

const GONE = DELETED_REASON;

/** Deletes quoted texts; verdicts and costs remain. Unfinished evals are skipped. */
function purge(
  database: Database,
  { application, deletedAt }: Deleted,
  of: SqlFragment,
  budget: StepBudget,
): boolean {
  return removeRows<{ id: string }>(
    database,
    {
      sql: `SELECT id, coalesce(length(results), 0) + coalesce(length(judge), 0) + (
              SELECT ${totalOf('coalesce(length(request), 0) + coalesce(length(raw), 0)')} FROM judge_call
              WHERE judge_call.application = eval.application AND subject_id = eval.id) AS bytes
            FROM eval WHERE application = ? AND ${of.sql}
              AND (status IN ('PENDING', 'IN_PROGRESS') OR results IS NOT NULL OR judge IS NOT NULL
                OR coalesce(reason, '${GONE}') <> '${GONE}'
                OR EXISTS (SELECT 1 FROM judge_call WHERE judge_call.application = eval.application
                  AND subject_id = eval.id AND (request IS NOT NULL OR raw IS NOT NULL)))`,
      values: [application, ...of.values],
    },
    budget,
    ({ id }) => {
      database.run(
        'UPDATE judge_call SET request = NULL, raw = NULL WHERE application = :application AND subject_id = :id',
        { application, id },
      );
      database.run(
        `UPDATE eval SET results = NULL, judge = NULL, modified_at = :deletedAt,
           reason = CASE WHEN status = 'COMPLETED' THEN NULL ELSE '${GONE}' END,
           status = CASE WHEN status IN ('PENDING', 'IN_PROGRESS') THEN 'SKIPPED' ELSE status END
         WHERE application = :application AND id = :id`,
        { application, id, deletedAt },
      );
    },
  );
}
