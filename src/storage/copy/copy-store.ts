import { StartupError } from '../../errors.ts';
import type { Database, StoreConnection } from '../database.ts';
import type { CopiedTable } from './copied-table.ts';
import { CopyProgress } from './copy-progress.ts';
import { keyFromTexts, keyOfRow, keyToTexts, columnList, nextRows, type TableKey } from './table-pages.ts';
import { TableHash } from './table-hash.ts';

/** A store that is read, and that nothing else changes meanwhile. */
export interface CopySource {
  database: Database;
  /** Differs between stores, and for one store after a server has used it. */
  identity: string;
  /** Returns the highest value that a column has ever counted to; null if that is unknown or none. */
  lastCount: (table: CopiedTable) => bigint | null;
  /** Throws StartupError if a server may have started to use the store. */
  requireAlone: () => void;
}

/** A store that is made, and that no server opens before it is complete. */
export interface CopyTarget {
  database: StoreConnection;
  /** Name of the store in a sentence. */
  place: string;
  requireAlone: () => void;
  /** Makes indexes and triggers, and what tells a server that the store is complete; all or nothing. */
  complete: (counts: ReadonlyMap<string, bigint>) => void;
}

export interface CopyReport {
  /** Called when rows were copied by an interrupted copy, with their number. */
  onResume: (rows: number) => void;
  /** Called while rows are copied or verified. */
  onRows: (done: number) => void;
  /** Called at the beginning of a phase. */
  onPhase: (phase: CopyPhase, rows: number) => void;
  /** Called when a table is copied, unless nothing was left to copy. */
  onTable: (table: string, rows: number) => void;
}

export type CopyPhase = 'copy' | 'verify' | 'complete';

export interface CopiedRows {
  tables: { name: string; rows: number; hash: string }[];
  rows: number;
  /** Rows that an interrupted copy had copied before. */
  resumedRows: number;
}

/** Copies all tables, compares them, and completes the target. Continues where the same copy was interrupted. */
export function copyTables(
  tables: readonly CopiedTable[],
  { source, target }: { source: CopySource; target: CopyTarget },
  report: CopyReport,
): CopiedRows {
  const progress = new CopyProgress(target.database, source.identity);
  const resumedRows = progress.rows;
  const total = countRows(source.database, tables);
  report.onPhase('copy', total);
  if (resumedRows > 0) report.onResume(resumedRows);
  let done = resumedRows;
  for (const table of tables) {
    const before = done;
    const rows = copyTable(table, { source, target, progress }, (count) => report.onRows((done += count)));
    if (done > before) report.onTable(table.name, rows);
  }
  report.onPhase('verify', 2 * total);
  let verified = 0;
  const onRows = (count: number): void => report.onRows((verified += count));
  const compared = tables.map((table) => compareTable(table, { source, target }, onRows));
  report.onPhase('complete', 0);
  source.requireAlone();
  target.complete(countsOf(tables, source));
  return { tables: compared, rows: compared.reduce((sum, { rows }) => sum + rows, 0), resumedRows };
}

function countRows(database: Database, tables: readonly CopiedTable[]): number {
  const counts = tables.map(({ name }) => `(SELECT count(*) FROM ${name})`).join(' + ');
  return database.get<{ n: number }>(`SELECT ${counts} AS n`)?.n ?? 0;
}

/** Copies the rest of a table in transactions of bounded size; returns the number of its rows. */
function copyTable(
  table: CopiedTable,
  { source, target, progress }: { source: CopySource; target: CopyTarget; progress: CopyProgress },
  onRows: (count: number) => void,
): number {
  const { database } = target;
  const insert = {
    sql: `INSERT INTO ${table.name} (${columnList(table.columns)}) VALUES (${table.columns.map(() => '?').join(', ')})`,
    columns: table.columns.map(({ type }) => type),
  };
  let { rows, after, isDone } = progress.of(table.name);
  while (!isDone) {
    source.requireAlone();
    const page = nextRows(source.database, table, after === null ? null : keyFromTexts(table, after));
    const last = page.rows.at(-1);
    if (last === undefined) break;
    isDone = page.isLast;
    rows += page.rows.length;
    after = keyToTexts(table, keyOfRow(table, last));
    database.transaction(() => {
      target.requireAlone();
      const values = page.rows.map((row) => table.columns.map(({ name }) => row[name] ?? null));
      database.runMany(insert, values);
      progress.save(table.name, { rows, after, isDone });
    });
    onRows(page.rows.length);
  }
  return rows;
}

interface Stores {
  source: CopySource;
  target: CopyTarget;
}

function compareTable(
  table: CopiedTable,
  { source, target }: Stores,
  onRows: (count: number) => void,
): CopiedRows['tables'][number] {
  const [from, to] = [source.database, target.database].map((database) =>
    hashTable(database, table, onRows),
  ) as [TableHash, TableHash];
  const { rows } = to;
  const digest = to.digest();
  if (from.rows !== rows || from.digest() !== digest)
    throw new StartupError(
      `The table ${table.name} differs: it has ${from.rows} rows with the hash ${from.digest()}, and its copy in ${target.place} ${rows} with ${digest}; empty the target and repeat the copy.`,
    );
  return { name: table.name, rows, hash: digest };
}

/** Hashes the rows of a table. */
export function hashTable(
  database: Database,
  table: CopiedTable,
  onRows: (count: number) => void = () => undefined,
): TableHash {
  const hash = new TableHash(table);
  for (let after: TableKey | null = null; ; ) {
    const { rows, isLast } = nextRows(database, table, after);
    for (const row of rows) hash.add(row);
    const last = rows.at(-1);
    if (last === undefined) return hash;
    onRows(rows.length);
    if (isLast) return hash;
    after = keyOfRow(table, last);
  }
}

/** Returns the last values of columns that count up, by their tables. */
function countsOf(tables: readonly CopiedTable[], source: CopySource): Map<string, bigint> {
  const counts = new Map<string, bigint>();
  for (const table of tables) {
    const { name, counter } = table;
    if (counter === null) continue;
    const highest = source.database.getExact<{ count: bigint | null }>(
      `SELECT max(${counter}) AS count FROM ${name}`,
    )?.count;
    const known = [highest, source.lastCount(table)].filter((one) => typeof one === 'bigint');
    const last = known.reduce((max, one) => (one > max ? one : max), 0n);
    if (last > 0n) counts.set(name, last);
  }
  return counts;
}
