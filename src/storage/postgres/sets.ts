/** Words statements for each row of a set as one statement, whose parameters are columns of all rows. */
import type { InsertStatement, RowStatement } from '../database.ts';
import { ELEMENTS } from './arrays.ts';
import { translate } from './translate.ts';

/** Columns of a result with the row of the set that it belongs to, and its place among those of that row. */
export const ROW_OF_SET = 'row_of_set';
export const PLACE_IN_ROW = 'place_in_row';

const changes = new WeakMap<RowStatement, string>();
const inserts = new WeakMap<RowStatement, string>();
const queries = new WeakMap<RowStatement, string>();

/** Returns an INSERT, UPDATE or DELETE for all rows of a set. */
export const translateChange = (statement: RowStatement): string =>
  kept(changes, statement, () => {
    const sql = wordedFor(statement);
    if (sql.startsWith('INSERT')) return insertOf(sql, statement);
    const at = whereOf(sql);
    const added = sql.startsWith('DELETE') ? 'USING' : 'FROM';
    return `${sql.slice(0, at)} ${added} ${setOf(statement)} ${sql.slice(at)}`;
  });

/** Returns an INSERT for all rows of a set, which returns the number of added rows for each that added some. */
export const translateInsert = (statement: InsertStatement): string =>
  kept(inserts, statement, () => {
    const insert = insertOf(wordedFor(statement), statement);
    const names = Object.keys(statement.key).join(', ');
    const same = Object.entries(statement.key)
      .map(([name, position]) => `added.${name} = one_set.c${position}`)
      .join(' AND ');
    return `WITH added AS (${insert} RETURNING ${names})
      SELECT n - 1 AS row, count(*) AS added FROM ${setOf(statement)} JOIN added ON ${same} GROUP BY n`;
  });

/** Returns a query for all rows of a set, whose results name the row that they belong to. */
export const translateQuery = (statement: RowStatement): string =>
  kept(
    queries,
    statement,
    () => `SELECT one_set.n - 1 AS ${ROW_OF_SET}, found.* FROM ${setOf(statement)}
      CROSS JOIN LATERAL (SELECT row_number() OVER () AS ${PLACE_IN_ROW}, one.* FROM (${wordedFor(statement)}) AS one) AS found
      ORDER BY one_set.n, found.${PLACE_IN_ROW}`,
  );

function kept(known: WeakMap<RowStatement, string>, statement: RowStatement, word: () => string): string {
  let text = known.get(statement);
  if (text === undefined) known.set(statement, (text = word()));
  return text;
}

const wordedFor = ({ sql }: RowStatement): string =>
  translate(sql.trim(), (position) => `one_set.c${position}`).text;

function setOf({ columns }: RowStatement): string {
  const arrays = columns.map((column, at) => `$${at + 1}::${ELEMENTS[column].name}[]`);
  const names = columns.map((_, at) => `c${at + 1}`);
  return `unnest(${arrays.join(', ')}) WITH ORDINALITY AS one_set(${names.join(', ')}, n)`;
}

const INSERT = /^(INSERT INTO \w+ \([^)]*\))\s+(.*?)(\sON CONFLICT\b.*)?$/s;

/** The rows are inserted in the order of the set. */
function insertOf(sql: string, statement: RowStatement): string {
  const [, into, rows, onConflict] = INSERT.exec(sql) ?? [];
  if (into === undefined || rows === undefined)
    throw new Error(`This is no INSERT for a set of rows: ${sql}`);
  const query = rows.startsWith('VALUES') ? rows.replace(/^VALUES \((.*)\)$/s, 'SELECT $1') : rows;
  return `${into} SELECT one.* FROM ${setOf(statement)} CROSS JOIN LATERAL (${query}) AS one ORDER BY one_set.n${onConflict ?? ''}`;
}

/** Returns the place of the condition of an UPDATE or DELETE, which stands in no parentheses. */
function whereOf(sql: string): number {
  let depth = 0;
  for (const { index, 0: part } of sql.matchAll(/[()]|\bWHERE\b/g)) {
    if (part === 'WHERE' && depth === 0) return index;
    depth += part === '(' ? 1 : part === ')' ? -1 : 0;
  }
  throw new Error(`A statement for a set of rows has a condition: ${sql}`);
}
