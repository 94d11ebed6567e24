import type { Database } from '../storage/database.ts';
import type { FilledOutcome } from '../tests/outcome/fill-store.ts';
import { WINDOW_MS } from './quality-metrics.ts';

/** Marks the metrics that `source` selects, by (application, kind, id), as due for computation. */
const mark = (source: string): string =>
  `INSERT INTO figure (application, kind, id) ${source}
   ON CONFLICT (application, kind, id) DO UPDATE SET due_at = figure.ready_at, version = figure.version + 1`;

/**
 * Marks the metrics that a test contributes to: those of its task, of the topic and of the definitions of its evals.
 */
export function markMetricsOfTest(
  database: Database,
  { application, testId }: { application: number; testId: string },
): void {
  const OF_TEST = `test.application = :application AND test.id = :testId AND test.run_type <> 'EXPERIMENT'`;
  database.run(
    mark(
      `SELECT test.application, 'task', task_id FROM test WHERE ${OF_TEST}
       UNION ALL
       SELECT task.application, 'topic', topic_id FROM test JOIN task
         ON task.application = test.application AND task.id = task_id
       WHERE ${OF_TEST} AND topic_id IS NOT NULL
       UNION ALL
       SELECT DISTINCT eval.application, 'definition', definition_id FROM test JOIN eval
         ON eval.application = test.application AND eval.test_id = test.id
       WHERE ${OF_TEST}`,
    ),
    { application, testId },
  );
}

/** Marks the metrics that tests contribute to, which are about to be deleted. */
export function markMetricsOfTests(
  database: Database,
  { application, testIds }: { application: number; testIds: readonly string[] },
): void {
  for (const testId of testIds) markMetricsOfTest(database, { application, testId });
}

/** Marks the metrics of a test of an earlier version, of which the input is known only now: tests of one input are one example. */
export function markMetricsOfFilled(
  database: Database,
  { application, testId, createdAt, now }: FilledOutcome,
): void {
  if (createdAt > now - WINDOW_MS) markMetricsOfTest(database, { application, testId });
}

/** Marks the metrics of the topics that a task was moved between. */
export function markMetricsOfTopics(
  database: Database,
  application: number,
  topicIds: readonly (string | null)[],
): void {
  for (const topicId of topicIds)
    if (topicId !== null)
      database.run(mark(`VALUES (:application, 'topic', :topicId)`), { application, topicId });
}

/** Marks the metrics that an eval of a trace without a test contributes to. */
export function markMetricsOfMonitoring(
  database: Database,
  ids: { application: number; definitionId: string; taskId: string | null },
): void {
  database.run(
    mark(
      `SELECT :application, 'definition', :definitionId
       UNION ALL SELECT application, 'task', id FROM task WHERE application = :application AND id = :taskId
       UNION ALL SELECT application, 'topic', topic_id FROM task
       WHERE application = :application AND id = :taskId AND topic_id IS NOT NULL`,
    ),
    ids,
  );
}
