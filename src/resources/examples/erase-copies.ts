import type { Database } from '../../storage/database.ts';
import { valuesOf } from '../../storage/dialect.ts';
import { ERASED } from '../../tests/store.ts';
import { formatUuid, otelTraceUuid } from '../../traces/ids.ts';
import { ERASED_TITLE } from '../tasks/record.ts';
import { IS_ORIGIN, originArgs } from './origin.ts';
import { taskIdOf } from './trace-names.ts';
import { titleOf } from './trace-title.ts';

/** Most written prompts that one step removes. */
const STEP_WRITTEN = 100;

/** Examples and tasks that copy texts of a trace. */
interface CopiesOfTrace {
  exampleIds: string[];
  /** Ids of tasks whose title is the beginning of the input of the trace. */
  taskIds: string[];
  /** Ids of all tasks with such an example or title. */
  shownTaskIds: string[];
  /** Ids of some prompts that a model wrote after it was shown these texts. They are removed first, because nothing else leads to them. */
  writtenIds: string[];
}

/**
 * Finds what has texts of a trace: examples whose origin it is, tasks whose title is the text of such an example, and prompts that a
 * model wrote for these tasks. The task that was made for the trace is found by its id, also when its example was changed or
 * deleted since.
 */
export function copiesOfTrace(
  database: Database,
  { application, traceId }: { application: number; traceId: Uint8Array },
): CopiesOfTrace {
  const args = { application, ...originArgs(traceId) };
  const made = database.all<{ id: string; taskId: string; prompt: string; title: string }>(
    `SELECT example.id, task.id AS "taskId", prompt, title FROM example
       JOIN task ON task.application = example.application AND task.id = example.task_id
     WHERE example.application = :application AND origin ${IS_ORIGIN}`,
    args,
  );
  const titled = made.filter(({ prompt, title }) => title === titleOf(prompt)).map(({ taskId }) => taskId);
  const taskIds = [...new Set([...titled, ...ownTasks(database, { application, traceId })])];
  const shownTaskIds = [...new Set([...taskIds, ...made.map(({ taskId }) => taskId)])];
  return {
    exampleIds: made.map(({ id }) => id),
    taskIds,
    shownTaskIds,
    writtenIds: writtenFor(database, application, shownTaskIds),
  };
}

/** Returns the task that was made for a trace, unless its title was erased. */
function ownTasks(
  database: Database,
  { application, traceId }: { application: number; traceId: Uint8Array },
): string[] {
  const named = database.get<{ id: string }>('SELECT id FROM application WHERE application = :application', {
    application,
  });
  // A trace of OpenTelemetry is shown with another uuid than a native one.
  const shownIds = [formatUuid(traceId), otelTraceUuid(traceId)];
  const ids = JSON.stringify(shownIds.map((id) => taskIdOf(named?.id ?? '', id)));
  return database
    .all<{ id: string }>(
      `SELECT id FROM task WHERE application = :application AND id IN ${valuesOf(':ids')} AND title <> :erased`,
      { application, ids, erased: ERASED_TITLE },
    )
    .map(({ id }) => id);
}

/** Returns some of the prompts that a model wrote for tasks. */
const writtenFor = (database: Database, application: number, taskIds: readonly string[]): string[] =>
  taskIds.length === 0
    ? []
    : database
        .all<{ id: string }>(
          `SELECT id FROM example WHERE application = :application AND task_id IN ${valuesOf(':taskIds')}
             AND key > 'written:' AND key < 'written;' LIMIT ${STEP_WRITTEN}`,
          { application, taskIds: JSON.stringify(taskIds) },
        )
        .map(({ id }) => id);

/** Returns some of the tests that have sent one of the examples, and whose texts are not erased yet. */
export const testsOfCopies = (
  database: Database,
  { application, exampleIds, limit }: TestsOfCopies,
): string[] =>
  database
    .all<{ id: string }>(
      `SELECT id FROM test WHERE application = :application AND example_id IN ${valuesOf(':ids')} AND prompt <> :erased LIMIT :limit`,
      { application, ids: JSON.stringify(exampleIds), erased: ERASED, limit },
    )
    .map(({ id }) => id);

interface TestsOfCopies {
  application: number;
  exampleIds: readonly string[];
  limit: number;
}
