import { parseSync, Visitor } from 'oxc-parser';

/**
 * Writes to tables of another module that are still to be moved to their owner: `file` → tables. `…`: the statement names
 * its table by a variable.
 */
const TO_BE_MOVED: Readonly<Record<string, readonly string[]>> = {
  // The jobs module.
  'src/resources/experiments/run-variant.ts': ['job'],
  'src/resources/scrape-jobs/store.ts': ['job'],
  // Each its own.
  'src/cli/keys.ts': ['api_key'],
  'src/deliver/schedule-store.ts': ['task_schedule'],
  'src/evaluate/quality-metric-store.ts': ['task'],
  'src/resources/quickstarts/complete.ts': ['…'],
  'src/resources/tasks/store.ts': ['…'],
  'src/traces/purge.ts': ['delivery', 'eval', 'judge_call'],
};
/** They write tables of their own only, those that a record was declared for, or all of them. */
const MAY_WRITE_BY_VARIABLE = [
  'src/storage/record.ts',
  'src/storage/sqlite/rebuild-store.ts',
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

/** Whatever writes a table of another module: one line for each file and table. */
export function checkTableWrites(
  sources: ReadonlyMap<string, string>,
  owners: ReadonlyMap<string, string>,
  toBeMoved: Readonly<Record<string, readonly string[]>> = TO_BE_MOVED,
): string[] {
  const records = recordsOf(sources);
  const found = [...sources].flatMap(([path, source]) => {
    const tables = [...new Set(writtenIn(path, source, records))];
    const foreign = tables.filter((table) =>
      table === BY_VARIABLE
        ? !MAY_WRITE_BY_VARIABLE.includes(path)
        : owners.has(table) && !path.startsWith(owners.get(table) as string),
    );
    const known = toBeMoved[path] ?? [];
    return [
      ...foreign
        .filter((table) => !known.includes(table))
        .map((table) => `${path} writes ${table}, which ${owners.get(table) ?? 'nobody can tell who'} owns`),
      ...known
        .filter((table) => !foreign.includes(table))
        .map((table) => `${path} no longer writes ${table}: remove it from TO_BE_MOVED`),
    ];
  });
  const gone = Object.keys(toBeMoved).filter((path) => !sources.has(path));
  return [...found, ...gone.map((path) => `${path} is gone: remove it from TO_BE_MOVED`)];
}

const BY_VARIABLE = '…';
const WRITE = /(?:\b(?:INSERT(?: OR [A-Z]+)? INTO|REPLACE INTO|DELETE FROM|UPDATE)|… INTO)\s+(\w+|…)/g;
const DECLARES = ['record', 'table'];
const CHANGES = ['insert', 'tryInsert', 'save', 'update', 'updateAll', 'delete', 'deleteSome'];

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
