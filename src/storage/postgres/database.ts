import type {
  Bindings,
  InsertStatement,
  RowStatement,
  SetRow,
  SqlValue,
  StoreConnection,
} from '../database.ts';
import { encodeColumns, withoutNul } from './arrays.ts';
import { PostgresConnection, type StatementResult } from './connection.ts';
import { PostgresFault } from './fault.ts';
import type { WireValue } from './io-messages.ts';
import { PLACE_IN_ROW, ROW_OF_SET, translateChange, translateInsert, translateQuery } from './sets.ts';
import { translate, type Translated } from './translate.ts';

/** Numbers of types in `pg_type`: their results are no texts. */
const BOOL = 16;
const BYTEA = 17;
const INTEGERS = new Set([20, 21, 23, 26]);
const NUMBERS = new Set([700, 701, 1700]);

/** Most translated statements that are kept. */
const MAX_STATEMENTS = 2_000;

/** One connection to PostgreSQL. */
export class PostgresDatabase implements StoreConnection {
  private readonly connection: PostgresConnection;
  private readonly statements = new Map<string, Translated>();
  private changes = 0;
  private depth = 0;

  constructor(url: string) {
    this.connection = new PostgresConnection(url);
  }

  run(sql: string, ...values: Bindings): number {
    const { count, columns } = this.send(sql, values);
    const changed = columns.length === 0 ? count : 0;
    this.changes += changed;
    return changed;
  }

  get<Row>(sql: string, ...values: Bindings): Row | undefined {
    return rowsOf(this.send(sql, values), false)[0] as Row | undefined;
  }

  all<Row>(sql: string, ...values: Bindings): Row[] {
    return rowsOf(this.send(sql, values), false) as Row[];
  }

  getExact<Row>(sql: string, ...values: Bindings): Row | undefined {
    return rowsOf(this.send(sql, values), true)[0] as Row | undefined;
  }

  allExact<Row>(sql: string, ...values: Bindings): Row[] {
    return rowsOf(this.send(sql, values), true) as Row[];
  }

  runMany(statement: RowStatement, rows: readonly SetRow[]): void {
    if (rows.length === 0) return;
    this.changes += this.sendSet(translateChange(statement), statement, rows).count;
  }

  runManyNew(statement: InsertStatement, rows: readonly SetRow[]): number[] {
    const added = rows.map(() => 0);
    if (rows.length === 0) return added;
    const result = this.sendSet(translateInsert(statement), statement, rows);
    for (const { row, added: count } of rowsOf(result, false) as { row: number; added: number }[]) {
      added[row] = count;
      this.changes += count;
    }
    return added;
  }

  allMany<Row>(statement: RowStatement, rows: readonly SetRow[]): Row[][] {
    return this.query<Row>(statement, rows, false);
  }

  allManyExact<Row>(statement: RowStatement, rows: readonly SetRow[]): Row[][] {
    return this.query<Row>(statement, rows, true);
  }

  private query<Row>(statement: RowStatement, rows: readonly SetRow[], isExact: boolean): Row[][] {
    const found = rows.map((): Row[] => []);
    if (rows.length === 0) return found;
    const result = this.sendSet(translateQuery(statement), statement, rows);
    for (const { [ROW_OF_SET]: row, [PLACE_IN_ROW]: _, ...values } of rowsOf(result, isExact))
      found[Number(row)]?.push(values as Row);
    return found;
  }

  private sendSet(text: string, { columns }: RowStatement, rows: readonly SetRow[]): StatementResult {
    return this.connection.send(text, encodeColumns(columns, rows));
  }

  /** Runs several statements without values. */
  runScript(script: string): void {
    this.connection.runScript(script);
  }

  changeCount(): number {
    return this.changes;
  }

  transaction<T>(work: () => T): T {
    return this.within(work, 'BEGIN');
  }

  snapshot<T>(work: () => T): T {
    return this.within(work, 'BEGIN ISOLATION LEVEL REPEATABLE READ');
  }

  hasFailed(error: unknown): boolean {
    return error instanceof PostgresFault;
  }

  emptyLog(): boolean {
    return true;
  }

  close(): void {
    this.connection.close();
  }

  /** Runs `work` in a transaction, or in a savepoint of the one that is open. */
  private within<T>(work: () => T, begin: string): T {
    const isOuter = this.depth === 0;
    const name = `level${this.depth}`;
    this.connection.send(isOuter ? begin : `SAVEPOINT ${name}`, []);
    this.depth += 1;
    try {
      const result = work();
      this.connection.send(isOuter ? 'COMMIT' : `RELEASE ${name}`, []);
      return result;
    } catch (error) {
      this.undo(isOuter ? 'ROLLBACK' : `ROLLBACK TO ${name}; RELEASE ${name}`);
      throw error;
    } finally {
      this.depth -= 1;
    }
  }

  /** Rolls back. A connection that fails at it is lost, and its transaction with it. */
  private undo(script: string): void {
    try {
      this.connection.runScript(script);
    } catch (error) {
      if (!(error instanceof PostgresFault)) throw error;
    }
  }

  private send(sql: string, values: Bindings): StatementResult {
    let translated = this.statements.get(sql);
    if (!translated) {
      if (this.statements.size >= MAX_STATEMENTS) this.statements.clear();
      translated = translate(sql);
      this.statements.set(sql, translated);
    }
    return this.connection.send(translated.text, bound(translated, values));
  }
}

function bound({ names }: Translated, values: Bindings): WireValue[] {
  const [first] = values;
  const isNamed = typeof first === 'object' && first !== null && !(first instanceof Uint8Array);
  if (!isNamed || names === null) return (values as SqlValue[]).map(wireValue);
  return names.map((name) => {
    const value = first[name];
    if (value === undefined) throw new RangeError(`Missing named parameter "${name}"`);
    return wireValue(value);
  });
}

const wireValue = (value: SqlValue): WireValue =>
  typeof value === 'bigint' ? String(value) : typeof value === 'string' ? withoutNul(value) : value;

function rowsOf({ rows, columns }: StatementResult, isExact: boolean): Record<string, unknown>[] {
  const readers = columns.map(({ type }) => readerOf(type, isExact));
  return rows.map((row) =>
    Object.fromEntries(
      columns.map(({ name }, at) => {
        const text = row[at];
        return [name, text === null || text === undefined ? null : readers[at]?.(text)];
      }),
    ),
  );
}

function readerOf(type: number, isExact: boolean): (text: string) => unknown {
  if (INTEGERS.has(type)) return isExact ? BigInt : Number;
  if (NUMBERS.has(type)) return Number;
  if (type === BOOL) return (text) => (isExact ? BigInt(text === 't') : Number(text === 't'));
  if (type === BYTEA) return (text) => Buffer.from(text.slice(2), 'hex');
  return (text) => text;
}
