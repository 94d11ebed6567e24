import type { DerivedRows } from '../../storage/derived-rows.ts';
import { recountOpenTests } from './open-tests.ts';
import type { RunSetStatus } from './record.ts';

interface WrongSet {
  application: number;
  id: string;
  status: RunSetStatus;
  openTests: number;
  counted: number;
  modifiedAt: number;
}

/** Number of open tests of run sets that have started all their tests, and their status without any. */
const openTests: DerivedRows<WrongSet> = {
  what: 'open tests of run sets',
  find: (database, limit) =>
    database.all<WrongSet>(
      `SELECT application, id, status, open_tests AS "openTests", counted, modified_at AS "modifiedAt" FROM (
         SELECT application, id, status, open_tests, modified_at,
           (SELECT count(*) FROM run JOIN test ON test.application = run.application AND test.run_id = run.id
            WHERE run.application = run_set.application AND run.run_set_id = run_set.id
              AND test.status IN ('PENDING', 'IN_PROGRESS')) AS counted
         FROM run_set WHERE position IS NULL) AS sets
       WHERE open_tests <> counted OR (status = 'RUNNING' AND counted = 0)
         OR (status IN ('COMPLETED', 'FAILED') AND counted > 0) LIMIT :limit`,
      { limit },
    ),
  describe: ({ id, status, openTests: stored, counted }) => ({
    of: `run_set ${id}`,
    fault:
      stored === counted
        ? `its status is ${status}, and it has ${counted} open tests`
        : `its row counts ${stored} open tests, and it has ${counted}`,
  }),
  repair: (database, { application, id, modifiedAt }) => {
    recountOpenTests(database, { application, id, at: modifiedAt });
    database.run(
      `UPDATE run_set SET status = 'RUNNING' WHERE application = :application AND id = :id AND open_tests > 0
         AND status IN ('COMPLETED', 'FAILED')`,
      { application, id },
    );
  },
};

export const DERIVED_OF_RUN_SETS = [openTests] as DerivedRows[];
