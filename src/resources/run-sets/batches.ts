import { AppError } from '../../errors.ts';
import { startTestsOf, type TriggerTasks } from '../../deliver/trigger.ts';
import type { Database } from '../../storage/database.ts';
import { runSets } from './record.ts';

interface OfRunSet {
  application: number;
  id: string;
  at: number;
}

const batches = runSets.pick('id', 'status', 'batchExamples', 'openTests');

interface TaskOfBatch {
  taskId: string;
  /** Number of its examples up to the end of the batch. */
  upTo: number;
  runId: string | null;
  /** Number of its tests that were started. */
  started: number;
}

/**
 * Starts the tests of the next batch of a run set. Throws `not_found`, and `conflict` for one that does not test in batches, that
 * runs, that was cancelled, or whose examples were all tested.
 */
export function startNextBatch(database: Database, { application, id, at }: OfRunSet): void {
  const { status, batchExamples, openTests } = batches.require(database, application, id);
  if (batchExamples === null) throw new AppError('conflict', 'The run set tests all examples at once');
  if (status === 'CANCELLED') throw new AppError('conflict', 'The run set was cancelled');
  if (openTests > 0) throw new AppError('conflict', 'Tests of the last batch have not ended');
  const tested = countTested(database, { application, id });
  const tasks = database.all<TaskOfBatch>(
    `SELECT task_id AS "taskId", count(*) AS "upTo",
       (SELECT id FROM run WHERE run.application = chosen.application AND run.run_set_id = chosen.run_set_id
          AND run.task_id = chosen.task_id) AS "runId",
       (SELECT count(*) FROM run JOIN test ON test.application = run.application AND test.run_id = run.id
        WHERE run.application = chosen.application AND run.run_set_id = chosen.run_set_id
          AND run.task_id = chosen.task_id) AS started
     FROM run_set_example AS chosen
     WHERE application = :application AND run_set_id = :id AND turn < :end
     GROUP BY application, run_set_id, task_id ORDER BY min(turn)`,
    { application, id, end: tested + batchExamples },
  );
  const args: Omit<TriggerTasks, 'taskIds'> = {
    application,
    examples: {},
    repeat: 1,
    promptSeed: null,
    runSetId: id,
    type: 'MANUAL',
    experiment: null,
    at,
  };
  let count = 0;
  for (const { taskId, upTo, runId, started: from } of tasks)
    if (from < upTo) count += startTestsOf(database, args, { taskId, runId, from, upTo });
  if (count === 0) throw new AppError('conflict', 'All examples of the run set were tested');
  database.run(
    `UPDATE run_set SET status = 'RUNNING', planned_tests = planned_tests + :count, open_tests = :count, modified_at = :at
     WHERE application = :application AND id = :id`,
    { application, id, count, at },
  );
}

const countTested = (database: Database, of: { application: number; id: string }): number =>
  database.get<{ n: number }>(
    `SELECT count(*) AS n FROM run JOIN test ON test.application = run.application AND test.run_id = run.id
     WHERE run.application = :application AND run.run_set_id = :id`,
    { ...of },
  )?.n ?? 0;
