import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InsertStatement, RowStatement, SetRow } from '../../src/storage/database.ts';
import { bytesAt, greater, lesser } from '../../src/storage/dialect.ts';
import { isPostgres } from '../../src/storage/engine.ts';
import { effort } from '../support/effort.ts';
import { useStore } from '../support/storage.ts';

const { database, newTenant } = useStore();
const newApplication = (): number => newTenant().application;

const ADD_SESSION: RowStatement = {
  sql: `INSERT INTO session (application, id, first_ns, last_ns) VALUES (?, ?, ?, ?)
    ON CONFLICT (application, id) DO UPDATE SET
      first_ns = ${lesser('session.first_ns', 'excluded.first_ns')},
      last_ns = ${greater('session.last_ns', 'excluded.last_ns')}`,
  columns: ['integer', 'text', 'integer', 'integer'],
};
const FIND_SESSIONS: RowStatement = {
  sql: `SELECT id, first_ns AS "firstNs", last_ns AS last FROM session
    WHERE application = ? AND first_ns >= ? ORDER BY last_ns DESC, id LIMIT ?`,
  columns: ['integer', 'integer', 'integer'],
};
const ADD_PAIR: InsertStatement = {
  sql: 'INSERT INTO trace_attr (application, key, value, tkey) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  columns: ['integer', 'text', 'text', 'integer'],
  key: { value: 3, tkey: 4 },
};
const ADD_SPANS: InsertStatement = {
  sql: `INSERT INTO span (application, tkey, span_id, hash, seq)
    SELECT ?, ?, ${bytesAt('?', 'i * 8 + 1', 8)}, ${bytesAt('?', 'i * 8 + 1', 8)}, ? FROM ordinal WHERE i < ?
    ON CONFLICT DO NOTHING`,
  columns: ['integer', 'integer', 'blob', 'blob', 'integer', 'integer'],
  key: { tkey: 2, seq: 5 },
};

const sessions = (application: number): unknown[] =>
  database().allExact(
    'SELECT id, first_ns, last_ns FROM session WHERE application = ? ORDER BY id',
    application,
  );

describe('a set of rows', () => {
  it('is inserted, also values that are large, empty or no ASCII', () => {
    const application = newApplication();
    const most = 2n ** 63n - 1n;
    database().runMany(ADD_SESSION, [
      [application, '', 0, -1],
      [application, 'a"\\{},\'', 1, most],
      [application, 'ü😀\u2028', -(2n ** 63n), 2 ** 53],
    ]);
    expect(sessions(application)).toEqual([
      { id: '', first_ns: 0n, last_ns: -1n },
      { id: 'a"\\{},\'', first_ns: 1n, last_ns: most },
      { id: 'ü😀\u2028', first_ns: -(2n ** 63n), last_ns: 2n ** 53n },
    ]);
  });

  it('may be empty', () => {
    database().runMany(ADD_SESSION, []);
    expect(database().runManyNew(ADD_PAIR, [])).toEqual([]);
    expect(database().allMany(FIND_SESSIONS, [])).toEqual([]);
  });

  it('changes rows that are stored', () => {
    const application = newApplication();
    const rows = (first: number, last: number): SetRow[] => [
      [application, 'a', first, last],
      [application, 'b', 5, 5],
    ];
    for (const set of [rows(3, 4), rows(2, 9), rows(7, 8)]) database().runMany(ADD_SESSION, set);
    expect(sessions(application)).toEqual([
      { id: 'a', first_ns: 2n, last_ns: 9n },
      { id: 'b', first_ns: 5n, last_ns: 5n },
    ]);
  });

  it('updates and deletes, and counts as a change', () => {
    const application = newApplication();
    const names = ['a', 'b', 'c'];
    database().runMany(
      ADD_SESSION,
      names.map((id) => [application, id, 1, 1]),
    );
    const before = database().changeCount();
    const update: RowStatement = {
      sql: `UPDATE session SET last_ns = ?, first_ns = ${lesser('first_ns', '?')}
        WHERE application = ? AND id = ? AND EXISTS (SELECT 1 FROM ordinal WHERE i = 0)`,
      columns: ['integer', 'integer', 'integer', 'text'],
    };
    database().runMany(update, [
      [7, -1, application, 'a'],
      [8, 3, application, 'b'],
      [9, 3, application, 'none'],
    ]);
    expect(database().changeCount() - before).toBe(2);
    database().runMany(
      { sql: 'DELETE FROM session WHERE application = ? AND id = ?', columns: ['integer', 'text'] },
      [
        [application, 'c'],
        [application, 'none'],
      ],
    );
    expect(database().changeCount() - before).toBe(3);
    expect(sessions(application)).toEqual([
      { id: 'a', first_ns: -1n, last_ns: 7n },
      { id: 'b', first_ns: 1n, last_ns: 8n },
    ]);
  });

  it('contains bytes, numbers with a fraction, and NULL', () => {
    const application = newApplication();
    const add: RowStatement = {
      sql: 'INSERT INTO resource (application, hash, refs, bytes) VALUES (?, ?, 1, ?)',
      columns: ['integer', 'blob', 'blob'],
    };
    const every = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    database().runMany(add, [
      [application, Buffer.from('a'), every],
      [application, Buffer.from('b'), Buffer.alloc(0)],
    ]);
    const find: RowStatement = {
      sql: 'SELECT bytes, ? + 0.25 AS sum, refs FROM resource WHERE application = ? AND hash = ? AND (? IS NULL OR refs = ?)',
      columns: ['real', 'integer', 'blob', 'integer', 'integer'],
    };
    const found = database().allMany(find, [
      [0.5, application, Buffer.from('a'), null, null],
      [-1.5, application, Buffer.from('b'), 1, 1],
      [0, application, Buffer.from('b'), 1, null],
    ]);
    expect(found).toEqual([
      [{ bytes: every, sum: 0.75, refs: 1 }],
      [{ bytes: Buffer.alloc(0), sum: -1.25, refs: 1 }],
      [],
    ]);
  });
});

describe('the new rows of a set', () => {
  it('are those that no row stood in the way of', () => {
    const application = newApplication();
    const pair = (value: string, tkey: number): SetRow => [application, 'tag', value, tkey];
    expect(database().runManyNew(ADD_PAIR, [pair('a', 1), pair('b', 1)])).toEqual([1, 1]);
    expect(
      database().runManyNew(ADD_PAIR, [pair('a', 1), pair('b', 2), pair('\0', 1), pair('b', 1)]),
    ).toEqual([0, 1, 1, 0]);
  });

  it('are counted where each row of the set adds several, the first one first', () => {
    const application = newApplication();
    const ids = (text: string): Buffer => Buffer.from(text.replaceAll(/./g, (letter) => letter.repeat(8)));
    const block = (seq: number, text: string): SetRow => [
      application,
      application,
      ids(text),
      ids(text),
      seq,
      text.length,
    ];
    const added = database().runManyNew(ADD_SPANS, [
      block(0, 'abc'),
      block(1, 'cd'),
      block(2, 'ab'),
      block(3, 'e'),
    ]);
    expect(added).toEqual([3, 1, 0, 1]);
    expect(
      database().all('SELECT seq FROM span WHERE application = ? ORDER BY span_id', application),
    ).toEqual([0, 0, 0, 1, 3].map((seq) => ({ seq })));
  });
});

describe('a query for a set of rows', () => {
  it('returns the results of each row in their order, exactly if asked to', () => {
    const application = newApplication();
    database().runMany(
      ADD_SESSION,
      [1, 2, 3].map((n) => [application, `s${n}`, n, 10 - n]),
    );
    const wanted: SetRow[] = [
      [application, 2, 9],
      [application, 4, 9],
      [application, 0, 2],
    ];
    const one = (n: number) => ({ id: `s${n}`, firstNs: n, last: 10 - n });
    expect(database().allMany(FIND_SESSIONS, wanted)).toEqual([[one(2), one(3)], [], [one(1), one(2)]]);
    expect(database().allManyExact(FIND_SESSIONS, wanted.slice(0, 1))).toEqual([
      [
        { id: 's2', firstNs: 2n, last: 8n },
        { id: 's3', firstNs: 3n, last: 7n },
      ],
    ]);
  });

  it('returns any values as they were given', () => {
    const value = fc.tuple(
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.double({ noNaN: true }),
      fc.string({ unit: fc.constantFrom('a', '\0', 'ü', '😀', '"', '\\', '{', ',', '\n') }),
      fc.uint8Array(),
    );
    const same: RowStatement = {
      sql: 'SELECT ? AS integer, ? AS real, ? AS text, ? AS blob WHERE ? = 1',
      columns: ['integer', 'real', 'text', 'blob', 'integer'],
    };
    const text = (one: string): string => (isPostgres ? one.replaceAll('\0', '\u{FFFD}') : one);
    fc.assert(
      fc.property(fc.array(value, { maxLength: 4 }), (values) => {
        const found = database().allManyExact(
          same,
          values.map((row) => [...row, 1]),
        );
        expect(found).toEqual(
          values.map(([integer, real, one, blob]) => [
            { integer, real, text: text(one), blob: Buffer.from(blob) },
          ]),
        );
      }),
      { numRuns: effort(20) },
    );
  });
});
