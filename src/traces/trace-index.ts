import type { Database } from '../storage/database.ts';
import { parseId } from './ids.ts';
import { traceTests } from './load.ts';
import type { Rollup, TestLink } from './rollup.ts';
import type { TestTouches } from './test-touches.ts';

/** Links a trace to the tests of its spans. */
export function storeTests(
  database: Database,
  application: number,
  tkey: number,
  tests: readonly TestLink[],
): void {
  for (const { testId, first, via } of tests) {
    database.run(
      `INSERT INTO trace_test (application, test_id, tkey, first_ns, via) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (application, test_id, tkey) DO UPDATE SET first_ns = excluded.first_ns, via = excluded.via
         WHERE (excluded.via = 2, excluded.first_ns, excluded.via)
           < (trace_test.via = 2, trace_test.first_ns, trace_test.via)`,
      application,
      parseId(testId),
      tkey,
      first,
      via,
    );
  }
}

/** Most tests of a trace that a batch touches besides those of its spans; the earliest ones first. */
const MAX_TOUCHED = 1_000;

/**
 * Records that spans of the tests of a trace have arrived: of those that its spans carry, and of at most `room`
 * others. Returns the number of others. Ids may not belong to tests of the service.
 */
export function touchTests(
  database: Database,
  { application, tkey, at, room }: { application: number; tkey: number; at: number; room: number },
  { tests }: Rollup,
  touches: TestTouches,
): number {
  const named = new Set(tests.map(({ testId }) => testId));
  const others = room > 0 ? traceTests(database, tkey, Math.min(MAX_TOUCHED, room)) : [];
  for (const testId of new Set([...named, ...others])) touches.add({ application, testId, at });
  return others.filter((testId) => !named.has(testId)).length;
}

/** Reports whether one of the tests is a sample test of the webhook. */
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
