import type { Database } from '../storage/database.ts';
import { valuesOf } from '../storage/dialect.ts';
import { removeOutcomes } from './outcome/outcome-store.ts';

/** Most tests that one query returns and one command deletes. */
const STEP_TESTS = 200;

interface OfTask {
  application: number;
  taskId: string;
}

/** Returns some of the tests of a task, each with the id of its trace. */
export const testsToRemove = (
  database: Database,
  { application, taskId }: OfTask,
): { id: string; traceId: Buffer }[] =>
  database.all<{ id: string; traceId: Buffer }>(
    `SELECT id, trace_id AS "traceId" FROM test WHERE application = :application AND task_id = :taskId LIMIT ${STEP_TESTS}`,
    { application, taskId },
  );

interface RemoveTests {
  application: number;
  testIds: readonly string[];
}

/** Hooks of features that store something about tests. */
export interface RemoveHooks {
  beforeTestsRemoved: readonly ((database: Database, args: RemoveTests) => void)[];
}

/** Deletes tests of `testsToRemove`, their history, and what other modules store about them. */
export function removeTests(
  database: Database,
  { application, testIds }: RemoveTests,
  { beforeTestsRemoved }: RemoveHooks,
): void {
  for (const before of beforeTestsRemoved) before(database, { application, testIds });
  const ids = JSON.stringify(testIds);
  removeOutcomes(database, { application, testIds });
  database.run(`DELETE FROM test_event WHERE application = :application AND test_id IN ${valuesOf(':ids')}`, {
    application,
    ids,
  });
  database.run(`DELETE FROM test WHERE application = :application AND id IN ${valuesOf(':ids')}`, {
    application,
    ids,
  });
}

/** Deletes the runs of a task without tests. */
export function removeRuns(database: Database, { application, taskId }: OfTask): void {
  database.run(
    `DELETE FROM run WHERE application = :application AND task_id = :taskId
     AND NOT EXISTS (SELECT 1 FROM test WHERE test.application = :application AND test.task_id = :taskId)`,
    { application, taskId },
  );
}
