import { closeSync, openSync, readFileSync } from 'node:fs';
import Sqlite, { type Database as Connection } from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PageClearer } from '../../src/storage/sqlite/clear-pages.ts';
import { markOpen } from '../../src/storage/sqlite/open-stores.ts';
import { asUnavailable } from '../../src/storage/sqlite/store-fault.ts';
import { openForReading, openForWriting } from '../../src/storage/sqlite/open.ts';
import { temporaryFolder } from '../support/storage.ts';

/** Returns numbers from 0 to 1 that depend on the seed alone. */
function numbers(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

const secretOf = (index: number): string => `the dunlin ${index} flies at night`;
const SECRETS = 200;

/** A store with a table whose rows were moved between pages, and of which those with a secret were deleted. */
function openedStore({ seed = 1, rows = 400 } = {}) {
  const folder = temporaryFolder();
  const file = folder.file('store.db');
  const connection = openForWriting(file);
  connection.pragma('synchronous = OFF');
  const opened = markOpen(file);
  onTestFinished(() => {
    connection.close();
    opened.end();
    folder[Symbol.dispose]();
  });
  connection.exec('CREATE TABLE secret (id TEXT PRIMARY KEY, text TEXT) WITHOUT ROWID');
  connection.exec('CREATE INDEX secret_text ON secret (text)');
  const random = numbers(seed);
  const insert = connection.prepare('INSERT INTO secret VALUES (?, ?)');
  const add = (text: string): string => {
    const id = String(random());
    insert.run(id, text);
    return id;
  };
  const secret: string[] = [];
  for (let index = 0; index < rows; index++) {
    add('x'.repeat(random() * 900));
    if (index % 2 === 0 && secret.length < SECRETS) secret.push(add(secretOf(secret.length)));
  }
  const emptyLog = (mode: string): boolean =>
    (connection.pragma(`wal_checkpoint(${mode})`) as { busy: number }[])[0]?.busy === 0;
  const remove = (): void => {
    for (const id of secret) connection.prepare('DELETE FROM secret WHERE id = ?').run(id);
  };
  const clearer = new PageClearer({ connection, descriptor: opened.descriptor, emptyLog });
  return { file, connection, clearer, emptyLog, remove, add };
}

/** Number of secrets in the database file. */
function secretsIn(file: string): number {
  const bytes = readFileSync(file);
  return Array.from({ length: SECRETS }, (_, index) => secretOf(index)).filter((text) => bytes.includes(text))
    .length;
}

/** Clears until all is done; returns the number of calls. */
function clearAll(clearer: PageClearer): number {
  let calls = 0;
  for (let begun: number | null = null, isDone = false; !isDone; calls++) {
    const clearing = clearer.clear(begun);
    expect(clearing.state).not.toBe('blocked');
    begun = clearing.begun;
    isDone = clearing.state === 'done';
  }
  return calls;
}

const contents = (connection: Connection): unknown => [
  connection.prepare('SELECT * FROM secret ORDER BY id').all(),
  connection.pragma('integrity_check'),
];

describe('what is left of deleted rows', () => {
  it.each([1, 2, 3, 4, 5])(
    'is in unallocated areas of pages, until these are cleared, which changes no row (seed %i)',
    (seed) => {
      const { file, connection, clearer, emptyLog, remove } = openedStore({ seed });
      remove();
      emptyLog('TRUNCATE');
      // Without remains, this test would show nothing.
      expect(secretsIn(file)).toBeGreaterThan(0);
      const before = contents(connection);
      clearAll(clearer);
      expect(secretsIn(file)).toBe(0);
      expect(contents(connection)).toEqual(before);
      expect(contents(connection)).toMatchObject([expect.any(Array), [{ integrity_check: 'ok' }]]);
    },
  );

  it('is not written again by a connection that had the pages in memory', () => {
    const { file, connection, clearer, emptyLog, remove } = openedStore();
    remove();
    emptyLog('TRUNCATE');
    expect(secretsIn(file)).toBeGreaterThan(0);
    const other = openForWriting(file);
    onTestFinished(() => void other.close());
    contents(other);
    clearAll(clearer);
    for (const one of [connection, other]) {
      one.exec("UPDATE secret SET text = substr(text, 2) WHERE text <> ''");
      emptyLog('TRUNCATE');
      expect(secretsIn(file)).toBe(0);
    }
  });

  it('is also cleared where all pages are still in the log', () => {
    const { file, clearer, remove } = openedStore({ rows: 80 });
    remove();
    expect(secretsIn(file)).toBe(0);
    expect(secretsIn(`${file}-wal`)).toBeGreaterThan(0);
    clearAll(clearer);
    expect(secretsIn(file) + secretsIn(`${file}-wal`)).toBe(0);
  });

  it('stays while a reader needs an earlier state, and while another program writes', () => {
    const { file, connection, clearer, emptyLog, remove } = openedStore();
    emptyLog('TRUNCATE');
    const reader = openForReading(file);
    onTestFinished(() => void reader.close());
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM secret').get();
    remove();
    connection.pragma('busy_timeout = 20');
    expect(clearer.clear(null)).toEqual({ begun: null, state: 'blocked' });
    reader.exec('ROLLBACK');
    const writer = new Sqlite(file);
    onTestFinished(() => void writer.close());
    writer.exec('BEGIN IMMEDIATE');
    expect(clearer.clear(null)).toEqual({ begun: null, state: 'blocked' });
    writer.exec('ROLLBACK');
    clearAll(clearer);
    expect(secretsIn(file)).toBe(0);
  });

  it('is cleared again when the file became shorter meanwhile, because its last pages have moved', () => {
    const { connection, clearer, add, emptyLog } = openedStore();
    connection.exec('CREATE TABLE filler (text); INSERT INTO filler VALUES (zeroblob(20000000))');
    emptyLog('TRUNCATE');
    const { begun } = clearer.clear(null);
    expect(begun).toBe(0);
    connection.exec('DELETE FROM filler; PRAGMA incremental_vacuum(100)');
    emptyLog('TRUNCATE');
    add('y');
    expect(clearer.clear(begun).begun).toBeGreaterThan(0);
    clearAll(clearer);
  });

  it('is cleared by one round for all who wait for it at the same time', () => {
    const { connection, clearer, emptyLog } = openedStore();
    connection.exec('CREATE TABLE filler (text); INSERT INTO filler VALUES (zeroblob(20000000))');
    emptyLog('TRUNCATE');
    const first = clearer.clear(null);
    const second = clearer.clear(null);
    expect([first.state, second.state]).toEqual(['more', 'more']);
    let state = second.state;
    while (state === 'more') state = clearer.clear(second.begun).state;
    expect(state).toBe('done');
    expect(clearer.clear(first.begun).state).toBe('done');
  });

  it('is left in a database that another program has made again without the pointer map of stores', () => {
    const { file, connection, clearer } = openedStore();
    connection.exec(
      'PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = NONE; VACUUM; PRAGMA journal_mode = WAL',
    );
    const before = readFileSync(file);
    expect(clearAll(clearer)).toBe(1);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('is left, for a retry, when the file rejects a write', () => {
    const { file, connection, emptyLog, remove } = openedStore();
    remove();
    emptyLog('TRUNCATE');
    const remains = secretsIn(file);
    const descriptor = openSync(file, 'r');
    onTestFinished(() => closeSync(descriptor));
    const clearer = new PageClearer({ connection, descriptor, emptyLog });
    let thrown: unknown;
    try {
      clearAll(clearer);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ syscall: 'write' });
    expect(asUnavailable(thrown, 'accept data')).toMatchObject({ code: 'unavailable' });
    expect(secretsIn(file)).toBe(remains);
    expect(connection.pragma('integrity_check', { simple: true })).toBe('ok');
  });
});
