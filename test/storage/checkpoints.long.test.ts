import { openSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createCheckpointer } from '../../src/storage/sqlite/checkpointer.ts';
import {
  type Checkpointer,
  Checkpoints,
  type CheckpointPass,
  runCheckpointPass,
} from '../../src/storage/sqlite/checkpoints.ts';
import { openForCheckpoints, openForReading } from '../../src/storage/sqlite/open.ts';
import { ReadGate } from '../../src/storage/sqlite/read-gate.ts';
import { openDatabase, temporaryFolder } from '../support/storage.ts';

const MIB = 1024 * 1024;
/** Beyond what a log may have before it is copied. */
const MUCH = 64 * MIB;
/** Of one checkpoint whose log does not become short. */
const PASSES = 6;
/** A page and the header of its frame in the log. */
const FRAME_BYTES = 4096 + 24;

interface CheckpointState {
  log: number;
  checkpointed: number;
}

function openStore() {
  const folder = temporaryFolder();
  const file = folder.file('store.db');
  const database = openDatabase(file);
  database.run('CREATE TABLE blob (id INTEGER PRIMARY KEY, bytes BLOB)');
  onTestFinished(() => {
    database.connection.close();
    folder[Symbol.dispose]();
  });
  const walBytes = (): number => {
    const [{ log, checkpointed }] = database.connection.pragma('wal_checkpoint(NOOP)') as [CheckpointState];
    return checkpointed < log ? log * FRAME_BYTES : 0;
  };
  return {
    file,
    fileBytes: (): number => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0,
    connection: database.connection,
    walBytes,
    /** Commits rows until the log has so many bytes. */
    fill: (bytes: number): void => {
      while (walBytes() < bytes) database.run('INSERT INTO blob (bytes) VALUES (zeroblob(4000000))');
    },
    add: (): void => void database.run("INSERT INTO blob (bytes) VALUES (x'00')"),
    rows: (): number => database.get<{ n: number }>('SELECT count(*) AS n FROM blob')?.n ?? 0,
  };
}

/** A checkpointer on a connection of its own, whose passes end when the test lets them. */
function stagedCheckpointer(file: string) {
  const connection = openForCheckpoints(file);
  const passes: CheckpointPass[] = [];
  let isClosed = false;
  let wait: Promise<void> = Promise.resolve();
  const checkpointer: Checkpointer = {
    pass: async () => {
      await wait;
      const pass = runCheckpointPass(connection, () => undefined);
      if (pass) passes.push(pass);
      return pass;
    },
    close: async () => {
      isClosed = true;
      connection.close();
    },
  };
  return {
    start: () => checkpointer,
    passes,
    isClosed: () => isClosed,
    /** Holds passes back until the function that it returns is called. */
    hold: (): (() => void) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      wait = promise;
      return resolve;
    },
  };
}

describe('checkpoints', () => {
  it('begin once the log is long, copy it by passes and empty it', async () => {
    const store = openStore();
    const staged = stagedCheckpointer(store.file);
    const checkpoints = new Checkpoints(store.connection, new ReadGate(), staged.start);
    store.fill(8 * MIB);
    checkpoints.afterCommit();
    await delay(20);
    expect(staged.passes).toEqual([]);

    store.fill(MUCH);
    const rows = store.rows();
    checkpoints.afterCommit();
    await expect.poll(store.walBytes).toBe(0);
    expect(staged.passes.length).toBeGreaterThan(0);
    expect(checkpoints.numbers.checkpoints).toBe(1);
    expect(store.rows()).toBe(rows);
    await checkpoints.close();
    expect(staged.isClosed()).toBe(true);
  });

  it('truncate the file once no commit has come for a minute', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const store = openStore();
    const checkpoints = new Checkpoints(
      store.connection,
      new ReadGate(),
      stagedCheckpointer(store.file).start,
    );
    store.fill(8 * MIB);
    checkpoints.afterCommit();
    await vi.advanceTimersByTimeAsync(59_000);
    checkpoints.afterCommit();
    await vi.advanceTimersByTimeAsync(59_000);
    expect(store.walBytes()).toBe(0);
    expect(store.fileBytes()).toBeGreaterThanOrEqual(8 * MIB);
    const rows = store.rows();
    await vi.advanceTimersByTimeAsync(1_000);
    expect([store.fileBytes(), store.rows()]).toEqual([0, rows]);
    await checkpoints.close();
  });

  it('copy a short log once no commit has come for a while, and keep its file for the next ones', async () => {
    const store = openStore();
    const checkpoints = new Checkpoints(
      store.connection,
      new ReadGate(),
      stagedCheckpointer(store.file).start,
    );
    store.fill(MUCH);
    checkpoints.afterCommit();
    await expect.poll(() => checkpoints.numbers.checkpoints).toBe(1);
    store.fill(8 * MIB);
    checkpoints.afterCommit();
    expect(store.walBytes()).toBeGreaterThan(0);
    await expect.poll(store.walBytes).toBe(0);
    // A file that grows is slower to sync.
    expect(store.fileBytes()).toBeGreaterThanOrEqual(MUCH);
    await checkpoints.close();
  });

  it('go over the log again when commits made it longer meanwhile', async () => {
    const store = openStore();
    const staged = stagedCheckpointer(store.file);
    const checkpoints = new Checkpoints(store.connection, new ReadGate(), () => {
      const checkpointer = staged.start();
      let passes = 0;
      return {
        ...checkpointer,
        pass: async () => {
          const found = await checkpointer.pass();
          if (passes++ === 0) store.fill(MUCH + 16 * MIB);
          return found;
        },
      };
    });
    store.fill(MUCH);
    checkpoints.afterCommit();
    await expect.poll(store.walBytes).toBe(0);
    expect(staged.passes.length).toBeGreaterThan(1);
    await checkpoints.close();
  });

  it('hold bulk commands back while the thread copies the rest, and then release them', async () => {
    const store = openStore();
    const staged = stagedCheckpointer(store.file);
    const checkpoints = new Checkpoints(store.connection, new ReadGate(), staged.start);
    let releases = 0;
    checkpoints.onRelease = () => void (releases += 1);
    store.fill(MUCH);
    const endFirst = staged.hold();
    checkpoints.afterCommit();
    expect(checkpoints.admitsBulk(MIB)).toBe(true);
    const endLast = staged.hold();
    endFirst();
    await expect.poll(() => checkpoints.admitsBulk(MIB)).toBe(false);
    // A small call that is committed meanwhile is left to the writer.
    store.add();
    expect(releases).toBe(0);
    endLast();
    await expect.poll(() => releases).toBe(1);
    expect([checkpoints.admitsBulk(MIB), store.walBytes()]).toEqual([true, 0]);
    await checkpoints.close();
  });

  it('let a bounded number of small bulk commands pass meanwhile', async () => {
    const store = openStore();
    const staged = stagedCheckpointer(store.file);
    const checkpoints = new Checkpoints(store.connection, new ReadGate(), staged.start);
    store.fill(MUCH);
    const end = staged.hold();
    checkpoints.afterCommit();
    const endLast = staged.hold();
    end();
    await expect.poll(() => checkpoints.admitsBulk(MIB)).toBe(false);
    let passed = 0;
    for (; passed < 1_000 && checkpoints.admitsBulk(2_000); passed++) checkpoints.wroteBulk(2_000);
    expect([passed > 10, passed < 100]).toEqual([true, true]);
    endLast();
    await expect.poll(() => checkpoints.admitsBulk(MIB)).toBe(true);
    await checkpoints.close();
  });

  it('let commits continue beside a reader of an older state, and empty the log when it has gone', async () => {
    // The timer of the checkpoint that follows a pause of commits never fires: its passes would be counted too.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const store = openStore();
    store.add();
    const reader = openForReading(store.file);
    reader.exec('BEGIN');
    const count = (): unknown => reader.prepare('SELECT count(*) FROM blob').pluck().get();
    expect(count()).toBe(1);

    const staged = stagedCheckpointer(store.file);
    const checkpoints = new Checkpoints(store.connection, new ReadGate(), staged.start);
    store.fill(MUCH);
    checkpoints.afterCommit();
    await expect.poll(() => staged.passes.length).toBe(PASSES);
    await delay(50);
    expect(store.walBytes()).toBeGreaterThanOrEqual(MUCH);

    // It is not retried with each commit.
    store.add();
    checkpoints.afterCommit();
    await delay(20);
    expect(staged.passes).toHaveLength(PASSES);
    // What the reader kept back is much: the writer does not copy it.
    expect(checkpoints.numbers.checkpoints).toBe(0);
    expect(count()).toBe(1);

    reader.exec('COMMIT');
    reader.close();
    store.fill(2 * MUCH + MIB);
    checkpoints.afterCommit();
    await expect.poll(store.walBytes).toBe(0);
    await checkpoints.close();
  });

  it('are waited for when the store closes, and none begins afterwards', async () => {
    const store = openStore();
    const staged = stagedCheckpointer(store.file);
    const checkpoints = new Checkpoints(store.connection, new ReadGate(), staged.start);
    store.fill(MUCH);
    const release = staged.hold();
    checkpoints.afterCommit();
    let isClosed = false;
    const closing = checkpoints.close().then(() => (isClosed = true));
    await delay(20);
    expect([isClosed, staged.isClosed()]).toEqual([false, false]);
    release();
    await closing;
    expect(store.walBytes()).toBe(0);
    store.fill(MUCH);
    checkpoints.afterCommit();
    await delay(20);
    expect(checkpoints.numbers.checkpoints).toBe(1);
  });

  it('that fail leave the log as it is, and the next one copies it', async () => {
    const store = openStore();
    const staged = stagedCheckpointer(store.file);
    let failures = 0;
    const checkpoints = new Checkpoints(store.connection, new ReadGate(), () => {
      const checkpointer = staged.start();
      return {
        ...checkpointer,
        pass: async () => (failures++ === 0 ? null : checkpointer.pass()),
      };
    });
    store.fill(MUCH);
    const rows = store.rows();
    checkpoints.afterCommit();
    await expect.poll(() => checkpoints.numbers.failedCheckpoints).toBe(1);
    expect(store.walBytes()).toBeGreaterThanOrEqual(MUCH);
    store.fill(2 * MUCH + MIB);
    checkpoints.afterCommit();
    await expect.poll(store.walBytes).toBe(0);
    expect(store.rows()).toBeGreaterThan(rows);
    await checkpoints.close();
  });

  it('run in a thread of their own, which ends with them', async () => {
    const store = openStore();
    const checkpoints = new Checkpoints(store.connection, new ReadGate(), () =>
      createCheckpointer(store.file, openSync(store.file, 'r')),
    );
    store.fill(MUCH);
    checkpoints.afterCommit();
    await checkpoints.close();
    expect(store.walBytes()).toBe(0);
  });
});

describe('a pass of a checkpoint', () => {
  it('reports a store that cannot be written, and throws nothing', () => {
    const store = openStore();
    store.add();
    const readOnly = new Sqlite(store.file, { readonly: true });
    onTestFinished(() => void readOnly.close());
    expect(runCheckpointPass(readOnly, () => undefined)).toBeNull();
  });

  it('writes what it copied to the disk, even if commits make the log longer meanwhile', () => {
    const store = openStore();
    const connection = openForCheckpoints(store.file);
    onTestFinished(() => void connection.close());
    store.add();
    const synced: number[] = [];
    const pass = runCheckpointPass(connection, () => synced.push(statSync(store.file).size));
    expect(pass?.copied).toBeGreaterThan(0);
    expect(synced).toEqual([statSync(store.file).size]);
  });

  it('reports a disk that fails to write, and throws nothing', () => {
    const store = openStore();
    const fails = (): never => {
      throw Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO', syscall: 'fsync' });
    };
    expect(runCheckpointPass(store.connection, fails)).toBeNull();
  });
});
