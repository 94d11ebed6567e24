import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StartupError } from '../../src/errors.ts';
import { SCHEMA_VERSION } from '../../src/storage/sqlite/migrate.ts';
import { migrateStore, openForWriting } from '../../src/storage/sqlite/open.ts';
import { TraceFlag } from '../../src/traces/rollup.ts';
import { makeOldStore, stateOf } from '../support/old-store.ts';
import { type Folder, openDatabase, temporaryFolder, Tenant } from '../support/storage.ts';

let folder: Folder;
let file: string;
let snapshot: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = folder.file('touchstone.db');
  snapshot = `${file}.before-1`;
});
afterEach(() => folder[Symbol.dispose]());

const files = (): string[] => readdirSync(folder.path).sort();

describe('migrating a store of schema 1', () => {
  it('keeps its traces, and counts what it did not know as the conventions say', () => {
    makeOldStore(file).close();
    const before = stateOf(file);
    expect(migrateStore(file, { snapshot: true })).toEqual({ from: 1, to: SCHEMA_VERSION, snapshot });
    const { version, traces } = stateOf(file);
    expect(version).toBe(SCHEMA_VERSION);
    expect(traces).toMatchObject(before.traces);
    expect(traces.map((trace) => [trace['total_tokens'], trace['rule_set']])).toEqual([
      [42, 1],
      [7, 1],
    ]);
    openForWriting(file).close();
  });

  it('keeps what traces are found by, their sessions and their tests, which code keeps in step from then on', () => {
    const old = makeOldStore(file);
    const pairs: [number, string, string][] = [
      [1, 'tag', 'x'],
      [1, 'metadata.plan', 'ü "0" \\ \0 😀'],
      [1, 'kind', 'LLM'],
      [2, 'tag', 'x'],
    ];
    const insert = old.prepare('INSERT INTO trace_attr (application, tkey, key, value) VALUES (1, ?, ?, ?)');
    for (const pair of pairs) insert.run(...pair);
    old.exec(`UPDATE trace SET session_id = 's1';
      INSERT INTO trace_test VALUES (1, zeroblob(16), 2, 1, 0)`);
    old.close();
    migrateStore(file, { snapshot: false });

    const database = openDatabase(file);
    const tenant = new Tenant(database, 1);
    const inOrder = (list: readonly (readonly string[])[]): string[] =>
      list.map((pair) => JSON.stringify(pair)).toSorted();
    const rowsOf = (tkey: number): string[] =>
      inOrder(
        database
          .all<{ key: string; value: string }>('SELECT key, value FROM trace_attr WHERE tkey = ?', tkey)
          .map(({ key, value }) => [key, value]),
      );
    const attributesOf = (tkey: number): string[] => {
      const row = database.get<{ attributes: string }>('SELECT attributes FROM trace WHERE tkey = ?', tkey);
      return inOrder(JSON.parse(row?.attributes ?? '[]') as string[][]);
    };
    const own = (tkey: number, ...more: string[][]): string[] =>
      inOrder([...pairs.filter(([trace]) => trace === tkey).map(([, ...pair]) => pair), ...more]);
    const sessions = (): unknown[] => database.all('SELECT id, first_ns, last_ns FROM session');
    for (const tkey of [1, 2]) {
      expect(attributesOf(tkey)).toEqual(own(tkey));
      expect(rowsOf(tkey)).toEqual(own(tkey));
    }
    expect(sessions()).toEqual([{ id: 's1', first_ns: 1, last_ns: 1 }]);
    const flags = database.all<{ flags: number }>('SELECT flags FROM trace ORDER BY tkey');
    expect(flags.map((trace) => trace.flags & TraceFlag.hasTests)).toEqual([0, TraceFlag.hasTests]);
    expect(
      database.all("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'trace%'"),
    ).toEqual([]);

    // A trace of the older store goes on: nothing is entered twice, and deleting it removes all of it.
    const first = '01'.repeat(16);
    tenant.store([{ trace: first, id: 9, attributes: { 'langfuse.trace.tags': ['x', 'new'] } }]);
    expect(rowsOf(1)).toEqual(own(1, ['tag', 'new']));
    expect(attributesOf(1)).toEqual(rowsOf(1));
    tenant.delete(first);
    expect([rowsOf(1), rowsOf(2)]).toEqual([[], own(2)]);
    tenant.delete('02'.repeat(16));
    expect([rowsOf(2), sessions()]).toEqual([[], []]);
    database.connection.close();
  });

  it('leaves a snapshot with all that was committed, for its user alone', () => {
    // As long as this is open, what it wrote is in the log only.
    using old = disposable(makeOldStore(file));
    const before = stateOf(file);
    expect(statSync(file).size).toBeLessThan(statSync(`${file}-wal`).size);
    migrateStore(file, { snapshot: true });
    expect(old.connection.pragma('user_version', { simple: true })).toBe(SCHEMA_VERSION);
    expect(statSync(snapshot).mode & 0o777).toBe(0o600);
    expect(stateOf(snapshot)).toEqual(before);
    expect(files().filter((name) => name.includes('before'))).toEqual(['touchstone.db.before-1']);
  });

  it('can go back and forth: a snapshot in the place of the store is one', () => {
    makeOldStore(file).close();
    migrateStore(file, { snapshot: true });
    writeFileSync(file, readFileSync(snapshot));
    const before = stateOf(file);
    expect(migrateStore(file, { snapshot: true })).toMatchObject({ from: 1 });
    expect(stateOf(snapshot)).toEqual(before);
    const connection = openForWriting(file);
    expect(['auto_vacuum', 'journal_mode'].map((name) => connection.pragma(name, { simple: true }))).toEqual([
      2,
      'wal',
    ]);
    connection.close();
  });

  it('makes no snapshot when it is to go without', () => {
    makeOldStore(file).close();
    const freeBytes = (): number => 0;
    expect(migrateStore(file, { snapshot: false, freeBytes })).toMatchObject({ from: 1, snapshot: null });
    expect(files()).toEqual(['touchstone.db']);
  });

  it('that fails leaves the store as it was, and works once the cause is gone', () => {
    const old = makeOldStore(file);
    // The last table that the migration makes.
    old.exec('CREATE TABLE refresh (a)');
    old.close();
    const before = stateOf(file);
    expect(() => migrateStore(file, { snapshot: true })).toThrow('refresh already exists');
    expect(stateOf(file)).toEqual(before);

    const repaired = new Sqlite(file);
    repaired.exec('DROP TABLE refresh');
    repaired.close();
    expect(migrateStore(file, { snapshot: true })).toMatchObject({ from: 1 });
  });

  it('happens once when two processes start it at the same time', async () => {
    using old = disposable(makeOldStore(file));
    old.connection.exec('BEGIN IMMEDIATE');
    const both = [startMigrating(file), startMigrating(file)];
    await Promise.all(both.map(({ begins }) => begins));
    old.connection.exec('COMMIT');
    const results = await Promise.all(both.map(({ result }) => result));
    expect(results).toHaveLength(2);
    expect(results).toContainEqual({ from: 1, to: SCHEMA_VERSION, snapshot });
    expect(results).toContain(null);
    expect(stateOf(file).version).toBe(SCHEMA_VERSION);
    expect(stateOf(snapshot).version).toBe(1);
  });
});

describe('the snapshot before a migration', () => {
  it('is not begun where it has no room, which is told with the sizes and the way without', () => {
    makeOldStore(file).close();
    writeFileSync(snapshot, 'an earlier one');
    const before = stateOf(file);
    const migrateWith = (free: number) => (): unknown =>
      migrateStore(file, { snapshot: true, freeBytes: () => free });
    const { size } = statSync(file);
    expect(migrateWith(size - 1)).toThrow(StartupError);
    expect(migrateWith(size - 1)).toThrow(
      `Before ${file} is migrated a snapshot of it is made, which needs 1 MiB where 0 MiB are free; make room, or go without by \`touchstone migrate --no-snapshot\`.`,
    );
    expect(stateOf(file)).toEqual(before);
    expect(readFileSync(snapshot, 'utf8')).toBe('an earlier one');
    expect(migrateWith(size)).not.toThrow();
    expect(stateOf(snapshot)).toEqual(before);
  });

  it('asks for room in the folder of the store, for its log too', () => {
    using old = disposable(makeOldStore(file));
    const asked: string[] = [];
    const freeBytes = (path: string): number => {
      asked.push(path);
      return Number(old.connection.pragma('page_count', { simple: true })) * 4096;
    };
    expect(() => migrateStore(file, { snapshot: true, freeBytes })).toThrow('make room');
    expect(asked).toEqual([folder.path]);
  });

  it('that breaks off is under no name, and neither is one that a kill broke off', () => {
    const old = makeOldStore(file);
    old.exec(`INSERT INTO chunk SELECT i + 1, zeroblob(3000), x'00' FROM ordinal`);
    old.close();
    const whole = readFileSync(file);
    writeFileSync(file, Buffer.from(whole).fill(0xff, whole.length - 100 * 4096, whole.length - 50 * 4096));
    writeFileSync(`${snapshot}.new`, 'half of ');
    expect(() => migrateStore(file, { snapshot: true })).toThrow('is damaged');
    expect(files()).toEqual(['touchstone.db']);

    writeFileSync(file, whole);
    writeFileSync(`${snapshot}.new`, 'half of ');
    migrateStore(file, { snapshot: true });
    expect(files()).toEqual(['touchstone.db', 'touchstone.db.before-1']);
  });

  it('is not made of a store that is empty or up to date', () => {
    expect(migrateStore(file, { snapshot: true })).toBeNull();
    expect(migrateStore(file, { snapshot: true })).toBeNull();
    expect(files()).toEqual(['touchstone.db']);
    expect(stateOf(file).version).toBe(SCHEMA_VERSION);
  });
});

describe('opening for writing', () => {
  it('refuses a store of an older schema, and leaves it as it is', () => {
    makeOldStore(file).close();
    const before = stateOf(file);
    expect(() => openForWriting(file)).toThrow(StartupError);
    expect(() => openForWriting(file)).toThrow(
      `${file} was written by an older version of Touchstone (schema 1, this one needs ${SCHEMA_VERSION}); start the server or run migrate, which bring it up to date.`,
    );
    expect(stateOf(file)).toEqual(before);
  });
});

/** Closed at the end of its scope, also when an expectation fails. */
function disposable(connection: ReturnType<typeof makeOldStore>) {
  return { connection, [Symbol.dispose]: () => void connection.close() };
}

/** Migrates in a process of its own: when it begins, and what came of it. */
function startMigrating(store: string): { begins: Promise<unknown>; result: Promise<unknown> } {
  const open = new URL('../../src/storage/sqlite/open.ts', import.meta.url).href;
  const source = `import { migrateStore } from ${JSON.stringify(open)};
    console.error('begins');
    console.log(JSON.stringify(migrateStore(process.argv[1], { snapshot: true })));`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source, store], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return {
    begins: once(child.stderr, 'data'),
    result: text(child.stdout).then((json): unknown => JSON.parse(json)),
  };
}
