import type { Database } from '../../storage/database.ts';
import { byIndex, bytesOf, inTimeAtEach } from '../../storage/dialect.ts';
import type { SqlFragment } from '../../storage/sql.ts';
import { SAMPLE } from '../../traces/trace-attributes.ts';
import { timeRange } from '../traces/contract.ts';
import type { DrawBody } from './contract.ts';

type Selection = DrawBody['selection'];

/**
 * Condition for traces that are not in the queue. A random draw ignores items added because they failed; otherwise
 * fewer failures would be drawn than there are.
 */
const notInQueue = (queueId: string, selection: Selection): SqlFragment => ({
  // Otherwise SQLite would scan all items of the queue for each trace.
  sql: `NOT EXISTS (SELECT 1 FROM annotation_queue_item AS item ${byIndex('annotation_queue_item_by_trace')}
    WHERE item.application = trace.application AND item.trace_id = trace.trace_id AND item.queue_id = ?${selection === 'RANDOM' ? " AND selection = 'RANDOM'" : ''})`,
  values: [queueId],
});

const NO_SAMPLE = 'tkey NOT IN (SELECT tkey FROM trace_attr WHERE application = ? AND key = ?)';

/** Condition for a trace with a failed eval, of itself or of a test that it belongs to. */
const HAS_FAILED = `(
  trace_id IN (SELECT trace_id FROM eval WHERE application = ? AND passed = 0 AND superseded = 0)
  OR tkey IN (SELECT tkey FROM trace_test WHERE application = ? AND test_id IN (
    SELECT ${bytesOf('test_id')} FROM eval WHERE application = ? AND passed = 0 AND superseded = 0)))`;

/**
 * Returns ids of traces that have not been drawn for the queue (for `FAILED`: that have never been in it), all with
 * the same probability. Not for the writer, because it reads all traces of the application.
 */
export function drawTraces(
  database: Database,
  { application, draw }: { application: number; draw: DrawBody },
): Uint8Array[] {
  const { startDate, endDate } = timeRange(draw);
  const where: SqlFragment[] = [
    { sql: `application = ? AND ${inTimeAtEach('tkey')}`, values: [application] },
    { sql: NO_SAMPLE, values: [application, SAMPLE] },
    notInQueue(draw.queueId, draw.selection),
  ];
  if (startDate !== undefined) where.push({ sql: 'start_ns >= ?', values: [startDate] });
  if (endDate !== undefined) where.push({ sql: 'start_ns <= ?', values: [endDate] });
  if (draw.selection === 'FAILED')
    where.push({ sql: HAS_FAILED, values: [application, application, application] });
  return database
    .all<{ traceId: Buffer }>(
      `SELECT trace_id AS traceId FROM trace WHERE ${where.map(({ sql }) => sql).join(' AND ')}
       ORDER BY random() LIMIT ?`,
      ...where.flatMap(({ values }) => values),
      draw.count,
    )
    .map(({ traceId }) => traceId);
}

/** Reports whether a trace exists and can still be drawn. */
export function isFree(
  database: Database,
  {
    application,
    queueId,
    selection,
    traceId,
  }: { application: number; queueId: string; selection: Selection; traceId: Uint8Array },
): boolean {
  const { sql, values } = notInQueue(queueId, selection);
  const found = `SELECT 1 FROM trace WHERE application = ? AND trace_id = ? AND ${sql}`;
  return database.get(found, application, traceId, ...values) !== undefined;
}
