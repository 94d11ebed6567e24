import type { Database } from '../../storage/database.ts';
import { bytesOf, each, hexOf } from '../../storage/dialect.ts';
import { shownTraceId } from '../../traces/ids.ts';
import { tracesOfTest } from '../../traces/traces-of-test.ts';

/** Returns the earliest trace of the app of each test, as the API shows its id. Tests without a trace are absent. */
export function firstTraces(
  database: Database,
  application: number,
  testIds: readonly string[],
): Map<string, string> {
  const rows = database.all<{ testId: string; trace: string | null }>(
    `SELECT value AS testId, (
       SELECT native || ${hexOf('trace_id')} FROM ${tracesOfTest(bytesOf('value'))} AND via <> 2
       ORDER BY start_ns, trace_id LIMIT 1) AS trace
     FROM ${each(':testIds')}`,
    { application, testIds: JSON.stringify(testIds) },
  );
  return new Map(
    rows.flatMap(({ testId, trace }) => (trace === null ? [] : [[testId, shownTraceId(trace)]])),
  );
}
