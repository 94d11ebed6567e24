import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StartupError } from '../../src/errors.ts';
import { SCHEMA_VERSION } from '../../src/storage/sqlite/migrate.ts';
import { migrateStore, openForWriting } from '../../src/storage/sqlite/open.ts';
import { makeOldStore, OLD_SCHEMA, stateOf } from '../support/old-store.ts';
import { type Folder, temporaryFolder } from '../support/storage.ts';

const MIB = 1024 * 1024;

let folder: Folder;
let file: string;
let snapshot: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = folder.file('touchstone.db');
  snapshot = `${file}.before-${OLD_SCHEMA}`;
});
afterEach(() => folder[Symbol.dispose]());

const files = (): string[] => readdirSync(folder.path).sort();

describe('migrating a store of an older schema', () => {
  it('brings it to the schema of this version, after a snapshot', () => {
    makeOldStore(file).close();
    expect(migrateStore(file, { snapshot: true })).toEqual({
      from: OLD_SCHEMA,
      to: SCHEMA_VERSION,
      snapshot,
    });
    expect(stateOf(file).version).toBe(SCHEMA_VERSION);
    openForWriting(file).close();
  });

  it('leaves a snapshot with all that was committed, for its user alone', () => {
    // As long as this is open, what it wrote is in the log only.
    using old = disposable(makeOldStore(file));
    old.connection.exec("UPDATE trace SET root_name = 'in the log'");
    const before = stateOf(file);
    expect(readFileSync(file).includes('in the log')).toBe(false);
    migrateStore(file, { snapshot: true });
    expect(old.connection.pragma('user_version', { simple: true })).toBe(SCHEMA_VERSION);
    expect(statSync(snapshot).mode & 0o777).toBe(0o600);
    expect(stateOf(snapshot)).toEqual(before);
    expect(files().filter((name) => name.includes('before'))).toEqual([`touchstone.db.before-${OLD_SCHEMA}`]);
  });

  it('can go back and forth: a snapshot in the place of the store is one', () => {
    makeOldStore(file).close();
    migrateStore(file, { snapshot: true });
    writeFileSync(file, readFileSync(snapshot));
    const before = stateOf(file);
    expect(migrateStore(file, { snapshot: true })).toMatchObject({ from: OLD_SCHEMA });
    expect(stateOf(snapshot)).toEqual(before);
    const connection = openForWriting(file);
    expect(['auto_vacuum', 'journal_mode'].map((name) => connection.pragma(name, { simple: true }))).toEqual([
      2,
      'wal',
    ]);
    connection.close();
  });

  it('stores names and keys in NFC, and keeps one that exists in that form already', () => {
    const [composed, decomposed] = ['Caf\u00e9', 'Cafe\u0301'];
    {
      using store = disposable(makeOldStore(file));
      store.connection.exec('DELETE FROM inference_step');
      const step = store.connection.prepare(
        `INSERT INTO inference_step (id, application, type, external_id, title, created_at, modified_at) VALUES (?, ?, 'LLM', ?, 'a', 1, 1)`,
      );
      step.run('alone', 1, decomposed);
      step.run('first', 2, composed);
      step.run('second', 2, decomposed);
    }
    migrateStore(file, { snapshot: false });
    using store = disposable(new Sqlite(file));
    const rows = store.connection.prepare('SELECT id, external_id AS name FROM inference_step ORDER BY id');
    expect(rows.all()).toEqual([
      { id: 'alone', name: composed },
      { id: 'first', name: composed },
      { id: 'second', name: decomposed },
    ]);
  });

  it('keeps verdicts of people as those on complete traces, items of queues as those of a part, and gates, which get an age', () => {
    {
      using store = disposable(makeOldStore(file));
      store.connection.exec(`DELETE FROM human_annotation; DELETE FROM annotation_queue_item; DELETE FROM definition;
        INSERT INTO human_annotation (id, application, trace_id, verdict, critique, annotator_id, source, created_at, modified_at)
        VALUES ('a', 1, x'01', 0, 'Wrong.', 'ann', 'TRACE_PAGE', 5, 6);
        INSERT INTO annotation_queue_item (id, application, queue_id, trace_id, selection, expires_at, created_at)
        VALUES ('chosen', 1, 'q', x'01', 'MANUAL', 9, 7), ('drawn', 1, 'q', x'02', 'RANDOM', 9, 8);
        INSERT INTO definition (id, application, name, type, status, global_config, version, repeats, gate_min_kappa,
          gate_min_annotations, created_at, modified_at)
        VALUES ('gated', 1, 'D', 'CUSTOM', 'ACTIVE', '{}', 1, 1, 0.6, 30, 1, 1),
          ('plain', 1, 'D', 'CUSTOM', 'ACTIVE', '{}', 1, 1, NULL, NULL, 1, 1)`);
    }
    migrateStore(file, { snapshot: false });
    using store = disposable(new Sqlite(file));
    const rows = (sql: string): unknown[] => store.connection.prepare(sql).all();
    expect(
      rows('SELECT id, verdict, critique, eval_definition_id, score, unsure FROM human_annotation'),
    ).toEqual([
      { id: 'a', verdict: 0, critique: 'Wrong.', eval_definition_id: null, score: null, unsure: 0 },
    ]);
    expect(rows('SELECT id, selection, drawn_at, weight FROM annotation_queue_item ORDER BY id')).toEqual([
      { id: 'chosen', selection: 'MANUAL', drawn_at: null, weight: null },
      { id: 'drawn', selection: 'RANDOM_PART', drawn_at: null, weight: null },
    ]);
    expect(rows('SELECT id, gate_max_age_days, is_overall FROM definition ORDER BY id')).toEqual([
      { id: 'gated', gate_max_age_days: 90, is_overall: 0 },
      { id: 'plain', gate_max_age_days: null, is_overall: 0 },
    ]);
  });

  it('makes no snapshot when it is to go without', () => {
    makeOldStore(file).close();
    const freeBytes = (): number => 0;
    expect(migrateStore(file, { snapshot: false, freeBytes })).toMatchObject({
      from: OLD_SCHEMA,
      snapshot: null,
    });
    expect(files()).toEqual(['touchstone.db']);
  });

  it('that fails leaves the store as it was, and works once the cause is gone', () => {
    const old = makeOldStore(file);
    // A table that the migration makes.
    old.exec('CREATE TABLE copied_trace (a)');
    old.close();
    const before = stateOf(file);
    expect(() => migrateStore(file, { snapshot: true })).toThrow('copied_trace');
    expect(stateOf(file)).toEqual(before);

    const repaired = new Sqlite(file);
    repaired.exec('DROP TABLE copied_trace');
    repaired.close();
    expect(migrateStore(file, { snapshot: true })).toMatchObject({ from: OLD_SCHEMA });
  });
});

describe('the snapshot before a migration', () => {
  it('is not begun where it has no space, which is reported with the sizes and the option to do without', () => {
    makeOldStore(file).close();
    writeFileSync(snapshot, 'an earlier one');
    const before = stateOf(file);
    const migrateWith = (free: number) => (): unknown =>
      migrateStore(file, { snapshot: true, freeBytes: () => free });
    const { size } = statSync(file);
    expect(migrateWith(size - 1)).toThrow(StartupError);
    expect(migrateWith(size - 1)).toThrow(
      `The snapshot of ${file} before its migration needs ${Math.ceil(size / MIB)} MiB; ${Math.floor((size - 1) / MIB)} MiB are free. Free some space, or migrate without a snapshot: \`touchstone migrate --no-snapshot\`.`,
    );
    expect(stateOf(file)).toEqual(before);
    expect(readFileSync(snapshot, 'utf8')).toBe('an earlier one');
    expect(migrateWith(size)).not.toThrow();
    expect(stateOf(snapshot)).toEqual(before);
  });

  it('requests space in the folder of the store, for its log too', () => {
    using old = disposable(makeOldStore(file));
    old.connection.exec("UPDATE trace SET root_name = 'in the log'");
    const asked: string[] = [];
    const freeBytes = (path: string): number => {
      asked.push(path);
      return Number(old.connection.pragma('page_count', { simple: true })) * 4096;
    };
    expect(() => migrateStore(file, { snapshot: true, freeBytes })).toThrow('Free some space');
    expect(asked).toEqual([folder.path]);
  });

  it('that breaks off is under no name, and neither is one that a kill broke off', () => {
    const old = makeOldStore(file);
    old.exec(`INSERT INTO chunk SELECT 1, -i - 1, 0, zeroblob(3000), x'00' FROM ordinal`);
    old.close();
    const whole = readFileSync(file);
    writeFileSync(file, Buffer.from(whole).fill(0xff, whole.length - 100 * 4096, whole.length - 50 * 4096));
    writeFileSync(`${snapshot}.new`, 'half of ');
    expect(() => migrateStore(file, { snapshot: true })).toThrow('is damaged');
    expect(files()).toEqual(['touchstone.db']);

    writeFileSync(file, whole);
    writeFileSync(`${snapshot}.new`, 'half of ');
    migrateStore(file, { snapshot: true });
    expect(files()).toEqual(['touchstone.db', `touchstone.db.before-${OLD_SCHEMA}`]);
  });

  it('is not made of a store that is empty or up to date', () => {
    expect(migrateStore(file, { snapshot: true })).toBeNull();
    expect(migrateStore(file, { snapshot: true })).toBeNull();
    expect(files()).toEqual(['touchstone.db']);
    expect(stateOf(file).version).toBe(SCHEMA_VERSION);
  });
});

describe('opening for writing', () => {
  it('rejects a store of an older schema, and leaves it as it is', () => {
    makeOldStore(file).close();
    const before = stateOf(file);
    expect(() => openForWriting(file)).toThrow(StartupError);
    expect(() => openForWriting(file)).toThrow(
      `${file} was written by an older version of Touchstone (schema ${OLD_SCHEMA}, this version needs ${SCHEMA_VERSION}); start the server or run migrate to update it.`,
    );
    expect(stateOf(file)).toEqual(before);
  });
});

/** Closed at the end of its scope, also when an expectation fails. */
function disposable(connection: ReturnType<typeof makeOldStore>) {
  return { connection, [Symbol.dispose]: () => void connection.close() };
}
