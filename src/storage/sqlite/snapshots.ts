import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Sqlite, { type Database as Connection } from 'better-sqlite3';
import { StartupError } from '../../errors.ts';
import { APPLICATION_ID, schemaVersion } from './migrate.ts';
import { tableNames } from './schema.ts';

/** A copy of the store from before a migration. */
export interface Snapshot {
  file: string;
  schema: number;
  bytes: number;
  /** Unix milliseconds. */
  at: number;
}

/** Returns the snapshots beside a store, that of the latest schema first. */
export function listSnapshots(file: string): Snapshot[] {
  const prefix = `${basename(file)}.before-`;
  return readdirSync(dirname(file))
    .filter((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
    .map((name) => {
      const path = join(dirname(file), name);
      const { size, mtimeMs } = statSync(path);
      return {
        file: path,
        schema: Number(name.slice(prefix.length)),
        bytes: size,
        at: Math.trunc(mtimeMs),
      };
    })
    .toSorted((a, b) => b.schema - a.schema);
}

/** Returns the schema of a store, which may be of any version. Throws StartupError when it is no store. */
export function schemaOf(file: string): number {
  return reading(file, (connection) => {
    if (connection.pragma('application_id', { simple: true }) !== APPLICATION_ID)
      throw new StartupError(`${file} is not a store of Touchstone.`);
    return schemaVersion(connection);
  });
}

/** Checks every page of a snapshot. Throws StartupError. */
export function checkSnapshot({ file, schema }: Snapshot): void {
  const found = schemaOf(file);
  if (found !== schema)
    throw new StartupError(`${file} has the schema ${found}, not ${schema} as its name says.`);
  const fault = reading(file, (connection) => connection.pragma('quick_check(1)', { simple: true }));
  if (fault !== 'ok') throw new StartupError(`${file} is damaged (${String(fault)}).`);
}

function reading<T>(file: string, read: (connection: Connection) => T): T {
  const connection = new Sqlite(file, { readonly: true, fileMustExist: true });
  try {
    return read(connection);
  } finally {
    connection.close();
  }
}

/** Rows of a store that its snapshot does not have. */
export interface NewerRows {
  /** Traces that are new or have grown, by the id of their application. */
  traces: Map<string, { application: number; traceIds: Buffer[] }>;
  /** Numbers of other rows by table, where there are any. */
  others: Map<string, number>;
}

/** Compares a store with its snapshot. Rows are compared by their ids: a changed one is not new. */
export function newerRows(connection: Connection, snapshot: Snapshot): NewerRows {
  connection.prepare('ATTACH DATABASE ? AS snapshot').run(snapshot.file);
  try {
    return { traces: newerTraces(connection), others: newerRecords(connection, snapshot.at) };
  } finally {
    connection.exec('DETACH DATABASE snapshot');
  }
}

function newerTraces(connection: Connection): NewerRows['traces'] {
  const rows = connection
    .prepare<[], { id: string; application: number; traceId: Buffer }>(
      `SELECT owner.id, trace.application, trace.trace_id AS traceId
       FROM main.trace AS trace JOIN main.application AS owner ON owner.application = trace.application
       LEFT JOIN snapshot.trace AS old ON old.application = trace.application AND old.trace_id = trace.trace_id
       WHERE old.trace_id IS NULL OR old.span_count < trace.span_count
       ORDER BY trace.tkey`,
    )
    .all();
  const traces: NewerRows['traces'] = new Map();
  for (const { id, application, traceId } of rows) {
    const known = traces.get(id);
    if (known) known.traceIds.push(traceId);
    else traces.set(id, { application, traceIds: [traceId] });
  }
  return traces;
}

function newerRecords(connection: Connection, at: number): NewerRows['others'] {
  const old = new Set(
    connection
      .prepare<[], string>(`SELECT name FROM snapshot.sqlite_schema WHERE type = 'table'`)
      .pluck()
      .all(),
  );
  const columnsOf = connection.prepare<[string], { name: string; type: string; pk: number }>(
    'SELECT name, type, pk FROM pragma_table_info(?)',
  );
  const others: NewerRows['others'] = new Map();
  for (const table of tableNames(connection)) {
    const columns = columnsOf.all(table);
    const hasTextId = columns.some(({ name, type, pk }) => name === 'id' && type === 'TEXT' && pk > 0);
    if (!hasTextId || table === 'session') continue;
    // The migration itself fills new tables, with rows as old as what they are made of.
    const condition = old.has(table)
      ? `id NOT IN (SELECT id FROM snapshot.${table})`
      : columns.some(({ name }) => name === 'created_at')
        ? `created_at > ${at}`
        : 'TRUE';
    const sql = `SELECT count(*) FROM main.${table} WHERE ${condition}`;
    const count = connection.prepare<[], number>(sql).pluck().get() ?? 0;
    if (count > 0) others.set(table, count);
  }
  return others;
}
