/** Rows with odd values in every table of a store, which only the rules of the tables restrict. */
import Sqlite, { type Database as Connection } from 'better-sqlite3';

type Value = string | number | bigint | Buffer | null;

const INTEGERS: readonly bigint[] = [0n, 1n, -1n, 2n ** 31n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)];
const REALS: readonly number[] = [0, -0, 0.1, -1.5, 1e308, 5e-324, 2 ** 53 + 2, Infinity, -Infinity];
const TEXTS: readonly string[] = [
  '',
  ' ',
  'a\0b',
  '\0',
  '{"a":1}',
  'Grüße İI ß',
  '😀 \u{10FFFF}',
  'e\u0301 é',
  '\uFFFF\uFFFD',
  `50%_ \\ "quoted" 'single' $1 ?`,
  'line\r\n\ttab\u0007',
];
const BLOBS: readonly Buffer[] = [
  Buffer.alloc(0),
  Buffer.alloc(16),
  Buffer.from([0xff, 0x00, 0x80, 0x5c]),
  Buffer.from('\\x00'),
];

interface Column {
  name: string;
  type: string;
  notnull: number;
}

interface Table {
  name: string;
  columns: Column[];
  /** Columns of an index, which are limited in length on PostgreSQL. */
  indexed: ReadonlySet<string>;
  refers: ReadonlyMap<string, { table: string; to: string }>;
}

/** Adds up to `rows` rows to each table; `random` returns a whole number below its argument. Returns the number of those added. */
export function addOddRows(file: string, rows: number, random: (below: number) => number): number {
  const store = new Sqlite(file);
  store.pragma('foreign_keys = ON');
  // They would change rows that were added.
  for (const { name } of store
    .prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
    .all())
    store.exec(`DROP TRIGGER ${name}`);
  let added = 0;
  for (const table of tablesOf(store)) added += addTo(store, table, rows, random);
  store.pragma('wal_checkpoint(TRUNCATE)');
  store.close();
  return added;
}

const tablesOf = (store: Connection): Table[] =>
  store
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY rowid",
    )
    .pluck()
    .all()
    // One row of its own in each; and secrets, which a key has sealed.
    .filter((name) => !/monitoring$|^(?:issue_)?webhook$/.test(name))
    .map((name) => {
      const indexes = store.pragma(`index_list(${name})`) as { name: string }[];
      const columns = indexes.flatMap(
        (index) => store.pragma(`index_info(${index.name})`) as { name: string }[],
      );
      const keys = store.pragma(`foreign_key_list(${name})`) as { from: string; table: string; to: string }[];
      return {
        name,
        columns: store.pragma(`table_info(${name})`) as Column[],
        indexed: new Set(columns.map((column) => column.name)),
        refers: new Map(keys.map(({ from, table, to }) => [from, { table, to }])),
      };
    });

function addTo(store: Connection, table: Table, rows: number, random: (below: number) => number): number {
  const { name, columns } = table;
  const insert = store.prepare(`INSERT INTO ${name} VALUES (${columns.map(() => '?').join(', ')})`);
  let added = 0;
  for (let row = 0; row < rows; row += 1) {
    try {
      added += insert.run(columns.map((column) => valueOf(store, table, column, random))).changes;
    } catch (error) {
      // A key that is there, a condition that the row does not meet, or a counter that is at its end.
      if (!/^SQLITE_(?:CONSTRAINT|FULL)/.test(String((error as { code?: unknown }).code))) throw error;
    }
  }
  return added;
}

function valueOf(store: Connection, table: Table, column: Column, random: (below: number) => number): Value {
  const { name, type, notnull } = column;
  const refers = table.refers.get(name);
  if (refers !== undefined) {
    const found = store
      .prepare<[], Value>(`SELECT ${refers.to} FROM ${refers.table}`)
      .safeIntegers()
      .pluck()
      .all();
    return found[random(found.length)] ?? null;
  }
  if (notnull === 0 && random(4) === 0) return null;
  const one = <T>(values: readonly T[]): T => values[random(values.length)] as T;
  const isLong = !table.indexed.has(name) && random(12) === 0;
  if (type === 'INTEGER') return random(2) === 0 ? one(INTEGERS) : BigInt(random(1_000_000));
  if (type === 'REAL') return one(REALS);
  if (type === 'BLOB')
    return isLong
      ? Buffer.alloc(200_000 + random(100_000), random(256))
      : Buffer.concat([one(BLOBS), Buffer.of(random(256))]);
  return isLong
    ? one(TEXTS).padEnd(50_000, `${random(1_000)}😀`)
    : one(TEXTS) + (random(3) === 0 ? '' : random(100_000));
}
