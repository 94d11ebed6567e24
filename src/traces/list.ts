import type { Database, SqlValue } from '../storage/database.ts';
import { containsText, inTime, numbersOf, orderedJoin } from '../storage/dialect.ts';
import type { SqlFragment } from '../storage/sql.ts';
import type { Owner } from '../contract/owner.ts';
import { flagNames } from './format.ts';
import { parseId } from './ids.ts';
import { findStoredTrace, type StoredTrace, storedTrace, testsOfTraces, TRACE_ROW_COLUMNS } from './load.ts';
import { parseJson } from './conventions/json.ts';
import { SAMPLE } from './trace-attributes.ts';
import { BOUNDED, findLargest, isBounded } from './largest-traces.ts';
import { countedPage, countMatches, type PageOf } from '../storage/counted-page.ts';
import { jsonBytes, traceSummary } from './read.ts';
import { asFields } from './step.ts';
import { spellingsOf } from './subject-ids.ts';

export interface TraceFilter {
  /** The 16 bytes of trace ids. */
  traceIds?: Uint8Array[] | undefined;
  testId?: string[] | undefined;
  /** True to include traces of sample tests; a filter by test includes them in any case. */
  includeSamples?: boolean | undefined;
  sessionId?: string[] | undefined;
  userId?: string[] | undefined;
  model?: string[] | undefined;
  kind?: string[] | undefined;
  tag?: string[] | undefined;
  environment?: string[] | undefined;
  provider?: string[] | undefined;
  metadataKey?: string | undefined;
  metadataValue?: string | undefined;
  hasErrors?: boolean | undefined;
  minDurationMs?: number | undefined;
  maxDurationMs?: number | undefined;
  minCost?: number | undefined;
  maxCost?: number | undefined;
  minTokens?: number | undefined;
  maxTokens?: number | undefined;
  /** Bounds of the mean score of its evals, 0 to 1. */
  minScore?: number | undefined;
  maxScore?: number | undefined;
  /** Part of the root's name, of a preview, or of the session or user id, ignoring case. */
  search?: string | undefined;
  /** Start of the range in Unix nanoseconds, inclusive. */
  startDate?: bigint | undefined;
  endDate?: bigint | undefined;
  /** Trace after which the list begins, the newest first. */
  after?: TracePlace | undefined;
}

/** Place of a trace in the order of timestamps. */
export interface TracePlace {
  /** Start of the trace, in Unix nanoseconds. */
  start: bigint;
  traceId: Uint8Array;
}

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

/** Mean score of the current evals of a trace, or of the test whose first trace it is; NULL without any. */
const MEAN_SCORE = `(SELECT avg(normalised) FROM eval
  WHERE eval.application = trace.application AND eval.trace_id = trace.trace_id AND superseded = 0)`;

/** Earlier than the start of any trace. */
const BEFORE_ALL = '-9223372036854775807';

/**
 * Number of traces up to which those with a property are looked up first; for a more common property each trace is
 * checked.
 */
const RARE = 5_000;

/** Returns `{ data: [Trace without steps], pagination }` as JSON bytes. */
export function listTraces(
  database: Database,
  { filter, skip, limit, orderBy = 'timestamp', orderDir, ...owner }: ListTraces,
): Uint8Array {
  const where = new TraceWhere(database, owner.application, filter);
  const largest = findPage(database, owner, { filter, where, skip, limit, orderBy, orderDir });
  const data = largest
    ? traceItems(database, owner, largest, { skip: 0, limit, orderBy, orderDir })
    : traceItems(database, owner, where, { skip, limit, orderBy, orderDir });
  const pagination = countedPage(database, where.matches, { skip, limit }, data.length);
  return jsonBytes({ data, pagination });
}

/** Last place in a list that is worth a search by key ranges, which reads every range with a larger trace. */
const MAX_RANK = 1_000;

/** Returns the condition of the traces of a page that begins with the largest, or null if all traces must be compared. */
function findPage(
  database: Database,
  owner: Owner,
  {
    filter,
    where,
    skip,
    limit,
    orderBy,
    orderDir,
  }: Required<Window> & { filter: TraceFilter; where: TraceWhere },
): SqlFragment | null {
  if (orderDir === 'asc' || !isBounded(orderBy) || where.isLookedUp || skip + limit > MAX_RANK) return null;
  const { startDate, endDate } = filter;
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

/** The WHERE clause of a list. No part of a request becomes SQL text. */
export class TraceWhere implements SqlFragment {
  /** The time limit is the first condition, because a row that fails one condition is not tested by the next. */
  private readonly conditions: SqlFragment[];
  /** A condition that many traces meet, and the query that finds them, each once. */
  private common: { condition: SqlFragment; found: SqlFragment } | null = null;
  /** True if a condition names the few traces that can match. */
  isLookedUp = false;
  private readonly database: Database;
  private readonly application: number;

  constructor(database: Database, application: number, filter: TraceFilter) {
    this.database = database;
    this.application = application;
    this.conditions = [
      { sql: 'application = ?', values: [application] },
      { sql: inTime('tkey'), values: [] },
    ];
    if (filter.traceIds) {
      this.lookUp(`trace_id IN (${marks(filter.traceIds)})`, ...filter.traceIds);
    }
    if (filter.after) {
      const { start, traceId } = filter.after;
      this.add('(start_ns, trace_id) < (?, ?)', start, traceId);
    }
    if (filter.testId) {
      const ids = filter.testId.map(parseId);
      this.lookUp(
        `tkey IN (SELECT tkey FROM trace_test WHERE application = ? AND test_id IN (${marks(ids)}))`,
        application,
        ...ids,
      );
    }
    if (!filter.testId && !filter.includeSamples) {
      // Looked up once through an index; a test of the flag itself would read every row.
      this.add(
        'tkey NOT IN (SELECT tkey FROM trace_attr WHERE application = ? AND key = ?)',
        application,
        SAMPLE,
      );
    }
    if (filter.sessionId) this.column('session_id', filter.sessionId.flatMap(spellingsOf));
    if (filter.userId) this.column('user_id', filter.userId.flatMap(spellingsOf));
    if (filter.model) this.attribute('model', filter.model);
    if (filter.kind) this.attribute('kind', filter.kind);
    if (filter.tag) this.attribute('tag', filter.tag);
    if (filter.environment) this.attribute('environment', filter.environment);
    if (filter.provider) this.attribute('provider', filter.provider);
    if (filter.metadataKey !== undefined) {
      this.attribute(
        `metadata.${filter.metadataKey}`,
        filter.metadataValue === undefined ? [] : [filter.metadataValue],
      );
    }
    if (filter.hasErrors !== undefined) this.add(filter.hasErrors ? 'error_count > 0' : 'error_count = 0');
    if (filter.minDurationMs !== undefined)
      this.add('end_ns - start_ns >= ?', nanoseconds(filter.minDurationMs));
    if (filter.maxDurationMs !== undefined)
      this.add('end_ns - start_ns <= ?', nanoseconds(filter.maxDurationMs));
    if (filter.minCost !== undefined) this.add('cost >= ?', filter.minCost);
    if (filter.maxCost !== undefined) this.add('cost <= ?', filter.maxCost);
    if (filter.minTokens !== undefined) this.add('total_tokens >= ?', filter.minTokens);
    if (filter.maxTokens !== undefined) this.add('total_tokens <= ?', filter.maxTokens);
    if (filter.minScore !== undefined) this.add(`${MEAN_SCORE} >= ?`, filter.minScore);
    if (filter.maxScore !== undefined) this.add(`${MEAN_SCORE} <= ?`, filter.maxScore);
    if (filter.startDate !== undefined) this.add('start_ns >= ?', filter.startDate);
    if (filter.endDate !== undefined) this.add('start_ns <= ?', filter.endDate);
    if (filter.search !== undefined) this.search(filter.search);
    // True of every trace. Without it, SQLite would walk the index of ids, in whose order rows lie anywhere in the file.
    if (!this.isLookedUp && filter.startDate === undefined) this.add(`start_ns > ${BEFORE_ALL}`);
  }

  get sql(): string {
    return allOf(this.conditions).sql;
  }

  get values(): SqlValue[] {
    return allOf(this.conditions).values;
  }

  /**
   * Returns SQL with a row for each match. The order is irrelevant, so the common condition is scanned instead of all
   * traces.
   */
  get matches(): SqlFragment {
    const { common, conditions } = this;
    const { sql, values } = allOf(conditions.filter((condition) => condition !== common?.condition));
    if (common === null) return { sql: `SELECT 1 FROM trace WHERE ${sql}`, values };
    return {
      sql: `SELECT 1 FROM (${common.found.sql}) ${orderedJoin} trace USING (tkey) WHERE ${sql}`,
      values: [...common.found.values, ...values],
    };
  }

  private add(sql: string, ...values: SqlValue[]): SqlFragment {
    const condition = { sql, values };
    this.conditions.push(condition);
    return condition;
  }

  /** Adds a condition that few traces meet, which are looked up. */
  private lookUp(sql: string, ...values: SqlValue[]): void {
    this.isLookedUp = true;
    this.add(sql, ...values);
  }

  /**
   * Adds a condition on an indexed column. For one value the index returns traces in order; for several they are
   * looked up first.
   */
  private column(name: 'session_id' | 'user_id', wanted: readonly string[]): void {
    if (wanted.length === 1) this.add(`${name} = ?`, ...wanted);
    else {
      const found = `SELECT tkey FROM trace WHERE application = ? AND ${name} IN (${marks(wanted)})`;
      this.lookUp(`tkey IN (${found})`, this.application, ...wanted);
    }
  }

  /** Adds a condition on a multi-valued property: one of `wanted`, or any value when that is empty. */
  private attribute(key: string, wanted: readonly string[]): void {
    const match = `application = ? AND key = ?${wanted.length > 0 ? ` AND value IN (${marks(wanted)})` : ''}`;
    const values = [this.application, key, ...wanted];
    const found = { sql: `SELECT tkey FROM trace_attr WHERE ${match}`, values };
    if (countMatches(this.database, found, RARE + 1) <= RARE)
      this.lookUp(`tkey IN (${found.sql})`, ...values);
    else {
      const correlated = match.replace('application = ?', 'a.application = ?');
      const condition = this.add(
        `EXISTS (SELECT 1 FROM trace_attr AS a WHERE ${correlated} AND a.tkey = trace.tkey)`,
        ...values,
      );
      if (wanted.length === 1) this.common ??= { condition, found };
    }
  }

  /**
   * Adds a full-text condition, which has no index. For each trace that meets the other conditions, two rows are read
   * and five short texts compared, about 2 µs when the file is in memory. A search through a million traces takes
   * seconds, at most the time limit.
   */
  private search(part: string): void {
    this.add(
      `EXISTS (SELECT 1 FROM trace_preview AS p WHERE p.tkey = trace.tkey
         AND ${containsText('?', 'root_name', 'session_id', 'user_id', 'p.input', 'p.output')})`,
      part,
    );
  }
}

const allOf = (conditions: readonly SqlFragment[]): { sql: string; values: SqlValue[] } => ({
  sql: conditions.map(({ sql }) => sql).join(' AND '),
  values: conditions.flatMap(({ values }) => values),
});

function marks(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}

function nanoseconds(milliseconds: number): bigint {
  return BigInt(Math.round(Math.min(milliseconds, 9e12) * 1e6));
}
