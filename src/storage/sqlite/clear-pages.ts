/**
 * Clears what SQLite leaves behind of deleted rows. `secure_delete` overwrites a deleted row where it is; but when the rows
 * of a page are distributed among its neighbours, the place where they were stays as it is, in the unallocated area of
 * the page (https://www.sqlite.org/fileformat2.html#b_tree_pages). No connection reads these bytes, so that they are
 * overwritten in the file itself, without any change for those who have it open.
 */
import { fstatSync, readSync, writeSync } from 'node:fs';
import Sqlite, { type Database as Connection } from 'better-sqlite3';
import type { Clearing } from '../clearing.ts';
import { SCHEMA_VERSION } from './migrate.ts';

const PAGE_BYTES = 4096;
/** Bytes of an entry of the pointer map: the type of a page, and the page that refers to it. */
const ENTRY_BYTES = 5;
/** Pages whose types one page of the pointer map has; it precedes them. */
const MAPPED_PAGES = Math.floor(PAGE_BYTES / ENTRY_BYTES);
const GROUP_BYTES = (1 + MAPPED_PAGES) * PAGE_BYTES;
/** Types of pages that belong to a b-tree, in the pointer map. */
const ROOT = 1;
const NODE = 5;
/** Flags of pages of a b-tree with the bytes of their headers. */
const HEADER_BYTES: Readonly<Record<number, number>> = { 2: 12, 5: 12, 10: 8, 13: 8 };
const ZEROS = Buffer.alloc(PAGE_BYTES);
/** Milliseconds for which commands wait. */
const TURN_MS = 10;

/** Treatment of a log that was copied: it is written again from its start, or its file is truncated too. */
export type LogEnd = 'RESTART' | 'TRUNCATE';

/** A connection whose log must be in the database while its pages are overwritten. */
export interface ClearedStore {
  connection: Connection;
  /** Descriptor of the open database file, for writing. */
  descriptor: number;
  /** Copies the log into the database; returns false if a reader of an older state, or a fault, prevents it. */
  emptyLog: (mode: LogEnd) => boolean;
}

/** Clears the pages of a store group by group, in turn, for all who wait for it. */
export class PageClearer {
  private readonly store: ClearedStore;
  /** Number of groups that were cleared since the store was opened. */
  private cleared = 0;
  private next = 0;
  private bytes = 0;
  /** Count before which nothing is sure, because the file became shorter: its last pages have moved. */
  private floor = 0;

  constructor(store: ClearedStore) {
    this.store = store;
  }

  /** Clears some pages, or truncates the log once all are cleared; the same contract as `Storage.clearRemains`. */
  clear(begun: number | null): Clearing {
    // The database file of a new store may lack all pages until its log is copied.
    if (!this.store.emptyLog('RESTART')) return { begun, state: 'blocked' };
    const groups = this.countGroups();
    const since = Math.max(begun ?? this.cleared, this.floor);
    const left = since + groups - this.cleared;
    if (left <= 0) return { begun: since, state: this.store.emptyLog('TRUNCATE') ? 'done' : 'blocked' };
    return { begun: since, state: this.clearGroups(groups, left) ? 'more' : 'blocked' };
  }

  private countGroups(): number {
    const { size } = fstatSync(this.store.descriptor);
    if (size < this.bytes) this.floor = this.cleared;
    this.bytes = size;
    return hasPointerMap(this.store.descriptor) ? Math.ceil((size - PAGE_BYTES) / GROUP_BYTES) : 0;
  }

  /** Clears some of `left` groups of pages; returns false, without any change, if the database file is not the newest state. */
  private clearGroups(groups: number, left: number): boolean {
    const { connection, descriptor } = this.store;
    const other = new Sqlite(connection.name, { fileMustExist: true });
    try {
      // No other connection writes meanwhile, nor copies a log that has been copied: the pages in the file stay what they are.
      other.exec('BEGIN IMMEDIATE');
      if (!isCopied(connection)) return false;
      const until = performance.now() + TURN_MS;
      let done = 0;
      do {
        clearUnallocated(descriptor, PAGE_BYTES + ((this.next + done) % groups) * GROUP_BYTES);
        done += 1;
      } while (done < left && performance.now() < until);
      // A commit that changes nothing: others drop the pages that they keep in memory, with which they would write what was left again.
      other.pragma(`user_version = ${SCHEMA_VERSION}`);
      other.exec('COMMIT');
      this.cleared += done;
      this.next = (this.next + done) % groups;
      return true;
    } catch (error) {
      if (error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')) return false;
      throw error;
    } finally {
      other.close();
    }
  }
}

/** Reports whether the database file has all that is in the log. Copies the rest if there is any. */
function isCopied(connection: Connection): boolean {
  const [log] = connection.pragma('wal_checkpoint(PASSIVE)') as {
    busy: number;
    log: number;
    checkpointed: number;
  }[];
  return log?.busy === 0 && log.log === log.checkpointed;
}

/** Reports whether a database has the page size and the pointer map that stores have; another program may have made it again. */
function hasPointerMap(descriptor: number): boolean {
  const header = Buffer.alloc(100);
  readSync(descriptor, header, 0, header.length, 0);
  return header.readUInt16BE(16) === PAGE_BYTES && header[20] === 0 && header.readUInt32BE(52) > 0;
}

/** Overwrites the unallocated areas of the pages that the page of the pointer map at `start`, in bytes, describes. */
function clearUnallocated(descriptor: number, start: number): void {
  const group = Buffer.allocUnsafe(GROUP_BYTES);
  const read = readSync(descriptor, group, 0, GROUP_BYTES, start);
  for (let index = 1; (index + 1) * PAGE_BYTES <= read; index++) {
    const type = group[(index - 1) * ENTRY_BYTES];
    if (type !== ROOT && type !== NODE) continue;
    const page = group.subarray(index * PAGE_BYTES, (index + 1) * PAGE_BYTES);
    const area = unallocatedArea(page);
    if (area === null || page.compare(ZEROS, 0, area.end - area.begin, area.begin, area.end) === 0) continue;
    writeSync(descriptor, ZEROS, 0, area.end - area.begin, start + index * PAGE_BYTES + area.begin);
  }
}

/** Returns the area between the pointers to the cells of a page and the cells; null if the page has none. */
function unallocatedArea(page: Buffer): { begin: number; end: number } | null {
  const header = HEADER_BYTES[page[0] ?? 0];
  if (header === undefined) return null;
  const begin = header + 2 * page.readUInt16BE(3);
  const end = page.readUInt16BE(5);
  return begin < end && end <= PAGE_BYTES ? { begin, end } : null;
}
