import Sqlite, { type Database as Connection } from 'better-sqlite3';
import { differenceOfTable } from './compare-tables.ts';
import { makeSchema, migrate, SCHEMA_VERSION, schemaVersion } from './migrate.ts';

/** An entry of the schema of a store. */
interface Entry {
  type: string;
  name: string;
  /** Table of an index or trigger; otherwise the name again. */
  table: string;
  sql: string | null;
}

const MAX_NAME = 80;
const FOREIGN = 'which no version of Touchstone made';
const THIS = 'this version of Touchstone';

/**
 * Returns what the schema of a store has that no version of Touchstone made, such as `has the trigger "x", which
 * no version of Touchstone made`; null if there is nothing. Reads the list of the schema only, so that nothing of it runs. Tables of another program, such as one that
 * replicates the file, are not foreign if they can neither run anything nor keep rows of ours from being deleted. With
 * `isStrict`, indexes of the operator are foreign, and every table, index and trigger of ours must be as this version makes it.
 * An index may be missing, because `verify --repair` builds it again. Of an older schema, triggers, views and generated columns are known;
 * with `isStrict`, an empty copy of it is migrated, and compared as one of this version.
 */
export function foreignPart(connection: Connection, { isStrict }: { isStrict: boolean }): string | null {
  const isCurrent = schemaVersion(connection) === SCHEMA_VERSION;
  const model = new Sqlite(':memory:');
  try {
    makeSchema(model);
    const known = new Map(entriesOf(model).map((one) => [`${one.type} ${one.name}`, one]));
    for (const entry of entriesOf(connection)) {
      const own = known.get(`${entry.type} ${entry.name}`);
      const isForeign = isCurrent ? isUnknown(entry, own) : isRunnable(entry, own);
      const isIndex = isCurrent && isStrict && isUnknownIndex(entry, known);
      if (isForeign || isIndex) return `has the ${entry.type} ${quoted(entry.name)}, ${FOREIGN}`;
      const isOther = isCurrent && own === undefined;
      const column =
        entry.type === 'table' && !isOther && foreignColumn(connection, isCurrent ? model : null, entry.name);
      if (column) return `has the column ${quoted(column)} of the table ${quoted(entry.name)}, ${FOREIGN}`;
    }
    if (!isStrict) return null;
    return isCurrent ? differenceOf(connection, model, known) : foreignInOlder(connection);
  } finally {
    model.close();
  }
}

/** Returns what an older schema without foreign triggers and views has that no version made; null if there is nothing. */
function foreignInOlder(connection: Connection): string | null {
  const copy = new Sqlite(':memory:');
  try {
    // Not `exec`, which would also run statements that a file has hidden behind this one.
    for (const type of ['table', 'index', 'trigger'])
      for (const entry of entriesOf(connection))
        if (entry.type === type && entry.sql !== null) copy.prepare(entry.sql).run();
    copy.pragma(`user_version = ${schemaVersion(connection)}`);
    migrate(copy, () => null);
    return foreignPart(copy, { isStrict: true });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return `has several statements in an entry of its schema, ${FOREIGN}`;
  } finally {
    copy.close();
  }
}

/** Returns how a table, an index or a trigger of ours differs from that of the model; null if none does. */
function differenceOf(
  connection: Connection,
  model: Connection,
  known: ReadonlyMap<string, Entry>,
): string | null {
  const present = new Map(entriesOf(connection).map((one) => [`${one.type} ${one.name}`, one]));
  for (const [name, own] of known) {
    const entry = present.get(name);
    const what = `the ${own.type} ${quoted(own.name)}`;
    if (entry === undefined && own.type === 'index') continue;
    if (entry === undefined) return `lacks ${what}, which ${THIS} makes`;
    if (own.type === 'table') {
      const difference = differenceOfTable(connection, model, own.name);
      if (difference !== null)
        return `has another ${difference} of the table ${quoted(own.name)} than ${THIS} makes`;
    } else if (wordsOf(entry) !== wordsOf(own)) return `has ${what} in another form than ${THIS} makes`;
  }
  return null;
}

const entriesOf = (connection: Connection): Entry[] =>
  connection
    .prepare<[], Entry>(
      `SELECT type, name, tbl_name AS "table", sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY rowid`,
    )
    .all();

function isUnknown(entry: Entry, own: Entry | undefined): boolean {
  if (own !== undefined) return entry.type === 'trigger' && wordsOf(entry) !== wordsOf(own);
  if (entry.type === 'table') return isVirtual(entry) || /\breferences\b/i.test(entry.sql ?? '');
  return entry.type !== 'index';
}

/** Reports whether an entry is an index that no version made, of one of our tables. */
const isUnknownIndex = ({ type, name, table }: Entry, known: ReadonlyMap<string, Entry>): boolean =>
  type === 'index' && !known.has(`index ${name}`) && known.has(`table ${table}`);

const isVirtual = ({ sql }: Entry): boolean => /^\s*CREATE\s+VIRTUAL\b/i.test(sql ?? '');

/** Reports whether an entry of an older schema is a trigger of another program, a view, or a table that runs code. */
const isRunnable = (entry: Entry, own: Entry | undefined): boolean =>
  entry.type === 'view' ||
  (entry.type === 'trigger' && (own === undefined || wordsOf(entry) !== wordsOf(own))) ||
  isVirtual(entry);

/** Returns a generated column, or one that the model of the table lacks; undefined if there is none. */
function foreignColumn(connection: Connection, model: Connection | null, table: string): string | undefined {
  const columns = columnsOf(connection, table);
  const own = model && new Set(columnsOf(model, table).map(({ name }) => name));
  return columns.find(({ name, hidden }) => hidden !== 0 || own?.has(name) === false)?.name;
}

const columnsOf = (connection: Connection, table: string): { name: string; hidden: number }[] =>
  connection
    .prepare<[string], { name: string; hidden: number }>('SELECT name, hidden FROM pragma_table_xinfo(?)')
    .all(table);

/** Returns the text of an entry without comments, quotes and the layout. */
const wordsOf = ({ sql }: Entry): string =>
  (sql ?? '')
    .replaceAll(/--.*$/gm, ' ')
    .replaceAll('"', '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([(),;=<>]) ?/g, '$1')
    .trim()
    .toLowerCase();

/** Quotes a name that a file gives, so that it cannot control a terminal. */
const quoted = (name: string): string =>
  `"${name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}"]/gu, ' ').slice(0, MAX_NAME)}"`;
