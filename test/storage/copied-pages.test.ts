import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CopiedTable } from '../../src/storage/copy/copied-table.ts';
import { TableHash } from '../../src/storage/copy/table-hash.ts';
import {
  keyFromTexts,
  keyOfRow,
  keyToTexts,
  nextRows,
  type TableKey,
} from '../../src/storage/copy/table-pages.ts';
import { copiedTables } from '../../src/storage/sqlite/copied-tables.ts';
import type { SqliteDatabase } from '../../src/storage/sqlite/database.ts';
import { type Folder, openDatabase, temporaryFolder } from '../support/storage.ts';

const TABLE = copiedTables().find(({ name }) => name === 'chunk') as CopiedTable;
const MIB = 1024 * 1024;

let folder: Folder;
let database: SqliteDatabase;
beforeEach(() => {
  folder = temporaryFolder();
  database = openDatabase(folder.file('touchstone.db'));
});
afterEach(() => {
  database.close();
  folder[Symbol.dispose]();
});

/** Adds blocks with payloads of these sizes. */
function addBlocks(sizes: readonly number[]): void {
  const insert =
    'INSERT INTO chunk (application, tkey, seq, skeleton, payload) VALUES (:application, 1, :seq, :none, :payload)';
  for (const [seq, size] of sizes.entries())
    database.run(insert, { application: 1, seq, none: Buffer.alloc(0), payload: Buffer.alloc(size, 7) });
}

/** Returns the bytes of the payloads of each page. */
function pages(limits: { rows: number; bytes: number }): number[][] {
  const found: number[][] = [];
  for (let after: TableKey | null = null; ; ) {
    const { rows, isLast } = nextRows(database, TABLE, after, limits);
    const last = rows.at(-1);
    if (last === undefined) return found;
    found.push(rows.map((row) => (row['payload'] as Uint8Array).length));
    if (isLast) return found;
    after = keyFromTexts(TABLE, keyToTexts(TABLE, keyOfRow(TABLE, last)));
  }
}

describe('pages of a table', () => {
  it('have a number of bytes at most, or one row', () => {
    addBlocks([MIB, MIB, MIB, 10 * MIB, 100, 100]);
    expect(pages({ rows: 100, bytes: 2 * MIB })).toEqual([[MIB, MIB], [MIB], [10 * MIB], [100, 100]]);
  });

  it('have a number of rows at most', () => {
    addBlocks([1, 2, 3, 4, 5, 6, 7]);
    expect(pages({ rows: 3, bytes: MIB })).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
    expect(pages({ rows: 7, bytes: MIB })).toEqual([[1, 2, 3, 4, 5, 6, 7]]);
  });

  it('are none of an empty table', () => expect(pages({ rows: 3, bytes: MIB })).toEqual([]));
});

describe('the hash of a table', () => {
  const columns = [
    { name: 'a', type: 'text' },
    { name: 'b', type: 'text' },
    { name: 'n', type: 'real' },
  ] as const;
  const hashOf = (...rows: readonly Record<string, string | number | null>[]): string => {
    const hash = new TableHash({ name: 't', columns, key: columns, counter: null });
    for (const row of rows) hash.add(row);
    return hash.digest();
  };

  it('does not depend on the order of rows, and on nothing else', () => {
    const [one, other] = [
      { a: 'x', b: 'y', n: 1 },
      { a: 'y', b: null, n: null },
    ];
    expect(hashOf(one, other)).toBe(hashOf(other, one));
    const different = [
      hashOf(one),
      hashOf(one, other),
      hashOf(one, one),
      hashOf({ ...one, a: '' }),
      hashOf({ ...one, a: null }),
      hashOf({ a: 'xy', b: '', n: 1 }),
      hashOf({ a: '', b: 'xy', n: 1 }),
    ];
    expect(new Set(different).size).toBe(different.length);
  });

  it('takes U+0000 for U+FFFD and −0 for 0', () => {
    expect(hashOf({ a: 'a\0', b: '', n: -0 })).toBe(hashOf({ a: 'a\uFFFD', b: '', n: 0 }));
  });
});
