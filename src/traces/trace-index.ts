import type { Database } from '../storage/sqlite/database.ts';
import { parseId } from './ids.ts';
import { traceTests } from './load.ts';
import type { Rollup, TestLink } from './rollup.ts';

/** Links a trace to the tests its spans name. */
export function storeTests(
  database: Database,
  application: number,
  tkey: number,
  tests: readonly TestLink[],
): void {
  for (const { testId, first, via } of tests) {
    database.run(
      `INSERT INTO trace_test (application, test_id, tkey, first_ns, via) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET first_ns = excluded.first_ns, via = excluded.via
         WHERE (excluded.via = 2, excluded.first_ns, excluded.via) < (via = 2, first_ns, via)`,
      application,
      parseId(testId),
      tkey,
      first,
      via,
    );
  }
}

/** How soon after spans of it a test is looked at, when more may be on their way. */
const LOOK_AGAIN_MS = 1_000;

/** Tests of a trace that a batch touches besides those its spans name; of more, the earliest. */
const MAX_TOUCHED = 1_000;

/**
 * Notes on the tests that a trace carries that spans arrived: on those its spans name, and on at most `room` others; on how
 * many others. Ids that are no test of ours match nothing.
 */
export function touchTests(
  database: Database,
  { application, tkey, at, room }: { application: number; tkey: number; at: number; room: number },
  { tests }: Rollup,
): number {
  const named = new Set(tests.map(({ testId }) => testId));
  const others = room > 0 ? traceTests(database, tkey, Math.min(MAX_TOUCHED, room)) : [];
  for (const testId of new Set([...named, ...others])) {
    database.run(
      `UPDATE test SET last_span_at = ?, check_at = CASE WHEN last_span_at IS NULL THEN ? ELSE ? END
       WHERE application = ? AND id = ?`,
      at,
      at,
      at + LOOK_AGAIN_MS,
      application,
      testId,
    );
  }
  return others.filter((testId) => !named.has(testId)).length;
}

/** Whether one of the tests is a sample that tried the webhook out. */
export function hasSample(database: Database, application: number, rollup: Rollup): boolean {
  return rollup.tests.some(
    ({ testId }) =>
      database.get(
        'SELECT 1 FROM sample_test WHERE application = ? AND test_id = ?',
        application,
        parseId(testId),
      ) !== undefined,
  );
}
