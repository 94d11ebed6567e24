import type { Database } from '../../storage/database.ts';
import { each, orderedJoin } from '../../storage/dialect.ts';
import type { TestOutcome } from '../../tests/outcome/outcome.ts';
import type { Run } from './contract.ts';

/** Name of each outcome among the counts of a run. */
const COUNT_OF_OUTCOME = {
  PASSED: 'passed',
  FAILED: 'failed',
  APP_ERROR: 'appError',
  NO_VERDICT: 'noVerdict',
  NOT_RUN: 'notRun',
  RUNNING: 'running',
} as const satisfies Record<TestOutcome, keyof Run['outcomes']>;

export const NO_OUTCOMES: Run['outcomes'] = {
  passed: 0,
  failed: 0,
  appError: 0,
  noVerdict: 0,
  notRun: 0,
  running: 0,
};

/** Counts the tests of runs by outcome; runs without tests are absent. */
export function outcomesOfRuns(
  database: Database,
  application: number,
  ids: readonly string[],
): Map<string, Run['outcomes']> {
  const rows = database.all<{ id: string; outcome: TestOutcome; n: number }>(
    `SELECT value AS id, outcome, count(*) AS n FROM ${each(':ids')}
       ${orderedJoin} test_result ON application = :application AND run_id = value GROUP BY value, outcome
     UNION ALL
     SELECT value, 'RUNNING', count(*) FROM ${each(':ids')}
       ${orderedJoin} test ON application = :application AND run_id = value AND status IN ('PENDING', 'IN_PROGRESS')
     GROUP BY value`,
    { application, ids: JSON.stringify(ids) },
  );
  const counts = new Map<string, Run['outcomes']>();
  for (const { id, outcome, n } of rows)
    counts.set(id, { ...(counts.get(id) ?? NO_OUTCOMES), [COUNT_OF_OUTCOME[outcome]]: n });
  return counts;
}
