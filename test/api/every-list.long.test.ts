/** Lists of the document: each is sorted as requested, and its pages have every entry once. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/storage/database.ts';
import { type ApiCall, apiCalls, exampleOf, parametersIn, sendCall } from '../support/api-calls.ts';
import { besideServer } from '../support/beside-store.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { applicationKey } from '../support/stored-tests.ts';
import {
  createTenantFixture,
  FIXTURE_SETTINGS,
  type Outside,
  startOutside,
  type TenantFixture,
} from '../support/tenant-fixture.ts';

let server: TestServer;
let outside: Outside;
let fixture: TenantFixture;
beforeAll(async () => {
  server = await startServer({ config: FIXTURE_SETTINGS });
  outside = await startOutside();
  fixture = await createTenantFixture(server, server, outside);
  // The name of a step is not chosen by the fixture.
  inStore((database) => database.run("UPDATE inference_step SET external_id = 'another'"));
  const { ids } = await createTenantFixture(server, server, outside);
  for (const path of [`documents/${fixture.ids.document}`, `tasks/${fixture.ids.task}`]) {
    await server.call('PUT', `/v0/${path}/tags`, { body: { tagIds: [fixture.ids.tag, ids.tag] } });
  }
  mixTimes();
});
afterAll(async () => {
  await server.close();
  await outside.close();
});

const inStore = (work: (database: Database, application: number) => unknown): unknown =>
  besideServer(server.folder, (database) => work(database, applicationKey(database, server.applicationId)));

/** Gives all records of the application times of creation that are out of the order of their ids, several with the same. */
function mixTimes(): void {
  inStore((database, application) => {
    const tables = database.all<{ name: string }>(
      `SELECT t.name FROM sqlite_schema AS t WHERE t.type = 'table' AND 2 = (SELECT count(*) FROM pragma_table_info(t.name) AS c
        WHERE c.name IN ('application', 'created_at'))`,
    );
    expect(tables.length).toBeGreaterThan(20);
    for (const { name } of tables)
      database.run(
        `UPDATE "${name}" SET created_at = created_at - abs(random()) % 3 * 60000 WHERE application = ?`,
        application,
      );
  });
}

const ordersOf = (call: ApiCall): string[] =>
  (parametersIn(call, 'query').find(({ name }) => name === 'orderBy')?.schema.enum ?? []).map(String);
/** Results are no records: `test/resources/results.test.ts` has their orders and pages. */
const lists = apiCalls.filter(
  (call) => call.method === 'GET' && ordersOf(call).length > 0 && call.path !== '/v0/results',
);
const cases = lists.flatMap((call) =>
  ordersOf(call).flatMap((orderBy) =>
    (['asc', 'desc'] as const).map((orderDir) => [call.name, orderBy, orderDir, call] as const),
  ),
);

/** Lists with one entry: a key sees only its own application, and the fixture makes one conversation of each quickstart. */
const ONE_ENTRY: ReadonlySet<string> = new Set(['/v0/applications', '/v0/quickstarts/{id}/conversations']);

type Entry = Readonly<Record<string, unknown>>;

async function read(call: ApiCall, more: Readonly<Record<string, string>>): Promise<Entry[]> {
  const request = exampleOf(call, fixture.ids, fixture.texts);
  for (const [name, value] of Object.entries(more)) request.query.set(name, value);
  const { status, json, text } = await sendCall(server.url, request, server.headers);
  expect(status, text).toBe(200);
  const entries = Object.values(json as object).find((part) => Array.isArray(part)) as Entry[] | undefined;
  expect(entries, text.slice(0, 300)).toBeDefined();
  return entries ?? [];
}

it('most records have a list that can be sorted', () => {
  expect(lists.length).toBeGreaterThan(25);
});

describe.each(cases)('%s by %s, %s', (_name, orderBy, orderDir, call) => {
  it('is sorted, and its pages have every entry once', async () => {
    const order = { orderBy, orderDir };
    const all = await read(call, { ...order, limit: '100' });
    expect(all.length).toBeGreaterThan(ONE_ENTRY.has(call.path) ? 0 : 1);
    const values = all.map((entry) => entry[orderBy] as string | number | null | undefined);
    // What is null comes last in both directions; a value that the list does not show is not compared.
    const shown = values.filter((value) => value !== null && value !== undefined);
    const sorted = shown.toSorted((a, b) => (a === b ? 0 : a < b ? -1 : 1));
    expect(shown).toEqual(orderDir === 'asc' ? sorted : sorted.toReversed());
    if (!values.includes(undefined)) expect(values.slice(0, shown.length)).toEqual(shown);
    const paged: Entry[] = [];
    // Pages of one entry for lists of a few, and three pages and one beyond the end for longer ones.
    const limit = Math.max(1, Math.ceil(all.length / 3));
    for (let skip = 0; skip <= all.length; skip += limit)
      paged.push(...(await read(call, { ...order, skip: String(skip), limit: String(limit) })));
    expect(paged).toEqual(all);
  });
});
