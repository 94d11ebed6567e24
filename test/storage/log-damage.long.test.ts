import {
  copyFileSync,
  openSync,
  closeSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inspectStore } from '../../src/storage/sqlite/inspect.ts';
import { framesBehindBad } from '../../src/storage/sqlite/log-frames.ts';
import { findLogDamage } from '../../src/storage/sqlite/log-damage.ts';
import { effort } from '../support/effort.ts';
import { mulberry32 } from '../support/random.ts';
import { type Folder, temporaryFolder } from '../support/storage.ts';

const FRAME = 4096 + 24;
const startOf = (frame: number): number => 32 + (frame - 1) * FRAME;

let folder: Folder;
let store: string;
beforeEach(() => {
  folder = temporaryFolder();
  store = folder.file('touchstone.db');
});
afterEach(() => folder[Symbol.dispose]());

const framesIn = (connection: Sqlite.Database): number =>
  (connection.pragma('wal_checkpoint(NOOP)') as { log: number }[])[0]?.log ?? 0;

/**
 * Writes commits of `rows` rows each, which differ in their pages, and leaves the files as `kill -9` would. Returns the
 * number of frames after each commit.
 */
function writeLog(
  rows: readonly number[],
  edit: (connection: Sqlite.Database) => void = () => undefined,
): number[] {
  const connection = new Sqlite(folder.file('live.db'));
  for (const pragma of ['journal_mode = WAL', 'wal_autocheckpoint = 0']) connection.pragma(pragma);
  connection.exec(
    'CREATE TABLE entry (id INTEGER PRIMARY KEY, text TEXT); INSERT INTO entry VALUES (0, NULL)',
  );
  connection.pragma('wal_checkpoint(TRUNCATE)');
  const insert = connection.prepare('INSERT INTO entry (text) VALUES (?)');
  const ends = rows.map((count) => {
    connection.transaction(() => {
      for (let row = 0; row < count; row++) insert.run('x'.repeat(3_000));
    })();
    return framesIn(connection);
  });
  edit(connection);
  for (const suffix of ['', '-wal', '-shm']) copyFileSync(folder.file(`live.db${suffix}`), store + suffix);
  connection.close();
  return ends;
}

function overwrite(from: number, bytes: Buffer): void {
  const descriptor = openSync(`${store}-wal`, 'r+');
  writeSync(descriptor, bytes, 0, bytes.length, from);
  closeSync(descriptor);
}

/** Number of rows that SQLite finds in a copy of the store. */
function rowsFound(): number {
  const copy = folder.file('copy.db');
  for (const suffix of ['', '-wal', '-shm']) rmSync(copy + suffix, { force: true });
  for (const suffix of ['', '-wal']) copyFileSync(store + suffix, copy + suffix);
  const connection = new Sqlite(copy);
  const found = connection.prepare<[], number>('SELECT count(*) FROM entry').pluck().get() ?? 0;
  connection.close();
  return found - 1;
}

describe('damage of a write-ahead log', () => {
  it('is found with its frame and what follows, and stops a start with the way out', () => {
    const ends = writeLog([1, 1, 1, 1, 1]);
    overwrite(startOf(2) + 300, Buffer.from('garbage'));
    const last = ends.at(-1) ?? 0;
    expect(findLogDamage(store)).toMatchObject({ badFrame: 2, offset: startOf(2), frames: last - 2 });
    expect(() => inspectStore(store)).toThrow(
      new RegExp(
        `-wal is damaged at frame 2 \\(byte ${startOf(2)}\\), and ${last - 2} frames of \\d commits behind it would be lost; restore a backup, or .* truncate -s ${startOf(2)} `,
      ),
    );
    truncateSync(`${store}-wal`, startOf(2));
    expect(() => inspectStore(store)).not.toThrow();
  });

  it.each<[what: string, damage: (ends: number[]) => void]>([
    ['no log', () => rmSync(`${store}-wal`)],
    ['an empty log', () => truncateSync(`${store}-wal`, 0)],
    ['a log of zeros', () => writeFileSync(`${store}-wal`, Buffer.alloc(20_000))],
    ['a log that ends in a frame', (ends) => truncateSync(`${store}-wal`, startOf(ends[2] ?? 0) + 99)],
    ['a complete log', () => undefined],
    ['a last frame of garbage', (ends) => overwrite(startOf(ends.at(-1) ?? 0), Buffer.alloc(FRAME, 7))],
    ['zeros behind the end', () => overwrite(readFileSync(`${store}-wal`).length, Buffer.alloc(9 * FRAME))],
  ])('is not reported for %s', (_what, damage) => {
    damage(writeLog([2, 3, 1, 4]));
    expect(findLogDamage(store)).toBeNull();
    expect(() => inspectStore(store)).not.toThrow();
  });

  it('is found in a header before commits', () => {
    writeLog([1, 1]);
    overwrite(16, Buffer.alloc(8, 1));
    expect(findLogDamage(store)).toMatchObject({ badFrame: 0, commits: 2 });
    overwrite(0, Buffer.alloc(32));
    expect(findLogDamage(store)).toMatchObject({ badFrame: 0, commits: 2 });
  });

  it('is not a part of the last commit that a loss of power left out', () => {
    const [before = 0] = writeLog([1, 40]);
    rmSync(`${store}-shm`);
    overwrite(startOf(before + 5), Buffer.alloc(FRAME));
    expect(findLogDamage(store)).toBeNull();
  });

  it('is none once another program that closed the store has deleted the log', () => {
    expect(framesBehindBad(`${store}-wal`)).toBeNull();
  });

  it('is not what a commit left that was rolled back', () => {
    writeLog([1], (connection) => {
      connection.pragma('cache_size = 10');
      connection.exec('BEGIN');
      for (let row = 0; row < 100; row++)
        connection.exec(`INSERT INTO entry (text) VALUES ('${'y'.repeat(3_000)}')`);
      connection.exec('ROLLBACK');
      connection.exec(`INSERT INTO entry (text) VALUES ('z')`);
    });
    expect(findLogDamage(store)).toBeNull();
  });

  it('is not reported for what remains of an earlier round of the log', () => {
    writeLog([5, 5, 5, 5], (connection) => {
      connection.pragma('wal_checkpoint(RESTART)');
      connection.exec(`INSERT INTO entry (text) VALUES ('z')`);
    });
    expect(findLogDamage(store)).toBeNull();
  });

  it('is found wherever commits would be lost, and only there', () => {
    const seed = Date.now() % 1_000_000;
    const random = mulberry32(seed);
    const upTo = (limit: number): number => Math.floor(random() * limit);
    for (let round = 0; round < effort(40); round++) {
      const sizes = Array.from({ length: 2 + upTo(6) }, () => 1 + upTo(9));
      const ends = writeLog(sizes);
      const hasIndex = random() < 0.5;
      if (!hasIndex) rmSync(`${store}-shm`);
      const frame = 1 + upTo(ends.at(-1) ?? 1);
      const isHeader = random() < 0.5;
      const at = startOf(frame) + (isHeader ? upTo(24) : 24 + upTo(4_000));
      const old = readFileSync(`${store}-wal`)[at] ?? 0;
      overwrite(at, Buffer.from([old ^ (1 + upTo(255))]));
      const found = findLogDamage(store);
      const commit = ends.findIndex((end) => frame <= end);
      const label = `seed ${seed}, round ${round}: ${sizes.join()} with frame ${frame} of ${ends.join()} changed at ${at}`;
      const kept = sizes.slice(0, commit).reduce((sum, size) => sum + size, 0);
      expect(rowsFound(), label).toBe(kept);
      const isLast = commit === ends.length - 1;
      // Without its mark, the end of a commit looks like a frame inside the next one; and any frame may get the mark.
      const isUnclear = commit === ends.length - 2 && frame === ends[commit] && isHeader && !hasIndex;
      if (isLast && !hasIndex && !isHeader) expect(found, label).toBeNull();
      if (!isLast && !isUnclear) expect(found?.badFrame, label).toBe(frame);
      for (const suffix of ['', '-wal', '-shm']) {
        rmSync(store + suffix, { force: true });
        rmSync(folder.file(`live.db${suffix}`), { force: true });
      }
    }
  });
});
