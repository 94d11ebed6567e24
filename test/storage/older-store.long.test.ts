import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SCHEMA_VERSION } from '../../src/storage/sqlite/migrate.ts';
import { migrateStore } from '../../src/storage/sqlite/open.ts';
import { tableNames } from '../../src/storage/sqlite/schema.ts';
import {
  MADE_AT,
  makeOldFolder,
  makeOldStore,
  OLD_SCHEMA,
  type OldFolder,
  stateOf,
} from '../support/old-store.ts';
import { type Answers, readAll } from '../support/read-all.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type Folder, openDatabase, temporaryFolder } from '../support/storage.ts';

let folder: Folder;
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => folder[Symbol.dispose]());

describe('a migrated store', () => {
  let old: Sqlite.Database;
  let migrated: Sqlite.Database;
  let migration: unknown;
  beforeAll(() => {
    old = makeOldStore(folder.file('old.db'));
    makeOldStore(folder.file('touchstone.db')).close();
    migration = migrateStore(folder.file('touchstone.db'), { snapshot: false });
    migrated = new Sqlite(folder.file('touchstone.db'), { readonly: true });
  });
  afterAll(() => {
    old.close();
    migrated.close();
  });

  it('has every table of a new one, and no fault', () => {
    expect(migration).toEqual({ from: OLD_SCHEMA, to: SCHEMA_VERSION, snapshot: null });
    openDatabase(folder.file('new.db')).connection.close();
    const namesOf = (file: string): unknown[] =>
      stateOf(folder.file(file)).schema.map((entry) => {
        const { type, name } = entry as { type: string; name: string };
        return `${type} ${name}`;
      });
    expect(namesOf('touchstone.db')).toEqual(namesOf('new.db'));
    expect(migrated.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    expect(migrated.pragma('foreign_key_check')).toEqual([]);
  });

  it('has every row that the old one had', () => {
    const tables = tableNames(old);
    expect(tables.length).toBeGreaterThan(60);
    for (const table of tables) {
      const columns = (old.pragma(`table_info(${table})`) as { name: string }[]).map(
        ({ name }) => `"${name}"`,
      );
      const rowsOf = (store: Sqlite.Database): unknown[] =>
        store
          .prepare(`SELECT ${columns.join()} FROM ${table} ORDER BY ${columns.join()}`)
          .safeIntegers()
          .all();
      expect(rowsOf(migrated), table).toEqual(rowsOf(old));
    }
  });
});

const RELIABILITY = '/reliability?';

/** Fields that work in the background computes, also after the store was filled. */
const COMPUTED =
  /^(?:confidence|passRateInterval|metrics|performance|nextRunAt|repeats|results?|evaluations|passed|testsPassed|recommendedAdditionalEvaluations|ruleSet)$/;
const withoutComputed = (answer: unknown): object =>
  JSON.parse(
    JSON.stringify(answer, (key, value: unknown) => (COMPUTED.test(key) ? undefined : value)),
  ) as object;

/** Calls that have more values in each version, or count what lists leave out. */
const NOT_COMPARED = /^\/v0\/(?:reporting\/datasources|traces\/facets)/;

type TraceList = { status: number; json: { data: { id: string; rootName: string }[] } };

/** Leaves out what lists no longer have: traces that have only spans of deliveries. */
function withoutDeliveries(call: string, before: unknown, after: unknown): unknown {
  if (!call.startsWith('/v0/traces?')) return before;
  const { status, json } = before as TraceList;
  const listed = new Set((after as TraceList).json.data.map(({ id }) => id));
  const data = json.data.filter(({ id, rootName }) => rootName !== 'POST webhook' || listed.has(id));
  return { status, json: { data } };
}

describe('a server over a migrated store', () => {
  let filled: OldFolder;
  let server: TestServer;
  beforeAll(async () => {
    // Metrics count what is recent.
    vi.useFakeTimers({ now: MADE_AT, toFake: ['Date'] });
    filled = makeOldFolder(folder.file('data'));
    const [{ ids, headers }] = filled.readers as [OldFolder['readers'][number]];
    server = await startServer({
      config: {
        dataDir: folder.file('data'),
        bootstrapOrgId: 'org-1',
        bootstrapApplicationId: ids.application,
        bootstrapApiKey: String(headers['x-api-key']),
      },
    });
  });
  afterAll(async () => {
    await server.close();
    vi.useRealTimers();
  });

  it('returns the same from every read', async () => {
    for (const [index, reader] of filled.readers.entries()) {
      const before = filled.answers[index] as Answers;
      const after = await readAll(server.url, reader);
      // The columns that reports know are those of this version. Older verdicts of people are about complete traces, and count for
      // no definition until one is marked (`isOverall`).
      const calls = Object.entries(before).filter(
        ([call]) => !NOT_COMPARED.test(call) && !call.includes(RELIABILITY),
      );
      for (const [call, answer] of calls)
        expect(after[call], call).toMatchObject(
          withoutComputed(withoutDeliveries(call, answer, after[call])),
        );
    }
  });

  it('counts verdicts of people on complete traces for a definition once it is marked', async () => {
    const found = filled.readers.flatMap((reader, index) =>
      Object.entries(filled.answers[index] as Answers).flatMap(([call, answer]) => {
        if (!call.includes(RELIABILITY)) return [];
        const { data } = answer.json as { data: { verdicts: { compared: number } } };
        return {
          headers: reader.headers,
          path: call.slice(0, -RELIABILITY.length),
          compared: data.verdicts.compared,
        };
      }),
    );
    expect(found.some(({ compared }) => compared > 0)).toBe(true);
    for (const { headers, path, compared } of found) {
      const read = async (): Promise<unknown> =>
        (await server.call('GET', `${path}${RELIABILITY}`, { headers })).json;
      expect(await read()).toMatchObject({ data: { verdicts: { compared: 0 } } });
      expect((await server.call('PUT', path, { headers, body: { isOverall: true } })).status).toBe(200);
      expect(await read()).toMatchObject({ data: { verdicts: { compared } } });
    }
  });

  it('recognises the spans that it has, and stores further ones', async () => {
    const database = openDatabase(join(server.folder, 'touchstone.db'));
    const ledger = () =>
      database.get('SELECT total(stored) AS stored, total(duplicate) AS duplicate FROM ledger') as {
        stored: number;
        duplicate: number;
      };
    const before = ledger();
    const { otelTrace, span } = (filled.readers[0] as OldFolder['readers'][number]).ids;
    const send = async (traceId: string): Promise<void> => {
      const at = `${Date.now()}000000`;
      const times = { startTimeUnixNano: at, endTimeUnixNano: at };
      const spans = [{ traceId, spanId: span, name: 'another version', ...times }];
      const { status } = await server.call('POST', '/v1/traces', {
        body: { resourceSpans: [{ scopeSpans: [{ spans }] }] },
      });
      expect(status).toBe(200);
    };
    await send(otelTrace);
    expect(ledger()).toEqual(before);
    await send('0123456789abcdef0123456789abcdef');
    expect(ledger()).toEqual({ ...before, stored: before.stored + 1 });
    database.connection.close();
    expect((await server.call('DELETE', `/v0/traces/${otelTrace}`)).status).toBe(204);
    expect((await server.call('GET', `/v0/traces/${otelTrace}`)).status).toBe(404);
  });
});
