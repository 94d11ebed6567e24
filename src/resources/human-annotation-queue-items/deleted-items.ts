import type { Database } from '../../storage/database.ts';
import { byIndex } from '../../storage/dialect.ts';
import { formatUuid } from '../../traces/ids.ts';

/** Keeps what a sample needs to know of the items of a trace that were drawn at random, before the trace is deleted. */
export function keepDeletedItems(
  database: Database,
  { application, traceId, at }: { application: number; traceId: Uint8Array; at: number },
): void {
  const of = { application, traceId };
  const drawn = database.get(
    `SELECT 1 FROM annotation_queue_item ${byIndex('annotation_queue_item_by_trace')}
     WHERE application = :application AND trace_id = :traceId AND drawn_at IS NOT NULL LIMIT 1`,
    of,
  );
  if (drawn === undefined) return;
  const tests = database
    .all<{ testId: Buffer }>(
      `SELECT test_id AS "testId" FROM trace JOIN trace_test
         ON trace_test.application = trace.application AND trace_test.tkey = trace.tkey
       WHERE trace.application = :application AND trace.trace_id = :traceId`,
      of,
    )
    .map(({ testId }) => formatUuid(testId));
  database.run(
    `INSERT INTO deleted_item (application, id, trace_id, tests, eval_definition_id, drawn_at, place, weight, deleted_at)
     SELECT application, id, trace_id, :tests, eval_definition_id, drawn_at, coalesce(place, 0), coalesce(weight, 1), :at
     FROM annotation_queue_item ${byIndex('annotation_queue_item_by_trace')}
     WHERE application = :application AND trace_id = :traceId AND drawn_at IS NOT NULL
     ON CONFLICT DO NOTHING`,
    { ...of, tests: JSON.stringify(tests), at },
  );
}
