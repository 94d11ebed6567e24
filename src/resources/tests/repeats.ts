import { inputOf } from '../../tests/input-of.ts';
import { z } from 'zod';
import { WINDOW_MS } from '../../evaluate/quality-metrics.ts';
import { type RepeatedTests, repeatsOf } from '../../evaluate/statistics/repeats.ts';
import { percent } from '../../evaluate/statistics/settled.ts';
import type { Database, SqlValue } from '../../storage/database.ts';
import { inTimeAtEach } from '../../storage/dialect.ts';

const share = z.number().min(0).max(100);

/** Schema of the results of tests of the same input example. */
export const repeats = z
  .object({
    groups: z.int().describe('Number of input examples that were tested twice or more.'),
    k: z.int().describe('Number of tests that each of these has, at most 8.'),
    passPowK: share.describe('Percentage: probability that all of `k` tests of an input example pass.'),
    passAtK: share.describe(
      'Percentage: probability that at least one of `k` tests of an input example passes.',
    ),
    flakiness: share.describe('Percentage of the groups with both passed and failed tests.'),
  })
  .optional()
  .describe(
    'Results of repeated tests that count, by input example; a test passes when all its evals pass. Present only in the response for a single record, and if an input example was tested twice.',
  );
export type Repeats = NonNullable<z.input<typeof repeats>>;

/** Returns the results of the tests that count for the metrics of a task as of `at`. Call it in a reader only. */
export const repeatsOfTask = (
  database: Database,
  { application, taskId, at }: { application: number; taskId: string; at: number },
): Repeats | null =>
  repeatsIn(
    database,
    `task_id = ? AND created_at > ? AND run_type IN ('MANUAL', 'SCHEDULED')`,
    application,
    taskId,
    at - WINDOW_MS,
  );

/** Returns the results of the tests of a run. Call it in a reader only. */
export const repeatsOfRun = (
  database: Database,
  { application, runId }: { application: number; runId: string },
): Repeats | null => repeatsIn(database, 'run_id = ?', application, runId);

function repeatsIn(
  database: Database,
  where: string,
  application: number,
  ...values: SqlValue[]
): Repeats | null {
  const groups = database.all<RepeatedTests>(
    `SELECT count(*) FILTER (WHERE counted_passed = counted_evals) AS passed, count(*) AS count FROM test
     WHERE application = ? AND ${where} AND counted_evals > 0 AND ${inTimeAtEach('id')} 
     GROUP BY task_id, ${inputOf('test')}`,
    application,
    ...values,
  );
  const found = repeatsOf(groups);
  return (
    found && {
      ...found,
      passPowK: percent(found.passPowK),
      passAtK: percent(found.passAtK),
      flakiness: percent(found.flakiness),
    }
  );
}
