import type { Database } from '../../storage/database.ts';
import { uuidOf, valuesOf } from '../../storage/dialect.ts';
import { titleOf } from './trace-title.ts';

/** Examples and tasks that copy texts of a trace. */
export interface CopiesOfTrace {
  exampleIds: string[];
  /** Ids of tasks whose title is the beginning of the input of the trace. */
  taskIds: string[];
}

/**
 * Finds what was made from a trace: examples that name it, and copies of these, whose key still begins with `trace:`. A task that
 * was made with such an example has its text as title.
 */
export function copiesOfTrace(
  database: Database,
  { application, traceId }: { application: number; traceId: Uint8Array },
): CopiesOfTrace {
  const made = database.all<{ id: string; taskId: string; prompt: string; title: string }>(
    `SELECT example.id, task.id AS "taskId", prompt, title FROM example
       JOIN task ON task.application = example.application AND task.id = example.task_id
     WHERE example.application = :application
       AND (example.trace_id = :traceId OR key = 'trace:' || ${uuidOf(':traceId')})`,
    { application, traceId },
  );
  const titled = made.filter(({ prompt, title }) => title === titleOf(prompt));
  return {
    exampleIds: made.map(({ id }) => id),
    taskIds: [...new Set(titled.map(({ taskId }) => taskId))],
  };
}

/** Returns some of the tests that have sent one of the examples. */
export const testsOfCopies = (
  database: Database,
  { application, exampleIds, erased, limit }: TestsOfCopies,
): string[] =>
  database
    .all<{ id: string }>(
      `SELECT id FROM test WHERE application = :application AND example_id IN ${valuesOf(':ids')} AND prompt <> :erased LIMIT :limit`,
      { application, ids: JSON.stringify(exampleIds), erased, limit },
    )
    .map(({ id }) => id);

interface TestsOfCopies {
  application: number;
  exampleIds: readonly string[];
  /** Prompt of tests whose texts were erased. */
  erased: string;
  limit: number;
}
