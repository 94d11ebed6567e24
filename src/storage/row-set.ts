import type { Database, RowStatement, SetRow, SqlValue } from './database.ts';

/** Rows that one command collects, to write them with one statement. */
export class RowSet {
  private readonly statement: RowStatement;
  private rows: SetRow[] = [];

  constructor(statement: RowStatement) {
    this.statement = statement;
  }

  add(...row: SqlValue[]): void {
    this.rows.push(row);
  }

  write(database: Database): void {
    if (this.rows.length === 0) return;
    database.runMany(this.statement, this.rows);
    this.rows = [];
  }
}

/** Returns values in the order of their keys, in which writers of the same rows never wait for each other in a circle. */
export const inKeyOrder = <T>(values: ReadonlyMap<string, T>): T[] =>
  [...values].toSorted(([a], [b]) => (a < b ? -1 : Number(a > b))).map(([, value]) => value);
