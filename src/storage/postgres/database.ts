import type {
  Bindings,
  InsertStatement,
  RowStatement,
  SetRow,
  SqlValue,
  StoreConnection,
} from '../database.ts';
import { CLEARED, type Clearing } from '../clearing.ts';
import { withoutNul } from '../without-nul.ts';
import { encodeColumns } from './arrays.ts';
import { type DatabaseConnectionOptions, PostgresConnection } from './connection.ts';
import { isLostConnection, PostgresFault, postgresFaultCode } from './fault.ts';
import type { StatementResponse, WireValue } from './io-messages.ts';
import { PLACE_IN_ROW, ROW_OF_SET, translateChange, translateInsert, translateQuery } from './sets.ts';
import { isUntyped, translateApart } from './translate-apart.ts';
import { translate, type Translated } from './translate.ts';

/** Numbers of types in `pg_type`: their results are no texts. */
const BOOL = 16;
const BYTEA = 17;
const INTEGERS = new Set([20, 21, 23, 26]);
const NUMBERS = new Set([700, 701, 1700]);

/** Most translated statements that are kept. */
const MAX_STATEMENTS = 2_000;

/** Begins a transaction that writes; a query reads one state of the store. */
const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED';
const BEGIN_SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ';

/** One connection to PostgreSQL, made again after it was lost. */
export class PostgresDatabase implements StoreConnection {
  private readonly options: DatabaseConnectionOptions;
  private connection: PostgresConnection;
  private readonly statements = new Map<string, Translated>();
  private changes = 0;
  private depth = 0;
  /** Script that travels with the next statement; null if there is none. */
  private before: string | null = null;
  private isLost = false;

  constructor(options: DatabaseConnectionOptions) {
    this.options = options;
    this.connection = new PostgresConnection(options);
  }

  run(sql: string, ...values: Bindings): number {
    return this.send(sql, values).changed;
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
    this.changes += this.sendSet(translateChange(statement), statement, rows).changed;
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

  private sendSet(text: string, { columns }: RowStatement, rows: readonly SetRow[]): StatementResponse {
    return this.sendText(text, encodeColumns(columns, rows));
  }

  /** Sends a statement, with what begins its transaction if it is the first of it. */
  private sendText(text: string, values: readonly WireValue[]): StatementResponse {
    const { before } = this;
    return this.guarded(() => {
      this.before = null;
      return this.connection.send(text, values, before);
    });
  }

  /** Runs several statements without values. */
  runScript(script: string): void {
    const { before } = this;
    this.before = null;
    this.guarded(() => this.connection.runScript(before === null ? script : `${before}; ${script}`));
  }

  changeCount(): number {
    return this.changes;
  }

  transaction<T>(work: () => T): T {
    return this.within(work, BEGIN);
  }

  /** `begin`: script that begins its transaction. */
  snapshot<T>(work: () => T, begin = BEGIN_SNAPSHOT): T {
    return this.within(work, begin);
  }

  /**
   * Runs a transaction of which it can be found out whether its commit took place, and returns whether it changed anything.
   * `begin`: script that begins it and takes its locks.
   */
  command(work: () => void, begin: string): boolean {
    let hasChanged = false;
    this.within(work, begin, () => {
      hasChanged = this.connection.commitNoted();
    });
    return hasChanged;
  }

  hasFailed(error: unknown): boolean {
    return postgresFaultCode(error) !== null;
  }

  clearRemains(): Clearing {
    return CLEARED;
  }

  close(): void {
    this.connection.close();
  }

  private readonly commit = (): void => this.connection.runScript('COMMIT');

  /** Runs `work` in a transaction, or in a savepoint of the one that is open. A transaction without statements is none. */
  private within<T>(work: () => T, begin: string, commit = this.commit): T {
    if (this.depth > 0) return this.withinSavepoint(work);
    for (;;) {
      try {
        return this.once(work, begin, commit);
      } catch (error) {
        if (!(error instanceof WordedAgain)) throw error;
      }
    }
  }

  private once<T>(work: () => T, begin: string, commit: () => void): T {
    this.before = begin;
    this.depth = 1;
    try {
      const result = work();
      if (this.before === null) this.guarded(commit);
      return result;
    } catch (error) {
      if (this.before === null && !this.isLost) this.connection.runSilently('ROLLBACK');
      throw error;
    } finally {
      this.before = null;
      this.depth = 0;
    }
  }

  private withinSavepoint<T>(work: () => T): T {
    const name = `level${this.depth}`;
    this.runScript(`SAVEPOINT ${name}`);
    this.depth += 1;
    try {
      const result = work();
      this.runScript(`RELEASE ${name}`);
      return result;
    } catch (error) {
      if (!this.isLost) this.connection.runSilently(`ROLLBACK TO ${name}; RELEASE ${name}`);
      throw error;
    } finally {
      this.depth -= 1;
    }
  }

  /** Makes a connection again if the last one was lost and no transaction goes with it. */
  private guarded<T>(call: () => T): T {
    if (this.isLost && this.depth > 0 && this.before === null)
      throw new PostgresFault('the connection was lost', '08003', '');
    if (this.isLost) {
      this.connection.close();
      this.connection = new PostgresConnection(this.options);
      this.isLost = false;
    }
    try {
      return call();
    } catch (error) {
      this.isLost = isLostConnection(error);
      throw error;
    }
  }

  private send(sql: string, values: Bindings): StatementResponse {
    let translated = this.statements.get(sql);
    if (!translated) {
      if (this.statements.size >= MAX_STATEMENTS) this.statements.clear();
      translated = translate(sql);
      this.statements.set(sql, translated);
    }
    const { text } = translated;
    const wired = bound(translated, values);
    try {
      const response = this.sendText(text, wired);
      this.changes += response.changed;
      return response;
    } catch (error) {
      const apart =
        error instanceof PostgresFault && isUntyped(error.code) ? translateApart(sql) : translated;
      if (apart.names === null || apart.text === text) throw error;
      this.statements.set(sql, apart);
      // The failure has ended the transaction, which is begun again with all statements before this one.
      if (this.depth > 0) throw new WordedAgain();
      return this.send(sql, values);
    }
  }
}

/** Ends a transaction in which a statement must be worded in another way. */
class WordedAgain extends Error {}

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

function rowsOf({ rows, columns }: StatementResponse, isExact: boolean): Record<string, unknown>[] {
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
