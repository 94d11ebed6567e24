import type { Database } from '../storage/database.ts';
import { numbersOf } from '../storage/dialect.ts';
import type { SqlFragment } from '../storage/sql.ts';
import type { Owner } from '../contract/owner.ts';
import { flagNames, formatNs } from './format.ts';
import { findStoredTrace, type StoredTrace, storedTrace, testsOfTraces, TRACE_ROW_COLUMNS } from './load.ts';
import { parseJson } from './conventions/json.ts';
import { BOUNDED, findLargest, isBounded } from './largest-traces.ts';
import { countedPage, type PageOf } from '../storage/counted-page.ts';
import { jsonBytes, traceSummary } from './read.ts';
import { asFields } from './step.ts';
import { type TraceFilter, TraceWhere } from './trace-where.ts';

export interface ListTraces extends Owner, Window {
  filter: TraceFilter;
}

/** Page of the matching traces. */
export interface Window extends PageOf {
  /** Default: timestamp. */
  orderBy?: TraceOrder;
  orderDir: 'asc' | 'desc';
}

export const TRACE_ORDERS = [
  'timestamp',
  'createdAt',
  'durationMs',
  'cost',
  'totalTokens',
  'spanCount',
  'modifiedAt',
  'id',
] as const;
export type TraceOrder = (typeof TRACE_ORDERS)[number];

/** SQL of the fields that traces can be sorted by. Timestamps have an index, the bounded fields their key ranges. */
const SORT_KEYS: Readonly<Record<TraceOrder, string>> = {
  timestamp: 'start_ns',
  // Keys grow in the order in which traces are created.
  createdAt: 'tkey',
  durationMs: BOUNDED.durationMs.value,
  cost: BOUNDED.cost.value,
  totalTokens: BOUNDED.totalTokens.value,
  spanCount: 'span_count',
  modifiedAt: 'updated_at',
  id: 'trace_id',
};

/** Returns `{ data: [Trace without steps], pagination }` as JSON bytes. */
export function listTraces(
  database: Database,
  { filter, skip, limit, orderBy = 'timestamp', orderDir, ...owner }: ListTraces,
): Uint8Array {
  const where = new TraceWhere(database, owner.application, filter);
  const largest = findPage(database, owner, { where, skip, limit, orderBy, orderDir });
  const data = largest
    ? traceItems(database, owner, largest, { skip: 0, limit, orderBy, orderDir })
    : traceItems(database, owner, where, { skip, limit, orderBy, orderDir });
  const pagination = countedPage(database, where.matches, { skip, limit }, data.length);
  return jsonBytes({ data, pagination, ...shownSearch(where) });
}

/** Part of a response about the search through the steps of traces; empty if the filter needs none. */
export interface ShownSearch {
  searched?: { from: string | null; to: string | null; isComplete: boolean };
}

/** Returns the part of a response about the search through steps: from the start of the oldest to that of the newest trace. */
export function shownSearch({ searched }: Pick<TraceWhere, 'searched'>): ShownSearch {
  if (searched === null) return {};
  const { newest, oldest, isComplete } = searched;
  return {
    searched: { from: oldest && formatNs(oldest.start), to: newest && formatNs(newest.start), isComplete },
  };
}

/** Last place in a list that is worth a search by key ranges, which reads every range with a larger trace. */
const MAX_RANK = 1_000;

/** Returns the condition of the traces of a page that begins with the largest, or null if all traces must be compared. */
function findPage(
  database: Database,
  owner: Owner,
  { where, skip, limit, orderBy, orderDir }: Required<Window> & { where: TraceWhere },
): SqlFragment | null {
  if (orderDir === 'asc' || !isBounded(orderBy) || where.isLookedUp || skip + limit > MAX_RANK) return null;
  const { startDate, endDate } = where;
  const found = findLargest(database, {
    application: owner.application,
    where,
    field: orderBy,
    count: skip + limit,
    startDate,
    endDate,
  });
  if (!found) return null;
  return { sql: `trace.tkey IN ${numbersOf('?')}`, values: [JSON.stringify(found.slice(skip).map(Number))] };
}

/** Returns the traces that meet `where`, without their steps. */
export function traceItems(
  database: Database,
  owner: Owner,
  where: SqlFragment,
  { skip, limit, orderBy = 'timestamp', orderDir }: Window,
): unknown[] {
  const direction = orderDir === 'asc' ? 'ASC' : 'DESC';
  const order = `${SORT_KEYS[orderBy]} ${direction}, trace_id ${direction}`;
  // The inner query reads only an index in the order of timestamps, so that deep pages stay cheap.
  const rows = database.allExact<Parameters<typeof storedTrace>[0] & Previews>(
    `SELECT ${TRACE_ROW_COLUMNS}, input, output, metadata FROM trace LEFT JOIN trace_preview USING (application, tkey)
     WHERE trace.tkey IN (SELECT tkey FROM trace WHERE ${where.sql}
       ORDER BY ${order} LIMIT ? OFFSET ?)
     ORDER BY ${order}`,
    ...where.values,
    limit,
    skip,
  );
  const traces = rows.map(storedTrace);
  const testIds = testsOfTraces(database, traces);
  return rows.map((row, index) => {
    const trace = traces[index] as StoredTrace;
    return listItem(trace, testIds.get(trace.tkey) ?? [], row, owner);
  });
}

/**
 * Returns a trace as lists show it, `{ data }` as JSON bytes, or null: without its steps, and with truncated texts. Reads its row
 * alone, so that this takes the same time for a trace of any size.
 */
export function readTraceSummary(
  database: Database,
  { traceIds, ...owner }: Owner & { traceIds: Uint8Array[] },
): Uint8Array | null {
  const trace = findStoredTrace(database, owner.application, traceIds);
  if (!trace) return null;
  const where = {
    sql: 'trace.application = ? AND trace.tkey = ?',
    values: [trace.application, trace.tkey],
  };
  const [data] = traceItems(database, owner, where, { skip: 0, limit: 1, orderDir: 'asc' });
  return jsonBytes({ data });
}

interface Previews {
  input: string | null;
  output: string | null;
  metadata: string | null;
}

function listItem(trace: StoredTrace, testIds: readonly string[], previews: Previews, owner: Owner): unknown {
  return {
    ...traceSummary(trace, testIds, owner),
    metadata: previews.metadata === null ? null : asFields('metadata', parseJson(previews.metadata)),
    input: previews.input,
    output: previews.output,
    flags: flagNames(trace.flags),
  };
}
