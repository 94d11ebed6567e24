import Sqlite, { type Database as Connection, type Statement } from 'better-sqlite3';
import { AppError } from '../../errors.ts';
import type { Bindings, SqlValue, StoreConnection } from '../database.ts';
import { containsText } from './contains-text.ts';
import { truncateTime } from './truncate-time.ts';

/** Statements kept prepared. Lists with other filters make other texts, so this needs a bound. */
const MAX_STATEMENTS = 400;

interface Prepared {
  statement: Statement;
  /** Its parameters are ?1, ?2 …, which the driver takes by name only. */
  isNumbered: boolean;
}

/** One SQLite connection with its prepared statements. */
export class SqliteDatabase implements StoreConnection {
  readonly connection: Connection;
  private readonly statements = new Map<string, Prepared>();
  private readonly exactStatements = new Map<string, Prepared>();

  constructor(connection: Connection) {
    this.connection = connection;
    connection.function('contains_text', { deterministic: true, varargs: true }, containsText());
    connection.function('truncate_time', { deterministic: true }, truncateTime());
  }

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

  getExact<Row>(sql: string, ...values: Bindings): Row | undefined {
    return first<Row>(this.prepare(this.exactStatements, sql, true), values);
  }

  allExact<Row>(sql: string, ...values: Bindings): Row[] {
    return every<Row>(this.prepare(this.exactStatements, sql, true), values);
  }

  transaction<T>(work: () => T): T {
    return this.connection.transaction(work).immediate();
  }

  snapshot<T>(work: () => T): T {
    try {
      return this.connection.transaction(work)();
    } catch (error) {
      if (!(error instanceof Sqlite.SqliteError) || error.code !== 'SQLITE_BUSY_SNAPSHOT') throw error;
      throw new AppError('conflict', 'another process wrote to the store in the meantime');
    }
  }

  hasFailed(error: unknown): boolean {
    return error instanceof Sqlite.SqliteError;
  }

  close(): void {
    this.connection.close();
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
