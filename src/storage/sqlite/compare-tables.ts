import type { Database as Connection } from 'better-sqlite3';

/** Parts of a table that are compared: their names, and statements that list them for a table, in an order of their own. */
const PARTS: readonly (readonly [what: string, sql: string])[] = [
  ['definition (STRICT, WITHOUT ROWID)', 'SELECT type, wr, strict FROM pragma_table_list(?)'],
  [
    'set of columns, with their types and defaults,',
    `SELECT name, upper(type) AS type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(?) ORDER BY name`,
  ],
  [
    'set of foreign keys',
    `SELECT "table", "from", "to", on_update, on_delete, "match", seq FROM pragma_foreign_key_list(?)
     ORDER BY "table", "from", "to", seq`,
  ],
  [
    'set of unique keys',
    `SELECT origin, partial, (SELECT group_concat(name || ' ' || "desc" || ' ' || coll) FROM
       (SELECT * FROM pragma_index_xinfo(list.name) WHERE key = 1 ORDER BY seqno)) AS columns
     FROM pragma_index_list(?) AS list WHERE origin <> 'c' ORDER BY columns`,
  ],
];

/** Returns the part in which a table of a store differs from that of another one; null if none does. */
export function differenceOfTable(connection: Connection, model: Connection, table: string): string | null {
  for (const [what, sql] of PARTS) {
    const [found, wanted] = [connection, model].map((one) => JSON.stringify(one.prepare(sql).all(table)));
    if (found !== wanted) return what;
  }
  const [found, wanted] = [connection, model].map((one) => checksOf(one, table).join());
  return found === wanted ? null : 'set of CHECK constraints';
}

/** Returns the CHECK constraints of a table in order, without their layout. SQLite lists them in the statement only. */
function checksOf(connection: Connection, table: string): string[] {
  const sql =
    connection
      .prepare<[string], string>("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?")
      .pluck()
      .get(table) ?? '';
  const text = sql.replaceAll(/--.*$/gm, ' ');
  return [...text.matchAll(/\bCHECK\s*\(/gi)]
    .map(({ index, 0: { length } }) => parenthesised(text.slice(index + length)))
    .map((check) => check.replaceAll(/\s+/g, ' ').trim())
    .toSorted();
}

/** Returns the text up to the parenthesis that closes it, or all of it. */
function parenthesised(text: string): string {
  let depth = 1;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0) return text.slice(0, at);
  }
  return text;
}
