import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import {
  COLUMNS_WITHOUT_TEXTS,
  isIdColumn,
  NAMED_ALIKE,
  TEXT_COLUMNS,
} from '../../src/resources/erasures/text-columns.ts';
import { schemaSql } from '../../src/storage/sqlite/schema.ts';

interface Column {
  table: string;
  name: string;
}

/** Columns of a new store that can have a text. */
function columnsOfSchema(): Column[] {
  const store = new Sqlite(':memory:');
  try {
    store.exec(schemaSql());
    return store
      .prepare<[], Column>(
        `SELECT part.name AS "table", col.name FROM sqlite_schema AS part JOIN pragma_table_info(part.name) AS col
         WHERE part.type = 'table' AND part.name NOT LIKE 'sqlite%' AND col.type NOT IN ('INTEGER', 'REAL')`,
      )
      .all();
  } finally {
    store.close();
  }
}

const nameOf = ({ table, name }: Column): string => `${table}.${name}`;
const listed = (tables: Readonly<Record<string, Readonly<Record<string, unknown>>>>): string[] =>
  Object.entries(tables).flatMap(([table, columns]) =>
    Object.keys(columns).map((name) => nameOf({ table, name })),
  );

it('every column of the store is known to have texts of traces, with the way an erasure reaches them, or to have none', () => {
  const known = new Set([...listed(TEXT_COLUMNS), ...listed(COLUMNS_WITHOUT_TEXTS)]);
  const unknown = columnsOfSchema().filter(
    (column) =>
      !known.has(nameOf(column)) && !isIdColumn(column.name) && !Object.hasOwn(NAMED_ALIKE, column.name),
  );
  expect(unknown.map(nameOf)).toEqual([]);
});

it('the lists name columns that exist, each once', () => {
  const existing = new Set(columnsOfSchema().map(nameOf));
  const both = [...listed(TEXT_COLUMNS), ...listed(COLUMNS_WITHOUT_TEXTS)];
  expect(both.filter((name) => !existing.has(name))).toEqual([]);
  expect(both.filter((name, index) => both.indexOf(name) !== index)).toEqual([]);
});
