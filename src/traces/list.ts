import type { Database, SqlValue } from '../storage/sqlite/database.ts';
import { flagNames } from './format.ts';
import { parseId } from './ids.ts';
import { type StoredTrace, storedTrace, TRACE_COLUMNS, traceTests } from './load.ts';
import { parseJson } from './mapping.ts';
import { jsonBytes, type Owner, traceSummary } from './read.ts';

export interface TraceFilter {
  testId?: string[] | undefined;
  sessionId?: string[] | undefined;
  userId?: string[] | undefined;
  model?: string[] | undefined;
  kind?: string[] | undefined;
  tag?: string[] | undefined;
  metadataKey?: string | undefined;
  metadataValue?: string | undefined;
  hasErrors?: boolean | undefined;
  minDurationMs?: number | undefined;
  maxDurationMs?: number | undefined;
  minCost?: number | undefined;
  maxCost?: number | undefined;
  /** Unix nanoseconds, inclusive. */
  startDate?: bigint | undefined;
  endDate?: bigint | undefined;
}

export interface ListTraces extends Owner {
  filter: TraceFilter;
  skip: number;
  limit: number;
  orderDir: 'asc' | 'desc';
}

/** Beyond this many matches `total` is not counted any further. */
const MAX_TOTAL = 10_000;
/** A property of at most this many traces is looked up first; a commoner one is checked trace by trace. */
const RARE = 5_000;

/** `{ data: [Trace without steps], pagination }` as JSON bytes, ordered by timestamp. */
export function listTraces(
  database: Database,
  { filter, skip, limit, orderDir, ...owner }: ListTraces,
): Uint8Array {
  const where = new Where(database, owner.application, filter);
  const direction = orderDir === 'asc' ? 'ASC' : 'DESC';
  // The inner query walks an index and nothing else, so that deep pages stay cheap.
  const rows = database.allExact<Parameters<typeof storedTrace>[0] & Previews>(
    `SELECT ${TRACE_COLUMNS}, input, output, metadata FROM trace LEFT JOIN trace_preview USING (tkey)
     WHERE trace.tkey IN (SELECT tkey FROM trace WHERE ${where.sql}
       ORDER BY start_ns ${direction}, trace_id ${direction} LIMIT ? OFFSET ?)
     ORDER BY start_ns ${direction}, trace_id ${direction}`,
    ...where.values,
    limit,
    skip,
  );
  const counted =
    database.get<{ n: number }>(
      `SELECT count(*) AS n FROM (SELECT 1 FROM trace WHERE ${where.sql} LIMIT ${MAX_TOTAL + 1})`,
      ...where.values,
    )?.n ?? 0;
  const total = Math.min(counted, MAX_TOTAL);
  return jsonBytes({
    data: rows.map((row) => listItem(database, storedTrace(row), row, owner)),
    pagination: {
      skip,
      limit,
      total,
      totalPages: Math.ceil(total / limit),
      ...(counted > MAX_TOTAL ? { totalExceeded: true } : {}),
    },
  });
}

interface Previews {
  input: string | null;
  output: string | null;
  metadata: string | null;
}

function listItem(database: Database, trace: StoredTrace, previews: Previews, owner: Owner): unknown {
  return {
    ...traceSummary(trace, traceTests(database, trace.tkey), owner),
    metadata: previews.metadata === null ? null : parseJson(previews.metadata),
    input: previews.input,
    output: previews.output,
    flags: flagNames(trace.flags),
  };
}

/** The WHERE clause of a list, with the values it binds. Nothing of a request ever becomes SQL text. */
class Where {
  private readonly conditions: string[] = ['application = ?'];
  readonly values: SqlValue[];
  private readonly database: Database;
  private readonly application: number;

  constructor(database: Database, application: number, filter: TraceFilter) {
    this.database = database;
    this.application = application;
    this.values = [application];
    if (filter.testId) {
      const ids = filter.testId.map(parseId);
      this.add(
        `tkey IN (SELECT tkey FROM trace_test WHERE application = ? AND test_id IN (${marks(ids)}))`,
        application,
        ...ids,
      );
    }
    if (filter.sessionId) this.column('session_id', filter.sessionId);
    if (filter.userId) this.column('user_id', filter.userId);
    if (filter.model) this.attribute('model', filter.model);
    if (filter.kind) this.attribute('kind', filter.kind);
    if (filter.tag) this.attribute('tag', filter.tag);
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
    if (filter.startDate !== undefined) this.add('start_ns >= ?', filter.startDate);
    if (filter.endDate !== undefined) this.add('start_ns <= ?', filter.endDate);
    this.add('in_time(tkey)');
  }

  get sql(): string {
    return this.conditions.join(' AND ');
  }

  private add(condition: string, ...values: SqlValue[]): void {
    this.conditions.push(condition);
    this.values.push(...values);
  }

  /** An indexed column. Of one value the index gives traces in order; of several they are looked up first. */
  private column(name: 'session_id' | 'user_id', wanted: readonly string[]): void {
    if (wanted.length === 1) this.add(`${name} = ?`, ...wanted);
    else {
      const found = `SELECT tkey FROM trace WHERE application = ? AND ${name} IN (${marks(wanted)})`;
      this.add(`tkey IN (${found})`, this.application, ...wanted);
    }
  }

  /** A many-valued property that has one of `wanted`, or any value at all when that is empty. */
  private attribute(key: string, wanted: readonly string[]): void {
    const match = `application = ? AND key = ?${wanted.length > 0 ? ` AND value IN (${marks(wanted)})` : ''}`;
    const values = [this.application, key, ...wanted];
    const found = this.database.get<{ n: number }>(
      `SELECT count(*) AS n FROM (SELECT 1 FROM trace_attr WHERE ${match} LIMIT ${RARE + 1})`,
      ...values,
    );
    if ((found?.n ?? 0) <= RARE) this.add(`tkey IN (SELECT tkey FROM trace_attr WHERE ${match})`, ...values);
    else {
      const correlated = match.replace('application = ?', 'a.application = ?');
      this.add(
        `EXISTS (SELECT 1 FROM trace_attr AS a WHERE ${correlated} AND a.tkey = trace.tkey)`,
        ...values,
      );
    }
  }
}

function marks(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}

function nanoseconds(milliseconds: number): bigint {
  return BigInt(Math.round(Math.min(milliseconds, 9e12) * 1e6));
}
