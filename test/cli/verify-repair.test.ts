/** What a store has computed is damaged piece by piece, found by `verify --deep`, and computed again by `verify --repair`. */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { runCommandLine } from '../../src/cli/run.ts';
import { STORE_PARTS } from '../../src/cli/store-parts.ts';
import { makeOldFolder } from '../support/old-store.ts';
import { start, startServer as startProgram } from '../support/process.ts';
import { startServer, type Tenant, type TestServer } from '../support/server.ts';
import { otlpRequest } from '../support/spans.ts';
import { type Folder, temporaryFolder } from '../support/storage.ts';
import { stateOfFolder } from '../support/store-situations.ts';
import { until } from '../support/until.ts';

let folder: Folder;
let good: string;
let tenant: Tenant;
let traces: number;
/** What `verify` prints of a store without a fault. */
let clean: string;
beforeAll(async () => {
  folder = temporaryFolder();
  good = folder.file('good');
  const server = await startServer({ config: { dataDir: good, quietMs: 100, orphanQuietMs: 200 } });
  tenant = await server.newTenant();
  const { applicationId, headers } = tenant;
  const path = `/v0/applications/${applicationId}/example-data`;
  await server.call('POST', path, { headers });
  await until(async () => (await server.call('GET', path, { headers })).text.includes('"READY"'));
  // And the one that is sent next.
  traces = (await deleteMostTraces(server, headers)) + 1;
  clean = `${traces} traces verified; no fault found.\n`;
  const type = { ...headers, 'content-type': 'application/x-protobuf' };
  const body = otlpRequest(
    [1, 2, 3].map((id) => ({
      trace: 1,
      id,
      attributes: {
        'session.id': 's-1',
        'gen_ai.usage.input_tokens': 10 * id,
        'gen_ai.request.model': 'gpt-4o',
        'tag.tags': ['vip'],
      },
    })),
  );
  await server.call('POST', '/v1/traces', { headers: type, body });
  await until(
    async () => (await server.call('GET', `/v0/traces/${'0'.repeat(31)}1`, { headers })).status === 200,
  );
  await until(() => isIdle(good));
  await server.close();
  const store = new Sqlite(join(good, 'touchstone.db'));
  store.unsafeMode(true);
  store.exec(RECORDS);
  store.pragma('wal_checkpoint(TRUNCATE)');
  store.close();
});
afterAll(() => folder[Symbol.dispose]());

/** Deletes all but a few traces by the API: each check reads all of them. Returns the number of those that remain. */
async function deleteMostTraces({ call }: TestServer, headers: Tenant['headers']): Promise<number> {
  const store = new Sqlite(join(good, 'touchstone.db'), { readonly: true });
  const ids = store
    .prepare<[], string>(
      `SELECT lower(hex(trace_id)) FROM trace
       WHERE tkey % 25 > 0 AND trace_id <> (SELECT min(trace_id) FROM human_annotation)`,
    )
    .pluck()
    .all();
  const total = store.prepare<[], number>('SELECT count(*) FROM trace').pluck().get() ?? 0;
  store.close();
  for (const id of ids) expect((await call('DELETE', `/v0/traces/${id}`, { headers })).status).toBe(204);
  return total - ids.length;
}

/** Records that example data lacks. */
const RECORDS = `
  INSERT INTO document (application, id, type, status, title, optimized, is_verified, current_version, chunk_count, created_at, modified_at)
    SELECT application, 'd-1', 'POLICY', 'DRAFT', 'Returns', 0, 0, 1, 0, 1, 1 FROM trace WHERE session_id = 's-1';
  INSERT INTO saved_view (id, application, owner, screen, name, filter, creator_type, creator_id, creator_name, created_at, modified_at)
    SELECT 'v-1', application, '', 'traces', 'All', '{}', 'key', 'k', 'k', 1, 1 FROM trace WHERE session_id = 's-1';`;

function isIdle(data: string): boolean {
  const store = new Sqlite(join(data, 'touchstone.db'), { readonly: true });
  try {
    const due = ['rewrite', 'refresh', 'purge'].map((table) => store.prepare(`SELECT 1 FROM ${table}`).get());
    const metrics = store.prepare('SELECT 1 FROM figure WHERE due_at <= ?').get(Date.now() + 60_000);
    return due.every((row) => row === undefined) && metrics === undefined;
  } finally {
    store.close();
  }
}

interface Said {
  code: number;
  out: string;
  err: string;
}

async function cli(...args: string[]): Promise<Said> {
  const said: Said = { code: -1, out: '', err: '' };
  said.code = await runCommandLine(args, {
    env: {},
    // Without the lines of progress, which a slow machine prints.
    out: (text) => Boolean((said.out += text.replace(/^[^:\n]*, [\d ]+ a second.*\n/, ''))),
    err: (text) => Boolean((said.err += text)),
    isTerminal: false,
    program: 'touchstone',
  });
  return said;
}
const verify = (data: string, ...flags: string[]): Promise<Said> =>
  cli('verify', ...flags, '--data-dir', data);

/** Rows that the store computes, except when metrics were computed. */
const COMPUTED = [
  'trace',
  'trace_attr',
  'session',
  'span',
  'ledger',
  'test',
  'ordinal',
  'trace_preview',
  'resource',
  'document',
  'definition',
  'task',
];
const OF_METRICS =
  'SELECT kind, id, tests, pass_rate, pass_rate_low, health, deviation, due_at FROM figure ORDER BY kind, id';

function computed(data: string): unknown {
  const store = new Sqlite(join(data, 'touchstone.db'), { readonly: true });
  try {
    return [
      ...COMPUTED.map((table) => `SELECT * FROM ${table} ORDER BY ${table === 'ordinal' ? 1 : '1, 2, 3'}`),
      OF_METRICS,
      `SELECT name FROM sqlite_schema WHERE type = 'index' ORDER BY name`,
    ].map((sql) => store.prepare(sql).all());
  } finally {
    store.close();
  }
}

function rowOf(data: string, text: string): Record<string, string> {
  const store = new Sqlite(join(data, 'touchstone.db'), { readonly: true });
  try {
    return store.prepare<[], Record<string, string>>(text).get() ?? {};
  } finally {
    store.close();
  }
}

let copies = 0;
afterEach(() => {
  for (let index = 1; index <= copies; index++)
    for (const name of ['copy', 'restored'])
      rmSync(folder.file(`${name}-${index}`), { recursive: true, force: true });
});
const copy = (): string => {
  const data = folder.file(`copy-${++copies}`);
  cpSync(good, data, { recursive: true });
  return data;
};

type Damage = (store: Sqlite.Database) => void;

function damagedBy(damage: Damage): string {
  const data = copy();
  const store = new Sqlite(join(data, 'touchstone.db'));
  store.unsafeMode(true);
  store.pragma('foreign_keys = OFF');
  damage(store);
  store.pragma('wal_checkpoint(TRUNCATE)');
  store.close();
  return data;
}
const sql =
  (text: string): Damage =>
  (store) =>
    store.exec(text);

/** Runs the second statement while the schema lacks an index, which therefore keeps the entries of the first. */
function behindIndex(name: string, first: string, second: string): Damage {
  return (store) => {
    store.exec(first);
    const entry = store.prepare('SELECT * FROM sqlite_schema WHERE name = ?').get(name);
    store.pragma('writable_schema = ON');
    store.prepare('DELETE FROM sqlite_schema WHERE name = ?').run(name);
    store.pragma('writable_schema = RESET');
    store.exec(second);
    store.pragma('writable_schema = ON');
    store.prepare('INSERT INTO sqlite_schema VALUES (:type, :name, :tbl_name, :rootpage, :sql)').run(entry);
    store.pragma('writable_schema = RESET');
  };
}

/** Kills a repair as soon as it has printed that it repaired so many rows. */
async function killedAfter(rows: number, data: string): Promise<void> {
  await using program = start(['verify', '--repair', '--data-dir', data]);
  await program.sees(new RegExp(`\\.backup\\.\n(?:.+: .+\n){${rows}}`));
  program.child.kill('SIGKILL');
  expect(await program.ended).toMatchObject({ signal: 'SIGKILL' });
}

const backupsIn = (data: string): string[] =>
  readdirSync(data).filter((name) => name.startsWith('before-repair-'));

const TRACE = "tkey = (SELECT tkey FROM trace WHERE session_id = 's-1')";
const JUDGED = `definition_type = 'ASSERT' AND superseded = 0 AND status = 'COMPLETED' AND judge IS NOT NULL
    AND EXISTS (SELECT 1 FROM trace WHERE trace.application = eval.application AND trace.trace_id = eval.trace_id)`;
const ONE = 'SELECT min(id) FROM';

/** Stores a run set without tests. */
const runSet = (id: string, { status, open }: { status: string; open: number }): Damage =>
  sql(
    `INSERT INTO run_set (id, application, status, repeat, planned_tests, open_tests, created_at, modified_at)
     SELECT '${id}', min(application), '${status}', 1, 1, ${open}, 1, 1 FROM test`,
  );

/** Damages that are made together, each with the line that names it. */
const DERIVED: Readonly<Record<string, readonly (readonly [what: string, damage: Damage, fault: RegExp])[]>> =
  {
    'open tests of run sets': [
      [
        'a count',
        runSet('set-1', { status: 'COMPLETED', open: 3 }),
        /^run_set set-1: its row counts 3 open tests, and it has 0$/m,
      ],
      [
        'a status',
        runSet('set-2', { status: 'RUNNING', open: 0 }),
        /^run_set set-2: its status is RUNNING, and it has 0 open tests$/m,
      ],
    ],
    'what is computed of a trace': [
      [
        'a count of spans',
        sql(`UPDATE trace SET span_count = 9 WHERE ${TRACE}`),
        /^0{31}1: its row counts 9 spans, and its blocks have 3$/m,
      ],
      [
        'a sum of tokens',
        sql(`UPDATE trace SET input_tokens = 1 WHERE ${TRACE}`),
        /^0{31}1: its row has 1 for inputTokens, and its spans have 60$/m,
      ],
      [
        'a missing facet',
        sql(`DELETE FROM trace_attr WHERE ${TRACE} AND key = 'tag'`),
        /^0{31}1: the facet tag = vip of its row is not indexed$/m,
      ],
      [
        'a facet of no trace',
        sql(`INSERT INTO trace_attr SELECT application, 'tag', 'odd', tkey FROM trace WHERE ${TRACE}`),
        /: the index of facets has tag = odd, and the trace has not$/m,
      ],
      [
        'references to a resource',
        sql('UPDATE resource SET refs = 99'),
        /: its row counts 99 blocks, and \d+ refer to it$/m,
      ],
    ],
    'other values of a trace': [
      [
        'a count of errors',
        sql(`UPDATE trace SET error_count = 2 WHERE ${TRACE}`),
        /^0{31}1: its row counts 2 spans with an error, and its blocks have 0$/m,
      ],
      ['a cost', sql(`UPDATE trace SET cost = 77 WHERE ${TRACE}`), /^0{31}1: its row has 77 for cost, /m],
      [
        'a missing session',
        sql("DELETE FROM session WHERE id = 's-1'"),
        /^session s-1: its times are not those of its traces$/m,
      ],
      [
        'missing bounds',
        sql('DELETE FROM trace_block'),
        /^key range \d+ of application \d: its bounds exclude one of its traces$/m,
      ],
      [
        'rejections of the ledger',
        sql('UPDATE ledger SET rejected = rejected + 5'),
        /^ledger of key .*: its sums are not those of its parts$/m,
      ],
    ],
    'rows of traces': [
      [
        'an entry of the directory',
        sql(`DELETE FROM span WHERE ${TRACE} AND span_id = x'0000000000000002'`),
        /^0{31}1: span 0{15}2 of block 0 is not in the directory$/m,
      ],
      [
        'the times of a session',
        sql("UPDATE session SET first_ns = 1 WHERE id = 's-1'"),
        /^session s-1: its times are not those of its traces$/m,
      ],
      [
        'a session without traces',
        sql("INSERT INTO session SELECT application, 'none', 1, 1 FROM session WHERE id = 's-1'"),
        /^session none: its times are not those of its traces$/m,
      ],
      [
        'bounds of key ranges',
        sql('UPDATE trace_block SET duration_ns = -1'),
        /^key range \d+ of application \d: its bounds exclude one of its traces$/m,
      ],
      [
        'bounds of no trace',
        sql('INSERT INTO trace_block SELECT application, 1, 0, 0, 0, 0, 0 FROM trace_block LIMIT 1'),
        /^key range 1 of application \d: it has bounds, and no trace$/m,
      ],
      [
        'a sum of the ledger',
        sql('UPDATE ledger SET received = received + 5'),
        /^ledger of key .*: its sums are not those of its parts$/m,
      ],
      [
        'the numbers of spans',
        sql('DELETE FROM ordinal WHERE i > 1000'),
        /^table ordinal: it has 1001 of 1024 numbers$/m,
      ],
    ],
    'scores, costs and days': [
      [
        'a normalised score',
        sql(`UPDATE eval SET normalised = 0.123 WHERE id = (${ONE} eval WHERE ${JUDGED})`),
        /^eval \S+: its normalised score is not that of its score$/m,
      ],
      [
        'the cost of judges',
        sql(
          `INSERT INTO judge_call (application, subject_id, hash, repeat, judge, model, cost, latency_ms, attempts, created_at)
           SELECT application, 's', 'h', 0, 'j', 'm', 0.5, 1, 1, 0 FROM trace WHERE ${TRACE};
           INSERT INTO judge_day (day, application, cost) SELECT '1970-01-01', application, 0.1 FROM trace WHERE ${TRACE}`,
        ),
        /^judges of application \d+ on 1970-01-01: their cost is less than that of their calls, 0\.5$/m,
      ],
      [
        'a number of stored traces',
        sql('INSERT INTO stored_day SELECT application, 7, 5, 5, 5, 999999999 FROM trace LIMIT 1'),
        /^day 1970-01-08 of application \d+: its row counts 5 traces, and 0 are stored$/m,
      ],
    ],
    'tests and metrics': [
      [
        'counts of a test',
        sql(
          `UPDATE test SET passed_evals = 7, counted_evals = 9 WHERE id = (${ONE} test WHERE status = 'COMPLETED' AND run_type = 'EXPERIMENT')`,
        ),
        /^test .*: its row counts \d+ 7 9 .*, and its evals make /m,
      ],
      [
        'an outcome',
        sql(
          `UPDATE test_result SET outcome = 'NOT_RUN' WHERE test_id = (SELECT min(test_id) FROM test_result WHERE outcome <> 'NOT_RUN')`,
        ),
        /^test \S+: its outcome is \S+ for .*, and NOT_RUN for .* is stored$/m,
      ],
      [
        'a pass rate',
        sql("UPDATE figure SET pass_rate = 0.123 WHERE kind = 'topic' AND pass_rate IS NOT NULL"),
        /^topic .*: its metrics are not those of its tests: passRate$/m,
      ],
      [
        'a missing row of metrics',
        sql("DELETE FROM figure WHERE kind = 'definition' AND tests > 0"),
        /^definition .*: its metrics are not those of its tests: all$/m,
      ],
      [
        'metrics that are never due',
        sql(`UPDATE figure SET due_at = NULL WHERE id = (${ONE} figure WHERE kind = 'task' AND due_at > 0)`),
        /^task .*: its metrics are not those of its tests: (?:\S.*, )?due time(?:, .*)?$/m,
      ],
      [
        'a level of a task',
        sql(
          `UPDATE task SET health_level = 'ODD' WHERE id = (SELECT max(id) FROM figure WHERE kind = 'task' AND tests > 0)`,
        ),
        // Other damages may be to the same task: it depends on the time which tasks have metrics that are due.
        /^task .*: its metrics are not those of its tests: (?:\S.*, )?levels$/m,
      ],
    ],
    'several metrics of a task': [
      [
        'a level beside a rate',
        sql(`UPDATE figure SET pass_rate = 0.123 WHERE kind = 'task' AND pass_rate IS NOT NULL;
             UPDATE task SET health_level = 'ODD'`),
        /^task .*: its metrics are not those of its tests: passRate, .*levels$/m,
      ],
    ],
    'records and indexes': [
      [
        'a count of chunks',
        sql('UPDATE document SET chunk_count = 77'),
        /^document d-1: its row counts other chunks than it has$/m,
      ],
      [
        'a scope of a definition',
        sql(`UPDATE definition SET scope = 'odd' WHERE id = (${ONE} definition)`),
        /^definition .*: its scope is not that of its links$/m,
      ],
      [
        'a criticality of a task',
        sql(`UPDATE task SET schedule_criticality = 'ODD' WHERE id = (${ONE} task)`),
        /^task .*: its criticality is not that of its schedule$/m,
      ],
      ['a missing index', sql('DROP INDEX trace_by_user'), /^index trace_by_user: it does not exist$/m],
      [
        'an index with other entries than its table',
        behindIndex(
          'trace_by_session',
          "UPDATE trace SET session_id = 's-2' WHERE session_id = 's-1'",
          "UPDATE trace SET session_id = 's-1' WHERE session_id = 's-2'",
        ),
        /^-: .* missing from index trace_by_session$/m,
      ],
    ],
  };

describe('verify --deep', () => {
  it('finds no fault in a store without one, and changes nothing', async () => {
    const before = stateOfFolder(good);
    expect(await verify(good, '--deep')).toEqual({
      code: 0,
      out: clean,
      err: '',
    });
    expect(stateOfFolder(good)).toEqual(before);
  });

  it('finds no fault in a store of an older version that was migrated', async () => {
    const data = folder.file('old');
    makeOldFolder(data);
    expect(await cli('migrate', '--data-dir', data)).toMatchObject({ code: 0 });
    expect(await verify(data, '--deep')).toMatchObject({
      code: 0,
      out: '13 traces verified; no fault found.\n',
    });
  });

  it('finds no fault while a server runs, where --repair is rejected', async () => {
    const data = copy();
    await using server = await startProgram(data);
    expect(await verify(data, '--deep')).toMatchObject({ code: 0, err: '' });
    expect(await verify(data, '--repair')).toEqual({
      code: 1,
      out: '',
      err: expect.stringContaining(`A server uses ${data}; stop it, and repeat verify --repair.`) as string,
    });
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect(backupsIn(data)).toEqual([]);
  });

  it.each(Object.entries(DERIVED))(
    'names %s that are wrong, and --repair repairs them',
    async (_of, damages) => {
      const data = damagedBy((store) => damages.forEach(([, damage]) => damage(store)));
      const before = stateOfFolder(data);
      const found = await verify(data, '--deep');
      for (const [what, , fault] of damages) expect(found.out, what).toMatch(fault);
      expect(found.out).toMatch(/found\. Stop the server and run verify --repair\.\n$/);
      expect(found.code).toBe(1);
      expect(stateOfFolder(data)).toEqual(before);

      const { out, code } = await verify(data, '--repair');
      expect(out).toMatch(
        /^The store as it was is in .*\.backup\.\n(.+: .+\n)+[\d ]+ rows were repaired\.\n/,
      );
      expect(out.endsWith(`repaired.\n${clean}`)).toBe(true);
      expect(code).toBe(0);
      expect(computed(data)).toEqual(computed(good));
    },
  );

  it('names each part of a store once', () => {
    const names = STORE_PARTS.map((part) => (typeof part === 'string' ? part : part.what));
    expect(names).toEqual([...new Set(names)]);
  });

  it.each([1, 4, 9])(
    'ends a repair that was killed after %i rows as if it had not been, and its backup has the store as it was',
    async (rows) => {
      const damages = [
        'what is computed of a trace',
        'scores, costs and days',
        'tests and metrics',
        'records and indexes',
      ].flatMap((name) => DERIVED[name] ?? []);
      const data = damagedBy((store) => damages.forEach(([, damage]) => damage(store)));
      await killedAfter(rows, data);
      const [backup = ''] = backupsIn(data);
      expect((await verify(data, '--repair')).code).toBe(0);
      expect(computed(data)).toEqual(computed(good));
      const repaired = stateOfFolder(data);
      expect(await verify(data, '--repair')).toEqual({ code: 0, out: clean, err: '' });
      expect(stateOfFolder(data)).toEqual(repaired);

      const restored = folder.file(`restored-${copies}`);
      expect(await cli('restore', join(data, backup), '--data-dir', restored)).toMatchObject({ code: 0 });
      const again = await verify(restored, '--deep');
      for (const [what, , fault] of damages) expect(again.out, what).toMatch(fault);
    },
  );

  const LEFT: readonly (readonly [what: string, damage: Damage, fault: RegExp])[] = [
    [
      'a verdict that its evidence does not make',
      sql(`UPDATE eval SET passed = 1 - passed WHERE id = (${ONE} eval WHERE ${JUDGED})`),
      /^eval [\da-f-]{36}: its verdict is \{.*\}, and the stored evidence makes \{.*\}$/m,
    ],
    [
      'a lost block',
      sql(`DELETE FROM chunk WHERE ${TRACE}`),
      /^0{31}1: 3 spans of the directory are in no block$/m,
    ],
    [
      'a test of no task',
      sql(`UPDATE test SET task_id = 'none' WHERE id = (${ONE} test WHERE run_type = 'EXPERIMENT')`),
      /^test \S+: its task_id refers to no task$/m,
    ],
    [
      'an event of no test',
      sql(`UPDATE test_event SET test_id = 'none' WHERE id = (${ONE} test_event)`),
      /^test_event \S+: its test_id refers to no test$/m,
    ],
    [
      'a link of no definition',
      sql(
        `UPDATE definition_link SET definition_id = 'none' WHERE id = (${ONE} definition_link WHERE kind <> 'topic')`,
      ),
      /^definition_link \d+: its definition_id refers to no definition$/m,
    ],
    [
      'an annotation of no trace',
      sql(`UPDATE human_annotation SET trace_id = x'00' WHERE id = (${ONE} human_annotation)`),
      /^human_annotation \S+: its trace_id refers to no trace$/m,
    ],
    [
      'an item of no queue',
      sql("UPDATE annotation_queue_item SET queue_id = 'none'"),
      /^annotation_queue_item \S+: its queue_id refers to no annotation_queue$/m,
    ],
    [
      'a version of no example',
      sql(
        `INSERT INTO example_version (application, example_id, version, prompt, is_object, tags, weight, status, replaced_at)
         SELECT application, 'none', 1, prompt, 0, '[]', 1, 'ACTIVE', 1 FROM example LIMIT 1`,
      ),
      /^example_version none: its example_id refers to no example$/m,
    ],
    [
      'a view of a person who left',
      sql("UPDATE saved_view SET owner = 'user:none'"),
      /^saved_view v-1: its owner is no member of the application$/m,
    ],
    [
      'an example of no run set',
      sql(
        `INSERT INTO run_set_example (application, run_set_id, task_id, place, example_id, version)
         SELECT min(application), 'none', 'none', 0, 'none', 1 FROM test`,
      ),
      /^run_set_example none: its run_set_id refers to no run_set$/m,
    ],
    [
      'a link to what was not fixed',
      sql(
        `INSERT INTO run_set_link (application, run_set_id, task_id, place, definition_id, config)
         SELECT min(application), 'none', 'none', 0, 'none', '{}' FROM test`,
      ),
      /^run_set_link none: its definition was not fixed with the run set$/m,
    ],
    [
      'a decision without a time',
      sql(
        `INSERT INTO run_set (id, application, status, repeat, planned_tests, open_tests, decision, created_at, modified_at)
         SELECT 'set-3', min(application), 'FAILED', 1, 1, 0, '{}', 1, 1 FROM test`,
      ),
      /^run_set set-3: it has a decision or the time of one, and not both$/m,
    ],
    [
      'texts of no trace',
      sql('UPDATE trace_preview SET tkey = 1 WHERE tkey = (SELECT max(tkey) FROM trace_preview)'),
      /^trace_preview 1: it belongs to no trace$/m,
    ],
    [
      'a deleted trace',
      sql(
        'INSERT INTO tombstone (application, trace_id, deleted_at) SELECT application, trace_id, 1 FROM trace LIMIT 1',
      ),
      /^trace [\da-f]{32}: it was deleted, and is stored$/m,
    ],
  ];
  it('names what nothing else in the store contains, and --repair leaves it', async () => {
    const data = damagedBy((store) => LEFT.forEach(([, damage]) => damage(store)));
    const found = await verify(data, '--deep');
    for (const [what, , fault] of LEFT) expect(found.out, what).toMatch(fault);
    expect(found.code).toBe(1);
    const left = await verify(data, '--repair');
    for (const [what, , fault] of LEFT) expect(left.out, what).toMatch(fault);
    expect(left.out).toMatch(
      /What is left cannot be computed from the rest of the store\. Restore a backup, or delete the traces above\.\n$/,
    );
    expect(left.code).toBe(1);
  });

  it('compares no verdict whose evidence was deleted', async () => {
    const data = copy();
    const of = rowOf(data, `SELECT id, lower(hex(trace_id)) AS trace FROM eval WHERE ${JUDGED} LIMIT 1`);
    {
      await using server = await startProgram(data);
      const path = `${server.url}/v0/traces/${of['trace']}`;
      const response = await fetch(path, { method: 'DELETE', headers: tenant.headers });
      expect(response.status, await response.text()).toBeLessThan(300);
      await until(() => isIdle(data));
    }
    expect(await verify(data, '--deep')).toMatchObject({ code: 0 });
    const store = new Sqlite(join(data, 'touchstone.db'));
    expect(store.prepare('UPDATE eval SET passed = 1 - passed WHERE id = ?').run(of.id).changes).toBe(1);
    store.close();
    expect((await verify(data, '--deep')).out).not.toMatch(/its verdict is/);
  });
});

describe('verify --repair', () => {
  it('leaves a store without a fault as it is', async () => {
    const data = copy();
    const before = stateOfFolder(data);
    expect(await verify(data, '--repair')).toMatchObject({ code: 0, err: '' });
    expect(stateOfFolder(data)).toEqual(before);
  });

  it('repairs what it can and names the rest', async () => {
    const data = damagedBy(
      sql(
        `UPDATE session SET first_ns = 1; DELETE FROM trace_attr; DELETE FROM chunk WHERE ${TRACE}; UPDATE test SET counted_passed = 99`,
      ),
    );
    const plain = await verify(data);
    expect(plain.out).toBe(
      `${'0'.repeat(31)}1: 3 spans of the directory are in no block\n${traces} traces verified; 1 fault found. Restore a backup, or delete the traces above.\n`,
    );
    const { code, out } = await verify(data, '--repair');
    expect(out).toMatch(/^session s-1: it was computed again$/m);
    expect(out).toMatch(/^test \S+: its evals were counted$/m);
    expect(out).toMatch(/^0{31}1: \d+ of its facets were indexed$/m);
    expect(out).toMatch(/^\d+ traces verified; 1 fault found\. What is left/m);
    expect(code).toBe(1);
    // The blocks that they were computed from are lost.
    expect(
      rowOf(data, "SELECT span_count AS spans, input_tokens AS tokens FROM trace WHERE session_id = 's-1'"),
    ).toEqual({ spans: 3, tokens: 60 });
    const before = stateOfFolder(data);
    expect((await verify(data, '--repair')).code).toBe(1);
    expect(stateOfFolder(data)).toEqual(before);
  });

  it('makes a store of which the server shows the right numbers', async () => {
    const data = damagedBy(
      sql(
        `UPDATE trace SET span_count = 9, cost = 77, input_tokens = 1 WHERE ${TRACE};
         DELETE FROM span WHERE ${TRACE}; DELETE FROM session; UPDATE figure SET pass_rate = 0.123;
         UPDATE test SET counted_passed = 0, counted_evals = 9`,
      ),
    );
    const shownBy = async (of: string): Promise<unknown[]> => {
      await using server = await startProgram(of);
      // One after another, so that a failure leaves none open.
      const paths = [`traces/${'0'.repeat(31)}1`, 'sessions/s-1', 'tasks?limit=100', 'tests?limit=100'];
      const shown: unknown[] = [];
      for (const path of paths) {
        const response = await fetch(`${server.url}/v0/${path}`, { headers: tenant.headers });
        expect(response.status, path).toBe(200);
        shown.push(await response.json());
      }
      return shown;
    };
    const right = await shownBy(copy());
    expect((await verify(data, '--repair')).code).toBe(0);
    expect(await shownBy(data)).toEqual(right);
  });

  it('prints what it did as JSON, and records the backup in the audit log before it writes it', async () => {
    const data = damagedBy(sql("UPDATE session SET first_ns = 1 WHERE id = 's-1'"));
    const { out } = await verify(data, '--repair', '--json');
    const [backup = ''] = backupsIn(data);
    expect(JSON.parse(out)).toEqual({
      traces,
      faults: 0,
      mendable: 0,
      found: [],
      isComplete: true,
      repair: {
        backup: join(data, backup),
        rows: 1,
        repaired: [{ of: 'session s-1', did: 'it was computed again' }],
      },
    });
    // Receipts of erasures name it, also after a repair that was killed.
    const restored = folder.file(`restored-${copies}`);
    expect(await cli('restore', join(data, backup), '--data-dir', restored)).toMatchObject({ code: 0 });
    for (const from of [data, restored])
      expect(rowOf(from, "SELECT detail FROM audit_entry WHERE action = 'backup'")).toEqual({
        detail: backup,
      });
  });

  it('computes no sums again that are right', async () => {
    const data = damagedBy(sql(`UPDATE trace SET span_count = 9 WHERE ${TRACE}`));
    const { out } = await verify(data, '--repair');
    expect(out).toMatch(/^0{31}1: its spans were counted\n1 row was repaired\.$/m);
  });

  it('deletes the backup when it could change nothing', async () => {
    // Two rows of an index that must be unique, of which SQLite cannot build the index again.
    const data = damagedBy(
      behindIndex('example_by_key', 'SELECT 1', "UPDATE example SET key = 'same', task_id = 'same'"),
    );
    const { code, out } = await verify(data, '--repair');
    expect(out).toMatch(/^Nothing was repaired, so .*\.backup was deleted\.$/m);
    expect(code).toBe(1);
    expect(backupsIn(data)).toEqual([]);
  });

  it('rejects damaged pages, and changes nothing', async () => {
    const data = copy();
    const file = join(data, 'touchstone.db');
    const { page } = rowOf(data, "SELECT rootpage AS page FROM sqlite_schema WHERE name = 'trace_by_start'");
    const bytes = readFileSync(file);
    bytes.fill(0xa5, (Number(page) - 1) * 4096, Number(page) * 4096);
    writeFileSync(file, bytes);
    const before = stateOfFolder(data);
    const { code, err } = await verify(data, '--repair');
    expect(err).toMatch(
      /^Pages of .* are damaged \(.*\), which --repair cannot repair; restore a backup\. Nothing was changed\.$/m,
    );
    expect(code).toBe(1);
    expect(stateOfFolder(data)).toEqual(before);
  });
});
