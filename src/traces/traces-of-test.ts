import type { Database } from '../storage/database.ts';
import { orderedJoin } from '../storage/dialect.ts';
import { parseId } from './ids.ts';
import { VIA_DELIVERY, VIA_LONE_DELIVERY } from './rollup.ts';

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

/**
 * Condition that a trace with what a test did has been deleted, of the application `:application`. Links to a deleted
 * trace remain until its removal reaches them. A deleted delivery alone says nothing about the app if a trace of the app is stored.
 * Without one it counts, because later spans of that trace are rejected. `testId` is an SQL value.
 */
export const hasDeletedTrace = (testId = ':testId'): string =>
  `EXISTS (
     SELECT 1 FROM trace_test AS link WHERE link.application = :application AND link.test_id = ${testId}
       AND NOT EXISTS (SELECT 1 FROM trace WHERE trace.tkey = link.tkey)
       AND (via <> ${VIA_LONE_DELIVERY} OR NOT EXISTS (
         SELECT 1 FROM ${tracesOfTest(testId)} AND via < ${VIA_DELIVERY})))`;
