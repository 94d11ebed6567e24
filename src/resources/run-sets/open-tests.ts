import { enqueueCanaries } from '../definitions/canary-store.ts';
import type { Database } from '../../storage/database.ts';
import { valuesOf } from '../../storage/dialect.ts';
import type { RemoveHooks } from '../../tests/remove-tests.ts';
import type { ChangedTest, TestHooks } from '../../tests/store.ts';

interface OfRunSet {
  application: number;
  id: string;
}

/** SQL for the id of the run set of a test; NULL if its run was started alone. */
const OF_TEST = `(SELECT run_set_id FROM test JOIN run ON run.id = run_id AND run.application = test.application
  WHERE test.application = :application AND test.id = :testId)`;

/** Counts a test that has ended, and ends its run set with the last one. */
function countEnded(database: Database, { application, testId, at }: ChangedTest): void {
  countOpen(database, { application, testId, at }, -1);
}

/** Counts a test that was reopened, and reopens its run set. */
function countReopened(database: Database, { application, testId, at }: ChangedTest): void {
  countOpen(database, { application, testId, at }, 1);
}

function countOpen(
  database: Database,
  { application, testId, at }: Pick<ChangedTest, 'application' | 'testId' | 'at'>,
  change: 1 | -1,
): void {
  const changed = database.get<{ id: string; open: number }>(
    `UPDATE run_set SET open_tests = open_tests + :change, modified_at = :at
     WHERE application = :application AND id = ${OF_TEST} RETURNING id, open_tests AS open`,
    { application, testId, at, change },
  );
  if (!changed) return;
  if (changed.open === 0) endRunSet(database, { application, id: changed.id, at });
  else if (change === 1)
    database.run(
      `UPDATE run_set SET status = 'RUNNING' WHERE application = :application AND id = :id AND status <> 'CANCELLED'`,
      { application, id: changed.id },
    );
}

/** Sets the status of a run set without open tests. `at`: null if its tests were deleted. */
function endRunSet(database: Database, { application, id, at }: OfRunSet & { at: number | null }): void {
  const tests = `FROM run JOIN test ON test.application = run.application AND test.run_id = run.id
    WHERE run.application = :application AND run.run_set_id = :id`;
  database.run(
    `UPDATE run_set SET status = CASE
       WHEN EXISTS (SELECT 1 ${tests} AND test.status = 'COMPLETED') AND planned_tests <= (SELECT count(*) ${tests})
       THEN 'COMPLETED' ELSE 'FAILED' END
     WHERE application = :application AND id = :id AND status <> 'CANCELLED'`,
    { application, id },
  );
  // Its verdicts may be the first of a judge that can be frozen.
  if (at !== null) enqueueCanaries(database, { application, runSetId: id, at });
}

/** Counts the open tests of a run set that has started all its tests, and ends it if there are none. */
export function recountOpenTests(
  database: Database,
  { application, id, at }: OfRunSet & { at: number },
): void {
  const row = database.get<{ open: number }>(
    `UPDATE run_set SET modified_at = :at, open_tests = (
       SELECT count(*) FROM run JOIN test ON test.application = run.application AND test.run_id = run.id
       WHERE run.application = :application AND run.run_set_id = :id AND test.status IN ('PENDING', 'IN_PROGRESS'))
     WHERE application = :application AND id = :id RETURNING open_tests AS open`,
    { application, id, at },
  );
  if (row?.open === 0) endRunSet(database, { application, id, at });
}

/** Counts tests in flight that are deleted with their task as ended. */
function forgetRemoved(
  database: Database,
  { application, testIds }: { application: number; testIds: readonly string[] },
): void {
  const ids = JSON.stringify(testIds);
  const removed = database.all<{ id: string; n: number }>(
    `SELECT run_set_id AS id, count(*) AS n FROM test JOIN run ON run.id = run_id AND run.application = test.application
     WHERE test.application = :application AND test.id IN ${valuesOf(':ids')} AND run_set_id IS NOT NULL
       AND test.status IN ('PENDING', 'IN_PROGRESS') GROUP BY run_set_id`,
    { application, ids },
  );
  for (const { id, n } of removed) {
    const row = database.get<{ open: number }>(
      'UPDATE run_set SET open_tests = open_tests - :n WHERE application = :application AND id = :id RETURNING open_tests AS open',
      { application, id, n },
    );
    if (row?.open === 0) endRunSet(database, { application, id, at: null });
  }
}

export const runSetHooks = {
  onTestEnded: [countEnded],
  onTestReopened: [countReopened],
  beforeTestsRemoved: [forgetRemoved],
} satisfies Partial<TestHooks & RemoveHooks>;
