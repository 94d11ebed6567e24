import type { Database, RowStatement } from '../storage/database.ts';
import { type GivenLog, giveRecords, recordsForTrace } from './awaiting-logs.ts';
import type { Side } from './content.ts';
import { scheduledTraces } from './due-traces.ts';
import { findTraceByKey } from './load.ts';
import { addLoggedToRow, type LoggedOfTrace } from './logged-row.ts';
import { OpenTrace, saysOfTrace } from './open-trace.ts';
import { setPreviews } from './preview.ts';
import { countLogs, MAX_TRACE_RECORDS } from './span-logs.ts';
import { type Candidate, EXPLICIT, previewText, TraceFlag } from './rollup.ts';
import { SPAN_KINDS } from './span-kinds.ts';
import { type SkeletonSpan, SpanFlag, type SpanSums } from './span.ts';
import type { TraceKey } from './trace-keys.ts';
import { setTraceSums } from './trace-row.ts';

/**
 * Refreshes a trace: computes the tokens, cost, input and output in its row again, from all its spans and log
 * records. A single batch does not show whether a span below one of its spans reports the same tokens, and contains
 * no log records.
 */
const DELAY_MS = 1_000;
/**
 * Delay per span: the larger the trace, the longer it may be stale, which keeps the cost a small share of the cost of
 * ingest.
 */
const DELAY_PER_SPAN_MS = 1;
/** Most spans of a trace that is refreshed; larger ones keep the values from their batches. */
const MAX_SPANS = 200_000;

const SCHEDULE_REFRESH: RowStatement = {
  sql: 'INSERT INTO refresh (application, tkey, due_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  columns: ['integer', 'integer', 'integer'],
};

/** Refreshes that one command schedules. */
export class Refreshes {
  private readonly due = new Map<number, TraceKey & { at: number }>();

  /** Schedules the refresh of a trace after a delay. `at` is the current time in Unix milliseconds. */
  add({ application, tkey }: TraceKey, at: number, spanCount: number): void {
    if (this.due.has(tkey)) return;
    this.due.set(tkey, { application, tkey, at: at + DELAY_MS + spanCount * DELAY_PER_SPAN_MS });
  }

  write(database: Database): void {
    const rows = [...this.due.values()].map(({ application, tkey, at }) => [application, tkey, at]);
    database.runMany(SCHEDULE_REFRESH, rows);
    this.due.clear();
  }
}

/** Schedules the refresh of one trace. */
export function scheduleRefresh(database: Database, key: TraceKey, at: number): void {
  const refreshes = new Refreshes();
  refreshes.add(key, at, 0);
  refreshes.write(database);
}

/** Schedules the refresh of a trace if it has log records. */
export function scheduleRefreshForLogs(database: Database, tkey: number, at: number): void {
  database.run(
    `INSERT INTO refresh (application, tkey, due_at)
     SELECT application, tkey, ? FROM trace WHERE tkey = ? AND EXISTS
       (SELECT 1 FROM span_log WHERE span_log.application = trace.application AND span_log.trace_id = trace.trace_id)
     ON CONFLICT DO NOTHING`,
    at + DELAY_MS,
    tkey,
  );
}

export const dueRefreshes = (database: Database, args: { now: number; limit: number }): number[] =>
  scheduledTraces(database, 'refresh', args);

export interface Refreshed {
  /** Version that changes with every batch of spans. */
  version: number;
  logs: number;
  sums: SpanSums;
  logged: LoggedOfTrace;
  input: Candidate | null;
  output: Candidate | null;
  /** Log records that waited for a response of the trace. */
  given: GivenLog[];
}

/** Computes the row of a trace from its spans; null when there is no such trace, or it is too large. */
export function workOutTrace(database: Database, { tkey }: { tkey: number }): Refreshed | null {
  const found = findTraceByKey(database, tkey);
  if (!found || found.trace.spanCount > MAX_SPANS) return null;
  const trace = new OpenTrace(database, found.trace);
  const logs = countLogs(database, found.trace.application, found.trace.traceId);
  return {
    version: found.version,
    logs,
    sums: { ...trace.sums },
    logged: loggedOf(trace),
    input: candidate(trace, 'input'),
    output: candidate(trace, 'output'),
    given: recordsForTrace(database, found.trace, trace, MAX_TRACE_RECORDS - logs),
  };
}

/** Returns the values that spans with log records add to the row of their trace. */
function loggedOf({ logged, loggedSession }: OpenTrace): LoggedOfTrace {
  let kinds = 0;
  let flags = 0;
  for (const span of logged) {
    kinds |= 1 << SPAN_KINDS.indexOf(span.kind);
    if (span.flags & SpanFlag.costKnown) flags |= TraceFlag.costKnown;
    if (span.flags & SpanFlag.costEstimated) flags |= TraceFlag.costEstimated;
  }
  const models = [...new Set(logged.flatMap(({ model }) => model ?? []))];
  return { kinds, flags, models, sessionId: loggedSession };
}

function candidate(trace: OpenTrace, side: Side): Candidate | null {
  const span = side === 'input' ? trace.inputSpan : trace.outputSpan;
  if (!span) return null;
  const text = previewText(trace.content(side));
  return { rank: rankOf(trace, span, side), at: side === 'input' ? span.start : span.end, text };
}

/** Returns the rank that a batch of all spans would give a span: 0 = root, 1 = its parent is not stored. */
function rankOf({ tree }: OpenTrace, span: SkeletonSpan, side: Side): number {
  if (span.flags & SpanFlag.traceEvent || saysOfTrace(span, side)) return EXPLICIT;
  if (span.parentId === null) return 0;
  let rank = 1;
  for (let above = tree.byId.get(span.id)?.parent; above?.span; above = above.parent) rank += 1;
  return rank;
}

/**
 * Stores the result computed at `asOf`. Returns false when spans or log records have arrived in the meantime, or the trace
 * gets log records that waited for it; the trace is then due again.
 */
export function finishRefresh(
  database: Database,
  { tkey, asOf, refreshed }: { tkey: number; asOf: number; refreshed: Refreshed | null },
): boolean {
  const row = database.get<{ version: number; application: number; traceId: Buffer }>(
    'SELECT next_seq AS version, application, trace_id AS traceId FROM trace WHERE tkey = ?',
    tkey,
  );
  const isStale =
    row &&
    refreshed &&
    (row.version !== refreshed.version ||
      countLogs(database, row.application, row.traceId) !== refreshed.logs);
  if (row && refreshed)
    giveRecords(database, { application: row.application, tkey }, row.traceId, refreshed.given);
  if (isStale || (row && refreshed && refreshed.given.length > 0)) {
    database.run('UPDATE refresh SET due_at = ? WHERE tkey = ?', asOf + DELAY_MS, tkey);
    return false;
  }
  if (row && refreshed) {
    setTraceSums(database, { application: row.application, tkey }, refreshed.sums);
    addLoggedToRow(database, { application: row.application, tkey }, refreshed.logged);
    setPreviews(database, tkey, refreshed.input, refreshed.output);
  }
  database.run('DELETE FROM refresh WHERE tkey = ?', tkey);
  return true;
}
