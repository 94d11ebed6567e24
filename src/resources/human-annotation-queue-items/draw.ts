import type { Database } from '../../storage/database.ts';
import { byIndex, bytesOf, inTimeAtEach } from '../../storage/dialect.ts';
import type { SqlFragment } from '../../storage/sql.ts';
import { VIA_DELIVERY } from '../../traces/rollup.ts';
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

/** Condition for a trace that holds spans of a test's app, or the input and the output of a conversation. */
const canBeJudged = (tkey: string): string => `(
  EXISTS (SELECT 1 FROM trace_test AS link WHERE link.tkey = ${tkey} AND via < ${VIA_DELIVERY})
  OR EXISTS (SELECT 1 FROM trace_preview AS preview
    WHERE preview.tkey = ${tkey} AND input IS NOT NULL AND output IS NOT NULL))`;

/** Condition for the first of the traces of a test that can be judged, so that each test is drawn once. */
const FIRST_OF_TEST = `NOT EXISTS (
  SELECT 1 FROM trace_test AS mine
  JOIN trace_test AS other ON other.application = mine.application AND other.test_id = mine.test_id
  WHERE mine.tkey = trace.tkey AND other.tkey < mine.tkey AND ${canBeJudged('other.tkey')})`;

/**
 * Returns ids of traces that have not been drawn for the queue (for `FAILED`: that have never been in it), all with
 * the same probability. A random draw takes one trace of each test, and other traces that have an input and an output;
 * traces that hold only deliveries of this service are left out. Not for the writer, because it reads all traces of the application.
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
  else where.push({ sql: `${canBeJudged('trace.tkey')} AND ${FIRST_OF_TEST}`, values: [] });
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
