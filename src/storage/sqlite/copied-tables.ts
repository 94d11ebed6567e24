import Sqlite from 'better-sqlite3';
import { type CopiedColumn, type CopiedTable, NOT_COPIED } from '../copy/copied-table.ts';
import type { SqlType } from '../database.ts';
import { makeSchema } from './migrate.ts';
import { tableNames } from './schema.ts';

const TYPES: Readonly<Record<string, SqlType>> = {
  INTEGER: 'integer',
  REAL: 'real',
  TEXT: 'text',
  BLOB: 'blob',
};

interface ColumnInfo {
  name: string;
  type: string;
  /** Position in the primary key, counted from 1; 0 if it is no part of it. */
  pk: number;
}

/** Returns the tables of this version, which both engines have, in the order of their creation: what a row refers to comes first. */
export function copiedTables(): CopiedTable[] {
  const model = new Sqlite(':memory:');
  try {
    makeSchema(model);
    return tableNames(model)
      .filter((name) => !Object.hasOwn(NOT_COPIED, name))
      .map((name) => tableOf(name, model.pragma(`table_info(${name})`) as ColumnInfo[]));
  } finally {
    model.close();
  }
}

function tableOf(name: string, infos: readonly ColumnInfo[]): CopiedTable {
  const columns = infos.map(columnOf);
  const inKey = infos.filter(({ pk }) => pk > 0).toSorted((one, other) => one.pk - other.pk);
  const [first, more] = inKey;
  // Tables without a key have one row.
  const key = first === undefined ? columns : inKey.map(columnOf);
  const counter = more === undefined && first?.type === 'INTEGER' ? first.name : null;
  return { name, columns, key, counter };
}

function columnOf({ name, type }: ColumnInfo): CopiedColumn {
  const known = TYPES[type];
  if (known === undefined) throw new Error(`The column ${name} has the type ${type}, which is not copied`);
  return { name, type: known };
}

/** Returns the statements that make the tables of this version, and those that make their indexes and triggers. */
export function schemaStatements(): { tables: string[]; rest: string[] } {
  const model = new Sqlite(':memory:');
  try {
    makeSchema(model);
    const all = model
      .prepare<[], { type: string; sql: string }>(
        `SELECT type, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY rowid`,
      )
      .all();
    const isTable = ({ type }: { type: string }): boolean => type === 'table';
    const texts = (entries: typeof all): string[] => entries.map(({ sql }) => sql);
    return { tables: texts(all.filter(isTable)), rest: texts(all.filter((one) => !isTable(one))) };
  } finally {
    model.close();
  }
}
