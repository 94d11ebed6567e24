import Sqlite, { type Database as Connection, type Statement } from 'better-sqlite3';
import { AppError } from '../../errors.ts';
import type { Bindings, InsertStatement, RowStatement, SetRow, StoreConnection } from '../database.ts';
import type { Clearing } from '../clearing.ts';
import { type LogEnd, PageClearer } from './clear-pages.ts';
import { createContainsText } from './contains-text.ts';
import { createMatchesText } from './matches-text.ts';
import { md5 } from './md5.ts';
import { markOpen, type OpenedStore } from './open-stores.ts';
import { truncateTime } from './truncate-time.ts';

/** Milliseconds for which emptying the log waits for readers of an older state. */
const EMPTY_LOG_MS = 100;
/** Most prepared statements that are kept. Lists with different filters have different statements. */
const MAX_STATEMENTS = 400;

/** One SQLite connection with its prepared statements. */
export class SqliteDatabase implements StoreConnection {
  readonly connection: Connection;
  private readonly statements = new Map<string, Statement>();
  private readonly exactStatements = new Map<string, Statement>();
  private clearer: PageClearer | null = null;
  private opened: OpenedStore | null = null;

  constructor(connection: Connection) {
    this.connection = connection;
    connection.function('contains_text', { deterministic: true, varargs: true }, createContainsText());
    connection.function('matches_text', { deterministic: true, varargs: true }, createMatchesText());
    connection.function('md5', { deterministic: true }, md5);
    connection.function('truncate_time', { deterministic: true }, truncateTime());
  }

  run(sql: string, ...values: Bindings): number {
    return this.prepare(this.statements, sql, false).run(...values).changes;
  }

  get<Row>(sql: string, ...values: Bindings): Row | undefined {
    return this.prepare(this.statements, sql, false).get(...values) as Row | undefined;
  }

  all<Row>(sql: string, ...values: Bindings): Row[] {
    return this.prepare(this.statements, sql, false).all(...values) as Row[];
  }

  getExact<Row>(sql: string, ...values: Bindings): Row | undefined {
    return this.prepare(this.exactStatements, sql, true).get(...values) as Row | undefined;
  }

  allExact<Row>(sql: string, ...values: Bindings): Row[] {
    return this.prepare(this.exactStatements, sql, true).all(...values) as Row[];
  }

  runMany({ sql }: RowStatement, rows: readonly SetRow[]): void {
    if (rows.length === 0) return;
    const statement = this.prepare(this.statements, sql, false);
    for (const row of rows) statement.run(row);
  }

  runManyNew({ sql }: InsertStatement, rows: readonly SetRow[]): number[] {
    if (rows.length === 0) return [];
    const statement = this.prepare(this.statements, sql, false);
    return rows.map((row) => statement.run(row).changes);
  }

  allMany<Row>({ sql }: RowStatement, rows: readonly SetRow[]): Row[][] {
    if (rows.length === 0) return [];
    const statement = this.prepare(this.statements, sql, false);
    return rows.map((row) => statement.all(row) as Row[]);
  }

  allManyExact<Row>({ sql }: RowStatement, rows: readonly SetRow[]): Row[][] {
    if (rows.length === 0) return [];
    const statement = this.prepare(this.exactStatements, sql, true);
    return rows.map((row) => statement.all(row) as Row[]);
  }

  changeCount(): number {
    return this.get<{ n: number }>('SELECT total_changes() AS n')?.n ?? 0;
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

  clearRemains(begun: number | null): Clearing {
    this.opened ??= markOpen(this.connection.name);
    this.clearer ??= new PageClearer({
      connection: this.connection,
      descriptor: this.opened.descriptor,
      emptyLog: (mode) => this.emptyLog(mode),
    });
    return this.clearer.clear(begun);
  }

  close(): void {
    this.connection.close();
    this.opened?.end();
  }

  private emptyLog(mode: LogEnd): boolean {
    const before = this.connection.pragma('busy_timeout', { simple: true }) as number;
    // The writer of a server waits meanwhile.
    this.connection.pragma(`busy_timeout = ${EMPTY_LOG_MS}`);
    try {
      const [result] = this.connection.pragma(`wal_checkpoint(${mode})`) as { busy: number }[];
      return result?.busy === 0;
    } finally {
      this.connection.pragma(`busy_timeout = ${before}`);
    }
  }

  private prepare(cache: Map<string, Statement>, sql: string, exact: boolean): Statement {
    const known = cache.get(sql);
    if (known) return known;
    if (cache.size >= MAX_STATEMENTS) {
      const [oldest] = cache.keys();
      if (oldest !== undefined) cache.delete(oldest);
    }
    const prepared = this.connection.prepare(sql).safeIntegers(exact);
    cache.set(sql, prepared);
    return prepared;
  }
}
