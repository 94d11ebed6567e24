import type { Database } from '../storage/database.ts';
import { valuesOf } from '../storage/dialect.ts';

/** Most evals that one command deletes. */
const STEP_EVALS = 500;

/** Deletes all evals of tests, with the calls of judges. */
export function removeEvalsOfTests(
  database: Database,
  { application, testIds }: { application: number; testIds: readonly string[] },
): void {
  const ids = database
    .all<{ id: string }>(
      `SELECT id FROM eval WHERE application = :application AND test_id IN ${valuesOf(':testIds')}`,
      { application, testIds: JSON.stringify(testIds) },
    )
    .map(({ id }) => id);
  removeEvals(database, application, ids);
}

/** Deletes some evals of a definition, with the calls of judges; returns whether there may be more. */
export function removeEvalsOfDefinition(
  database: Database,
  { application, definitionId }: { application: number; definitionId: string },
): boolean {
  const ids = database
    .all<{ id: string }>(
      `SELECT id FROM eval WHERE application = :application AND definition_id = :definitionId LIMIT ${STEP_EVALS}`,
      { application, definitionId },
    )
    .map(({ id }) => id);
  removeEvals(database, application, ids);
  return ids.length === STEP_EVALS;
}

function removeEvals(database: Database, application: number, evalIds: readonly string[]): void {
  const ids = JSON.stringify(evalIds);
  database.run(
    `DELETE FROM judge_call WHERE application = :application AND subject_id IN ${valuesOf(':ids')}`,
    {
      application,
      ids,
    },
  );
  database.run(`DELETE FROM eval WHERE application = :application AND id IN ${valuesOf(':ids')}`, {
    application,
    ids,
  });
}

/** Deletes the metrics of tasks, topics and definitions. */
export function removeMetrics(
  database: Database,
  { application, ids }: { application: number; ids: readonly string[] },
): void {
  database.run(
    `DELETE FROM figure WHERE application = :application AND kind IN ('task', 'topic', 'definition')
     AND id IN ${valuesOf(':ids')}`,
    { application, ids: JSON.stringify(ids) },
  );
}
