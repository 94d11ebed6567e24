import type { Database } from '../storage/database.ts';
import { orderedJoin } from '../storage/dialect.ts';
import { parseId } from './ids.ts';

/**
 * Returns the SQL of the traces that a test is linked to, of the application `:application`; conditions and an order may follow.
 * `testId` is an SQL value. It starts with the links: by itself, SQLite walks all traces where an index has the wanted order.
 */
export const tracesOfTest = (testId = ':testId'): string =>
  `trace_test ${orderedJoin} trace USING (tkey)
   WHERE trace_test.application = :application AND trace.application = :application AND test_id = ${testId}`;

/** Returns the id of the first trace of the app, else that of the delivery; null without any. */
export function firstTraceOfTest(database: Database, application: number, testId: string): Uint8Array | null {
  const row = database.get<{ traceId: Buffer }>(
    `SELECT trace_id AS traceId FROM ${tracesOfTest()} ORDER BY via = 2, start_ns, trace_id LIMIT 1`,
    { application, testId: parseId(testId) },
  );
  return row?.traceId ?? null;
}
