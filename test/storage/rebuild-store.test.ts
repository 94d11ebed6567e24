import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SCHEMA_VERSION } from '../../src/storage/sqlite/migrate.ts';
import { migrateStore } from '../../src/storage/sqlite/open.ts';
import { tableNames } from '../../src/storage/sqlite/schema.ts';
import { type Answers, readAll } from '../support/read-all.ts';
import {
  MADE_AT,
  makeOldFolder,
  makeOldStore,
  OLD_SCHEMA,
  type OldFolder,
  stateOf,
} from '../support/old-store.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type Folder, openDatabase, temporaryFolder } from '../support/storage.ts';

type Row = Record<string, unknown>;

const DAY_MS = 86_400_000;

let folder: Folder;
let old: Sqlite.Database;
let rebuilt: Sqlite.Database;
let migration: unknown;
beforeAll(() => {
  folder = temporaryFolder();
  old = makeOldStore(folder.file('old.db'));
  makeOldStore(folder.file('touchstone.db')).close();
  migration = migrateStore(folder.file('touchstone.db'), { snapshot: false });
  rebuilt = new Sqlite(folder.file('touchstone.db'), { readonly: true });
});
afterAll(() => {
  old.close();
  rebuilt.close();
  folder[Symbol.dispose]();
});

const ADDED_TABLES = [
  'audit_entry',
  'copied_trace',
  'document_tag',
  'erasure',
  'example',
  'example_data',
  'example_version',
  'invitation',
  'job_lease',
  'judge_prompt',
  'known_browser',
  'masked_value',
  'masking',
  'membership',
  'monitored_session',
  'retention',
  'saved_view',
  'session_monitoring',
  'setup_link',
  'stored_day',
  'test_touch',
  'trace_block',
  'user_account',
  'user_login',
];

describe('a rebuilt store', () => {
  it('has the schema of a new one, and no fault', () => {
    expect(migration).toEqual({ from: OLD_SCHEMA, to: SCHEMA_VERSION, snapshot: null });
    openDatabase(folder.file('new.db')).connection.close();
    expect(stateOf(folder.file('touchstone.db')).schema).toEqual(stateOf(folder.file('new.db')).schema);
    expect(rebuilt.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    expect(rebuilt.pragma('foreign_key_check')).toEqual([]);
  });

  it('was made of one with rows in every table', () => {
    const empty = tableNames(old).filter(
      (table) => old.prepare(`SELECT 1 FROM ${table}`).get() === undefined,
    );
    expect(empty).toEqual([]);
  });

  /** Where rows name traces by their keys: as ids, so that both stores can be compared. */
  const TRACE = `(SELECT hex(trace_id) FROM (SELECT tkey, trace_id FROM trace UNION SELECT tkey, trace_id FROM purge) AS named
    WHERE named.tkey = KEY)`;
  const named = (key: string): string => TRACE.replace('KEY', key);
  const OLD_COLUMNS: Record<string, Record<string, string>> = {
    job: { lease: 'epoch' },
    figure: {
      examples: '0',
      pass_rate_low: 'NULL',
      pass_rate_high: 'NULL',
      due_at: '0',
      evaluations: '0',
      passed_evaluations: '0',
      passed_tests: '0',
      monitored_tests: '0',
      monitored_evaluations: '0',
      monitored_passed_evaluations: '0',
      monitored_passed_tests: '0',
    },
    eval: { judge_version: 'NULL' },
    topic: {
      is_in_scope: '1',
      description: "CASE WHEN baseline GLOB '*[^0-9.]*' THEN baseline END",
      baseline: "CASE WHEN baseline NOT GLOB '*[^0-9.]*' THEN baseline END",
    },
    judge_call: { subject_id: 'eval_id', prompt_hash: 'NULL' },
    run: { prompt_seed: 'NULL' },
    test: {
      trace_deleted: `last_span_at IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM trace_test JOIN trace USING (tkey) WHERE test_id = unhex(test.id, '-'))`,
    },
    tombstone: { expires_at: 'NULL', erased: '0' },
    purge: { tkey: named('purge.tkey'), session_id: 'NULL' },
    human_annotation: { corrected_output: 'NULL' },
    definition: { gate_min_annotations: 'CASE WHEN gate_min_kappa IS NOT NULL THEN 30 END' },
    chunk: { tkey: named('ck >> 20'), seq: 'ck & 1048575' },
    span: { tkey: named('span.tkey'), seq: 'chunk & 1048575' },
    monitoring: { last_tkey: named('last_tkey') },
  };
  const NEW_COLUMNS: Record<string, Record<string, string>> = { monitoring: OLD_COLUMNS['monitoring'] ?? {} };
  const rowsOf = (store: Sqlite.Database, table: string, changed: Record<string, string> = {}): string[] => {
    const names = (rebuilt.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name);
    const known = new Set(
      (store.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name),
    );
    const columns = names
      // In the old store some tables said by their trace alone whose they were.
      .filter(
        (name) =>
          name !== 'example_id' && (name !== 'application' || (known.has(name) && knownInBoth(table))),
      )
      .map((name) => `${changed[name] ?? (name === 'tkey' ? named(`${table}.tkey`) : name)} AS "${name}"`);
    return store
      .prepare<[], Row>(`SELECT ${columns.join(', ')} FROM ${table}`)
      .safeIntegers()
      .all()
      .map((row) =>
        JSON.stringify(row, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
      )
      .sort();
  };
  const knownInBoth = (table: string): boolean =>
    (old.pragma(`table_info(${table})`) as { name: string }[]).some(({ name }) => name === 'application');

  it('has every row that the old one had, in every table', () => {
    // No process of the old store lives on, so that the epoch of the last one is dropped.
    const tables = tableNames(old).filter((table) => table !== 'job_epoch');
    expect(tableNames(rebuilt).toSorted()).toEqual([...tables, ...ADDED_TABLES].toSorted());
    for (const table of tables) {
      const [before, after] = [
        rowsOf(old, table, OLD_COLUMNS[table]),
        rowsOf(rebuilt, table, NEW_COLUMNS[table]),
      ];
      expect(after, table).toEqual(before);
    }
  });

  it('has an example for each input example, and names that of each test', () => {
    const prompts = (store: Sqlite.Database, sql: string): string[] =>
      store.prepare<[], string>(sql).pluck().all().toSorted();
    expect(prompts(rebuilt, `SELECT task_id || prompt FROM example WHERE status = 'ACTIVE'`)).toEqual(
      prompts(old, 'SELECT task.id || value FROM task, json_each(input_examples)'),
    );
    const wrong = `SELECT count(*) FROM test LEFT JOIN example ON example.id = example_id
      WHERE example_index IS NOT NULL AND test.prompt IS NOT example.prompt`;
    expect(rebuilt.prepare(wrong).pluck().get()).toBe(0);
  });

  it('names the application of each trace in all of its tables', () => {
    for (const table of [
      'chunk',
      'span',
      'trace_preview',
      'open_step',
      'closed_step',
      'rewrite',
      'refresh',
    ]) {
      const others = `SELECT count(*) FROM ${table} LEFT JOIN trace USING (application, tkey) LEFT JOIN purge USING (application, tkey)
        WHERE trace.trace_id IS NULL AND purge.trace_id IS NULL`;
      expect(rebuilt.prepare(others).pluck().get(), table).toBe(0);
    }
  });

  it('has trace keys that begin with the day of arrival, in the order they had', () => {
    const keysOf = (store: Sqlite.Database): { tkey: number; receivedAt: number; id: string }[] =>
      store
        .prepare<[], { tkey: number; receivedAt: number; id: string }>(
          'SELECT tkey, received_at AS receivedAt, hex(trace_id) AS id FROM trace ORDER BY tkey',
        )
        .all();
    const keys = keysOf(rebuilt);
    expect(keys.map(({ id }) => id)).toEqual(keysOf(old).map(({ id }) => id));
    for (const { tkey, receivedAt } of keys)
      expect(Math.floor(tkey / 2 ** 27)).toBe(Math.floor(receivedAt / DAY_MS));
    const sequences = (store: Sqlite.Database): unknown[] =>
      store.prepare(`SELECT name, seq FROM sqlite_sequence WHERE name <> 'trace' ORDER BY name`).all();
    expect(sequences(rebuilt)).toEqual(sequences(old));
  });
});

const ADDED_FIELDS: readonly string[] = ['exampleId', 'exampleCount'];
/** Fields that this version computes in another way. */
const CHANGED_FIELDS: readonly string[] = [
  'passRateInterval',
  'confidence',
  'ruleSet',
  'lastTest',
  'cron',
  'config',
  'steps',
  'result',
  'results',
];
/** Reports whether a value stands for nothing, which this version answers in another way. */
const isNothing = (key: string, value: unknown): boolean => key === 'metadata' && value === null;
/** Leaves out what the program words, and not the store, and the fields that were added since. */
const withoutMessages = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer ?? null, (key, value: unknown) =>
      key === 'message'
        ? ''
        : [...ADDED_FIELDS, ...CHANGED_FIELDS].includes(key) || isNothing(key, value)
          ? undefined
          : value,
    ),
  );

/**
 * Leaves out what this version chooses in another way: beside a native trace event, a tool has no answer; the result of a run or
 * a variant has no verdicts of advisory definitions; a schedule whose next run is decades away is planned again.
 */
const withoutChoices = (call: string, answer: unknown): unknown => {
  const [, left] = CHOICES.find(([calls]) => calls.test(call)) ?? [];
  return left === undefined
    ? answer
    : JSON.parse(JSON.stringify(answer, (key, value: unknown) => (left.test(key) ? undefined : value)));
};
const CHOICES: readonly [calls: RegExp, left: RegExp][] = [
  [/^\/v0\/(?:tests|traces)\//, /^(?:input|output)(?:SpanId)?$/],
  [/^\/v0\/(?:runs|experiments)/, /^(?:result|repeats)$/],
  [/^\/v0\/tasks/, /^nextRunAt$/],
];

describe('a server over a rebuilt store', () => {
  let told: OldFolder;
  let server: TestServer;
  beforeAll(async () => {
    // Metrics count what is recent.
    vi.useFakeTimers({ now: MADE_AT, toFake: ['Date'] });
    told = makeOldFolder(folder.file('data'));
    const [{ ids, headers }] = told.readers as [OldFolder['readers'][number]];
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

  it('answers every read as before', async () => {
    for (const [index, reader] of told.readers.entries()) {
      const before = told.answers[index] as Answers;
      const after = await readAll(server.url, reader);
      for (const [call, answer] of Object.entries(before)) {
        if (call.startsWith('/v0/reporting/datasources')) continue;
        // The baseline was a text, which is the description now.
        if (call.startsWith('/v0/topics')) continue;
        // This version may answer further fields.
        const shown = (one: unknown): object => withoutChoices(call, withoutMessages(one)) as object;
        expect(shown(after[call]), call).toMatchObject(shown(answer));
      }
    }
  });

  it('goes on with the traces it has', async () => {
    const database = openDatabase(join(server.folder, 'touchstone.db'));
    const last = database.get<{ tkey: number }>('SELECT max(tkey) AS tkey FROM trace')?.tkey ?? 0;
    const ledger = () =>
      database.get('SELECT total(stored) AS stored, total(duplicate) AS duplicate FROM ledger') as {
        stored: number;
        duplicate: number;
      };
    const before = ledger();
    const { otelTrace, span } = (told.readers[0] as OldFolder['readers'][number]).ids;
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
    expect(database.get<{ tkey: number }>('SELECT max(tkey) AS tkey FROM trace')?.tkey).toBeGreaterThan(last);
    database.connection.close();
    const { status } = await server.call('DELETE', `/v0/traces/${otelTrace}`);
    expect(status).toBe(204);
    expect((await server.call('GET', `/v0/traces/${otelTrace}`)).status).toBe(404);
  });
});
