import { StartupError } from '../../errors.ts';
import type { StoreConnection } from '../database.ts';

/** Table of an unfinished target, on both engines. */
export const PROGRESS_TABLE = 'CREATE TABLE touchstone_copy (name TEXT PRIMARY KEY, value TEXT NOT NULL)';

/** Name of the row that says which store is copied; a name of a table cannot begin so. */
const SOURCE = '(source)';

export interface TableProgress {
  rows: number;
  /** Key of the last row that was copied, as texts; null if there is none. */
  after: readonly string[] | null;
  isDone: boolean;
}

/** Progress of a copy, which is stored in its target with the rows themselves. */
export class CopyProgress {
  private readonly database: StoreConnection;
  private readonly tables: Map<string, TableProgress>;

  /** Reads the progress, or begins it. Throws StartupError if the target is that of another copy. */
  constructor(database: StoreConnection, identity: string) {
    this.database = database;
    const rows = database.all<{ name: string; value: string }>('SELECT name, value FROM touchstone_copy');
    const source = rows.find(({ name }) => name === SOURCE)?.value;
    if (source === undefined) this.write(SOURCE, identity);
    else if (source !== identity)
      throw new StartupError(
        'The target is the unfinished copy of another store, or a server has used this one since; empty the target and repeat the copy.',
      );
    const tables = rows.filter(({ name }) => name !== SOURCE);
    this.tables = new Map(tables.map(({ name, value }) => [name, JSON.parse(value) as TableProgress]));
  }

  /** Number of rows that are copied. */
  get rows(): number {
    return [...this.tables.values()].reduce((sum, { rows }) => sum + rows, 0);
  }

  of(table: string): TableProgress {
    return this.tables.get(table) ?? { rows: 0, after: null, isDone: false };
  }

  /** Saves the progress of a table in the transaction that stores its rows. */
  save(table: string, progress: TableProgress): void {
    this.write(table, JSON.stringify(progress));
    this.tables.set(table, progress);
  }

  private write(name: string, value: string): void {
    this.database.run(
      `INSERT INTO touchstone_copy (name, value) VALUES (:name, :value)
       ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value`,
      { name, value },
    );
  }
}
