import { parseSync, Visitor } from 'oxc-parser';

/** Files that may write tables by variable: their own only, those of a declared record, or all of them. */
const MAY_WRITE_BY_VARIABLE = [
  'src/storage/copy/copy-store.ts',
  'src/storage/record.ts',
  'src/traces/delete.ts',
  'src/traces/purge.ts',
];

/** Table → the folder of its module, from the files with the schema (path below their folder → SQL). */
export function ownersOf(schema: ReadonlyMap<string, string>): Map<string, string> {
  const owners = new Map<string, string>();
  for (const [path, sql] of schema)
    for (const [, table = ''] of sql.matchAll(/^CREATE TABLE (\w+)/gm))
      owners.set(table, `src/${path.slice(0, -'.sql'.length)}/`);
  return owners;
}

/** Returns a line for each file that writes a table of another module, and for each such table. */
export function checkTableWrites(
  sources: ReadonlyMap<string, string>,
  owners: ReadonlyMap<string, string>,
): string[] {
  const records = recordsOf(sources);
  return [...sources].flatMap(([path, source]) =>
    [...new Set(writtenIn(path, source, records))]
      .filter((table) =>
        table === BY_VARIABLE
          ? !MAY_WRITE_BY_VARIABLE.includes(path)
          : owners.has(table) && !path.startsWith(owners.get(table) as string),
      )
      .map((table) => `${path} writes ${table}, which ${owners.get(table) ?? 'nobody can tell who'} owns`),
  );
}

const BY_VARIABLE = '…';
const WRITE = /(?:\b(?:INSERT(?: OR [A-Z]+)? INTO|REPLACE INTO|DELETE FROM|UPDATE)|… INTO)\s+(\w+|…)/g;
const DECLARES = ['record', 'table'];
const CHANGES = ['insert', 'tryInsert', 'save', 'update', 'updateAll', 'updateSome', 'delete', 'deleteSome'];

/** The table of each record, by the name that it is exported under. */
function recordsOf(sources: ReadonlyMap<string, string>): Map<string, string> {
  const declaration = /^export const (\w+) = (?:record|table)\(\s*'(\w+)'/gm;
  const found = [...sources.values()].flatMap((source) => [...source.matchAll(declaration)]);
  return new Map(found.map(([, name = '', table = '']) => [name, table]));
}

/** The tables that the SQL in a file writes, those that it declares records for, and those of other records that it changes. */
function writtenIn(path: string, source: string, records: ReadonlyMap<string, string>): string[] {
  const { program } = parseSync(path, source);
  const tables: string[] = [];
  const imported = new Map<string, string>();
  const read = (sql: string): void => {
    for (const [, table = ''] of sql.matchAll(WRITE)) tables.push(table);
  };
  new Visitor({
    Literal: ({ value }) => {
      if (typeof value === 'string') read(value);
    },
    TemplateLiteral: ({ quasis }) => read(quasis.map(({ value }) => value.raw).join(BY_VARIABLE)),
    ImportSpecifier: ({ imported: { type, ...named }, local }) => {
      if (type === 'Identifier' && 'name' in named) imported.set(local.name, named.name);
    },
    CallExpression: ({ callee, arguments: [first] }) => {
      if (callee.type === 'MemberExpression') {
        const { object, property } = callee;
        if (object.type !== 'Identifier' || property.type !== 'Identifier') return;
        const table = records.get(imported.get(object.name) ?? '');
        if (table && CHANGES.includes(property.name)) tables.push(table);
        return;
      }
      if (callee.type !== 'Identifier' || !DECLARES.includes(callee.name)) return;
      if (first?.type === 'Literal' && typeof first.value === 'string') tables.push(first.value);
    },
  }).visit(program);
  return tables;
}
