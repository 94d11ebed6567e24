import type { Database as Connection, Statement } from 'better-sqlite3';
import { containsText } from './contains-text.ts';
import { truncateTime } from './truncate-time.ts';

export type SqlValue = string | number | bigint | Uint8Array | null;
/** Values for `?`, or for `?1`, `?2` … when one is used twice, or by name for `:name`. */
export type Bindings = SqlValue[] | [Readonly<Record<string, SqlValue>>];

/** Statements kept prepared. Lists with other filters make other texts, so this needs a bound. */
const MAX_STATEMENTS = 400;

interface Prepared {
  statement: Statement;
  /** Its parameters are ?1, ?2 …, which the driver takes by name only. */
  isNumbered: boolean;
}

/** One SQLite connection with its prepared statements: SQL text and values in, plain rows out. */
export class Database {
  readonly connection: Connection;
  private readonly statements = new Map<string, Prepared>();
  private readonly exactStatements = new Map<string, Prepared>();

  constructor(connection: Connection) {
    this.connection = connection;
    connection.function('contains_text', { deterministic: true, varargs: true }, containsText());
    connection.function('truncate_time', { deterministic: true }, truncateTime());
  }

  /** Runs one statement; the number of rows it changed. */
  run(sql: string, ...values: Bindings): number {
    const { statement, isNumbered } = this.prepare(this.statements, sql, false);
    return (isNumbered ? statement.run(byNumber(values)) : statement.run(...values)).changes;
  }

  get<Row>(sql: string, ...values: Bindings): Row | undefined {
    return first<Row>(this.prepare(this.statements, sql, false), values);
  }

  all<Row>(sql: string, ...values: Bindings): Row[] {
    return every<Row>(this.prepare(this.statements, sql, false), values);
  }

  /** As `get`, every integer a bigint: for nanoseconds. */
  getExact<Row>(sql: string, ...values: Bindings): Row | undefined {
    return first<Row>(this.prepare(this.exactStatements, sql, true), values);
  }

  /** As `all`, every integer a bigint. */
  allExact<Row>(sql: string, ...values: Bindings): Row[] {
    return every<Row>(this.prepare(this.exactStatements, sql, true), values);
  }

  private prepare(cache: Map<string, Prepared>, sql: string, exact: boolean): Prepared {
    const known = cache.get(sql);
    if (known) return known;
    if (cache.size >= MAX_STATEMENTS) {
      const [oldest] = cache.keys();
      if (oldest !== undefined) cache.delete(oldest);
    }
    const prepared = {
      statement: this.connection.prepare(sql).safeIntegers(exact),
      isNumbered: sql.includes('?1'),
    };
    cache.set(sql, prepared);
    return prepared;
  }
}

function first<Row>({ statement, isNumbered }: Prepared, values: Bindings): Row | undefined {
  return (isNumbered ? statement.get(byNumber(values)) : statement.get(...values)) as Row | undefined;
}

function every<Row>({ statement, isNumbered }: Prepared, values: Bindings): Row[] {
  return (isNumbered ? statement.all(byNumber(values)) : statement.all(...values)) as Row[];
}

function byNumber(values: Bindings): Record<string, SqlValue> {
  return Object.fromEntries((values as SqlValue[]).map((value, index) => [String(index + 1), value]));
}
