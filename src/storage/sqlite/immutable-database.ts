import type * as SqliteModule from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import Sqlite from 'better-sqlite3';
import type { Bindings, RowStatement, SetRow, StoreConnection } from '../database.ts';
import { CLEARED, type Clearing } from '../clearing.ts';

type SqliteOfNode = typeof SqliteModule;

const CODES: Readonly<Record<number, string>> = {
  1: 'SQLITE_ERROR',
  5: 'SQLITE_BUSY',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  26: 'SQLITE_NOTADB',
};

/** The part of an extended result code that says what failed. */
const PRIMARY = 0xff;

/**
 * Reads a database that no program uses and whose log is empty, and leaves its folder as it is: no log, no index and no lock.
 * The SQLite of Node takes the option for that (`immutable=1`), the one of the package does not.
 */
export class ImmutableDatabase implements StoreConnection {
  private readonly connection: SqliteModule.DatabaseSync;
  private readonly statements = new Map<string, SqliteModule.StatementSync>();

  constructor(file: string) {
    const url = pathToFileURL(file);
    url.search = '?immutable=1';
    this.connection = translated(() => new (sqliteOfNode().DatabaseSync)(url, { readOnly: true }));
    // Queries of the server end after a time; those of a command do not.
    this.connection.function('in_time', (_key: unknown) => 1);
  }

  run(): number {
    throw new Sqlite.SqliteError('the database is open for reading', 'SQLITE_READONLY');
  }

  get<Row>(sql: string, ...values: Bindings): Row | undefined {
    return this.all<Row>(sql, ...values)[0];
  }

  all<Row>(sql: string, ...values: Bindings): Row[] {
    return this.rows(sql, false, values);
  }

  getExact<Row>(sql: string, ...values: Bindings): Row | undefined {
    return this.allExact<Row>(sql, ...values)[0];
  }

  allExact<Row>(sql: string, ...values: Bindings): Row[] {
    return this.rows(sql, true, values);
  }

  runMany(): void {
    this.run();
  }

  runManyNew(): number[] {
    this.run();
    return [];
  }

  allMany<Row>({ sql }: RowStatement, rows: readonly SetRow[]): Row[][] {
    return rows.map((row) => this.all<Row>(sql, ...row));
  }

  allManyExact<Row>({ sql }: RowStatement, rows: readonly SetRow[]): Row[][] {
    return rows.map((row) => this.allExact<Row>(sql, ...row));
  }

  clearRemains(): Clearing {
    return CLEARED;
  }

  changeCount(): number {
    return 0;
  }

  transaction<T>(): T {
    throw new Sqlite.SqliteError('the database is open for reading', 'SQLITE_READONLY');
  }

  snapshot<T>(work: () => T): T {
    return work();
  }

  hasFailed(error: unknown): boolean {
    return error instanceof Sqlite.SqliteError;
  }

  close(): void {
    this.connection.close();
  }

  private rows<Row>(sql: string, isExact: boolean, values: Bindings): Row[] {
    return translated(() => {
      const key = `${isExact} ${sql}`;
      let statement = this.statements.get(key);
      if (!statement) {
        statement = this.connection.prepare(sql);
        statement.setReadBigInts(isExact);
        statement.setAllowUnknownNamedParameters(true);
        this.statements.set(key, statement);
      }
      const rows = statement.all(...(values as never[])) as Record<string, unknown>[];
      for (const row of rows) withBuffers(row);
      return rows as Row[];
    });
  }
}

/** Loads the module without its warning that it is new, which would stand between the lines of a command. */
function sqliteOfNode(): SqliteOfNode {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Makes buffers of blobs, as the SQLite of the package returns them. */
function withBuffers(row: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(row))
    if (value instanceof Uint8Array)
      row[name] = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}

/** Throws the errors of Node's SQLite as those of the package. */
function translated<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error) || !('errcode' in error)) throw error;
    throw new Sqlite.SqliteError(error.message, CODES[Number(error.errcode) & PRIMARY] ?? 'SQLITE_ERROR');
  }
}
