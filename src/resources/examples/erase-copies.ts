import type { Database } from '../../storage/database.ts';
import { valuesOf } from '../../storage/dialect.ts';
import { formatUuid, otelTraceUuid } from '../../traces/ids.ts';
import { ERASED_TITLE } from '../tasks/record.ts';
import { keyOfTrace, taskIdOf } from './trace-names.ts';
import { titleOf } from './trace-title.ts';

/** Examples and tasks that copy texts of a trace. */
export interface CopiesOfTrace {
  exampleIds: string[];
  /** Ids of tasks whose title is the beginning of the input of the trace. */
  taskIds: string[];
}

/**
 * Finds what was made from a trace: examples that name it, copies of these, whose key still begins with `trace:`, and tasks whose
 * title is the text of such an example. The task that was made for the trace is found by its id, also when its example was
 * changed or deleted since.
 */
export function copiesOfTrace(
  database: Database,
  { application, traceId }: { application: number; traceId: Uint8Array },
): CopiesOfTrace {
  // A trace of OpenTelemetry is shown with another uuid than a native one.
  const shownIds = [formatUuid(traceId), otelTraceUuid(traceId)];
  const made = database.all<{ id: string; taskId: string; prompt: string; title: string }>(
    `SELECT example.id, task.id AS "taskId", prompt, title FROM example
       JOIN task ON task.application = example.application AND task.id = example.task_id
     WHERE example.application = :application
       AND (example.trace_id = :traceId OR key IN ${valuesOf(':keys')})`,
    { application, traceId, keys: JSON.stringify(shownIds.map(keyOfTrace)) },
  );
  const titled = made.filter(({ prompt, title }) => title === titleOf(prompt));
  const own = ownTasks(database, { application, shownIds });
  return {
    exampleIds: made.map(({ id }) => id),
    taskIds: [...new Set([...titled.map(({ taskId }) => taskId), ...own])],
  };
}

/** Returns the task that was made for a trace, unless its title was erased. */
function ownTasks(
  database: Database,
  { application, shownIds }: { application: number; shownIds: readonly string[] },
): string[] {
  const named = database.get<{ id: string }>('SELECT id FROM application WHERE application = :application', {
    application,
  });
  const ids = JSON.stringify(shownIds.map((id) => taskIdOf(named?.id ?? '', id)));
  return database
    .all<{ id: string }>(
      `SELECT id FROM task WHERE application = :application AND id IN ${valuesOf(':ids')} AND title <> :erased`,
      { application, ids, erased: ERASED_TITLE },
    )
    .map(({ id }) => id);
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
