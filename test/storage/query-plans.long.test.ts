import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReadCase, readCases } from '../../bench/read-cases.ts';
import { idOf } from '../../bench/read-rows.ts';
import { fillStore } from '../../bench/read-store.ts';
import { apiRoutes, type RouteDeps } from '../../src/api/routes.ts';
import { parseRequest, type Route, serialise } from '../../src/contract/route.ts';
import { SCOPES } from '../../src/contract/scope.ts';
import { FILTER_SCREENS, type FilterScreen, filterFieldsOf } from '../../src/filter/fields.ts';
import { parseFilter } from '../../src/filter/parse.ts';
import { queries } from '../../src/operations.ts';
import { countFilterValues } from '../../src/resources/filter/calls.ts';
import { exportResults } from '../../src/resources/results/calls.ts';
import { findOpenWork } from '../../src/resources/runs/calls.ts';
import { decideRunSet, evidenceHead, evidenceTests } from '../../src/resources/run-sets/calls.ts';
import { type Decision, decisionQuery } from '../../src/resources/run-sets/decision-contract.ts';
import { exportTests } from '../../src/resources/tests/calls.ts';
import type { SqliteDatabase } from '../../src/storage/sqlite/database.ts';
import { queryPlan } from '../support/query-plan.ts';
import { type Folder, openDatabase, temporaryFolder } from '../support/storage.ts';

/** More than lists sort, so that they walk the index of their order. */
const ROWS = 5_200;
const OWNER = { application: 1, applicationId: '5f0e3c9a-1d43-4a55-9c7e-0c7f5b1f0a01', organisation: 'org' };
const CALLER = { ...OWNER, actor: { type: 'user', id: 'user-1', name: 'Ann' }, scopes: new Set(SCOPES) };

let folder: Folder;
let database: SqliteDatabase;
const prepared = new Set<string>();
const tables = new Set<string>();

beforeAll(() => {
  folder = temporaryFolder();
  const file = folder.file('store.db');
  const empty = openDatabase(file);
  empty.run('INSERT INTO organisation (id, created_at) VALUES (?, 0)', OWNER.organisation);
  empty.run(
    `INSERT INTO application (application, id, org_id, title, slug, description, context, language, type, environment,
       human_annotation_enabled, created_at, modified_at) VALUES (?, ?, ?, 'Shop', 'shop', '', '', 'en', 'CHATBOT', 'DEV', 0, 0, 0)`,
    OWNER.application,
    OWNER.applicationId,
    OWNER.organisation,
  );
  empty.connection.close();
  fillStore(file, OWNER.applicationId, ROWS);
  database = openDatabase(file, (sql) => prepared.add(sql));
  const named = database.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'");
  for (const { name } of named) if (!SHORT.includes(name)) tables.add(name);
});

afterAll(() => {
  database.connection.close();
  folder[Symbol.dispose]();
});

const read = async (name: string, args: never): Promise<unknown> =>
  (queries[name as keyof typeof queries] as (of: SqliteDatabase, args: never) => unknown)(database, args);
const routes = apiRoutes({
  config: {},
  read,
  now: Date.now,
  lastUnauthorized: () => null,
  judges: { waitOf: () => null, nameFor: () => null },
  scorers: { waitOf: () => null },
  webhookLimits: { waitOf: () => null },
  logins: { require: async () => ({ user: { id: OWNER.organisation }, tokenHash: Buffer.alloc(32) }) },
} as unknown as RouteDeps);

/** The statements that a call makes, whose answer has to be a right one. */
async function statementsOf({ route, url }: ReadCase): Promise<string[]> {
  prepared.clear();
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const called = routes.find(({ method, path }) => `${method} ${path}` === route) as Route;
  const parts = called.path.split('/').map((part, index) => [part, pathname.split('/')[index]] as const);
  const params = Object.fromEntries(
    parts.filter(([part]) => part.startsWith('{')).map(([part, value]) => [part.slice(1, -1), value]),
  );
  const request = parseRequest(called, { params, query: Object.fromEntries(searchParams), body: undefined });
  const rest = { principal: CALLER, headers: {}, setHeader: () => undefined, setStatus: () => undefined };
  const answer = await called.handler({ ...rest, ...request } as unknown as Parameters<Route['handler']>[0]);
  serialise(called, answer);
  return [...prepared];
}

/** The list of traces has many calls, each of which reads thousands of rows. */
const PATIENCE_MS = 600_000;

/** Of these there are few rows, or a row is hardly longer than its entry in an index. */
const SHORT = ['application', 'rejection', 'trace'];

/** The steps of each SELECT of a statement, in the order in which they are nested. */
const blocksOf = (sql: string): string[][] =>
  [...Map.groupBy(queryPlan(database, sql), ({ parent }) => parent).values()].map((block) =>
    block.map(({ detail }) => detail),
  );

/** The steps that take long when an application has many rows. */
function slowSteps(sql: string): string[] {
  return blocksOf(sql).flatMap((steps) => {
    const isSorted = steps.some((step) => step.includes('FOR ORDER BY'));
    return steps
      .filter((step) => /^(SCAN|SEARCH) /.test(step))
      .filter((step, depth) => isWhole(step) && (depth > 0 || !isWalk(step) || (isSorted && !sortsFew(sql))));
  });
}

/**
 * The steps that go through all rows of an application and keep those for which another table has a row: of millions, maybe
 * one. The planner chooses this for an order that an index has.
 */
function walksToLookUp(sql: string): string[] {
  const blocks = Map.groupBy(queryPlan(database, sql), ({ parent }) => parent);
  return [...blocks.values()].flatMap((block) => {
    const [first = '', ...others] = block
      .map(({ detail }) => detail)
      .filter((step) => /^(SCAN|SEARCH) /.test(step));
    const looksUp = others.some((step) => / (PRIMARY KEY|INDEX \w+) \(/.test(step));
    return isWhole(first) && looksUp && !ALL_HAVE_OTHERS.test(first) ? [first] : [];
  });
}

/** Each document has chunks. */
const ALL_HAVE_OTHERS = /^SEARCH document /;

/** An index of few rows of an application: of its blind queues. */
const OF_FEW = / USING INDEX annotation_queue_blind /;

/** Whether it goes through all rows of a table or of an application. */
const isWhole = (step: string): boolean =>
  (step.endsWith('(application=?)') && !OF_FEW.test(step)) ||
  tables.has(/^SCAN (\w+)$/.exec(step)?.[1] ?? '');

/** Whether it goes through an index, or rows as short as that. */
const isWalk = (step: string): boolean =>
  / USING (COVERING INDEX|PRIMARY KEY)/.test(step) || SHORT.some((table) => step.split(' ')[1] === table);

/** So do lists that have counted what there is to sort. */
const sortsFew = (sql: string): boolean => sql.includes('ORDER BY +');

/** Whether a call must be fast in applications with many rows. */
const isList = ({ kind }: ReadCase): boolean => kind === 'list' || kind === 'deep';

describe('the statements of a call', () => {
  // Lists first: a statement is seen where it is prepared, and must be as fast as lists need it.
  const calls = readCases()
    .filter((call) => call.kind !== 'search')
    .toSorted((a, b) => Number(isList(b)) - Number(isList(a)));
  it.for([...Map.groupBy(calls, ({ route }) => route)])(
    'walk an index at most, sort what is few, and walk nothing to find rows that another table has: %s',
    { timeout: PATIENCE_MS },
    async ([, ofRoute]) => {
      const slow: { sql: string; steps: string[] }[] = [];
      const seen = new Set<string>();
      for (const call of ofRoute) {
        for (const sql of await statementsOf(call)) {
          seen.add(sql);
          const steps = [...(isList(call) ? slowSteps(sql) : []), ...walksToLookUp(sql)];
          if (steps.length > 0) slow.push({ sql, steps });
        }
      }
      if (ofRoute.some(isList)) expect(seen.size).toBeGreaterThan(0);
      expect(slow).toEqual([]);
    },
  );
});

const owner = { ...OWNER, orgId: OWNER.organisation };
const side = [`run:${idOf('run', 0)}`, `variant:${idOf('variant', 0)}`];
const terms = (line: string, screen: FilterScreen): object => ({
  terms: parseFilter(line, screen).terms,
  at: Date.now(),
});
type Call = readonly [query: string, args: object];
type Reading = [what: string, calls: () => readonly Call[] | Promise<readonly Call[]>];
const suggestions = FILTER_SCREENS.flatMap((screen) =>
  filterFieldsOf(screen).flatMap(({ name }) =>
    (name === 'input' || name === 'output' ? [null, 'a'] : [null]).map((written): Reading => {
      const args = { application: 1, screen, filter: terms('', screen), field: name, key: null, written };
      const what = written === null ? 'suggestions' : 'words';
      return [`${what} of ${name} for ${screen}`, () => [[countFilterValues, args]]];
    }),
  ),
);

it.each<Reading>([
  ['an export of tests', () => [[exportTests, { owner, filter: {}, after: null, limit: 50 }]]],
  ['a run whose judge waits', () => [[findOpenWork, { application: 1, runId: idOf('run', 0) }]]],
  [
    'results side by side',
    () => [
      [
        exportResults,
        { owner, filter: { side, q: terms('verdict:fail', 'results') }, after: null, limit: 50 },
      ],
      [
        exportResults,
        { owner, filter: { side, definitionId: idOf('definition', 0) }, after: null, limit: 50 },
      ],
    ],
  ],
  [
    'evidence',
    async () => {
      const id = idOf('runSet', 0);
      const rule = { ...decisionQuery.parse({}), margin: null };
      const args = { owner, id, baseline: undefined, rule, now: Date.now() };
      const { rate, ...made } = (await read(decideRunSet, args as never)) as Decision;
      const decision = { ...made, rate: rate?.rate ?? null, advisoryIds: made.advisory.map((one) => one.id) };
      database.run('UPDATE run_set SET decision = ? WHERE id = ?', JSON.stringify(decision), id);
      const ids = Array.from({ length: 20 }, (_, row) => idOf('test', row));
      return [
        [evidenceHead, { owner, id, now: Date.now() }],
        [evidenceTests, { application: 1, side: 'candidate', ids }],
      ];
    },
  ],
  ...suggestions,
])('the statements of %s walk nothing to find rows that another table has', async (_what, calls) => {
  const named = await calls();
  prepared.clear();
  for (const [query, args] of named) await read(query, args as never);
  const walks = [...prepared].map((sql) => ({ sql, steps: walksToLookUp(sql) }));
  expect(walks.filter(({ steps }) => steps.length > 0)).toEqual([]);
});
