import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { MessageChannel, Worker } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { AppError, StartupError } from '../../src/errors.ts';
import { ThreadCaller } from '../../src/runtime/thread-calls.ts';
import { withoutSavepoint } from '../../src/storage/operations.ts';
import type { Database } from '../../src/storage/database.ts';
import { SqliteDatabase } from '../../src/storage/sqlite/database.ts';
import { lockDataFolder } from '../../src/storage/sqlite/lock.ts';
import { openForReading, openForWriting } from '../../src/storage/sqlite/open.ts';
import { ReadGate } from '../../src/storage/sqlite/read-gate.ts';
import { runReader } from '../../src/storage/sqlite/reader.ts';
import { Writer } from '../../src/storage/sqlite/writer.ts';
import { dropWaitingLogs } from '../../src/traces/calls.ts';
import { loadSqlite } from '../support/build.ts';
import {
  type Folder,
  inlineCheckpoints,
  storeArgs,
  temporaryFolder,
  writeSlice,
} from '../support/storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { describeStorage, type OpenStorage } from './conformance.ts';

const { openSqliteStorage } = await loadSqlite();

/** A folder that is gone when the test is over. */
function newFolder(): Folder {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  return folder;
}

async function openStorage(folder: Folder): Promise<OpenStorage> {
  const file = folder.file('store.db');
  const deaths: Error[] = [];
  const start = (): Storage => {
    openForWriting(file).close();
    return openSqliteStorage(file, (error) => deaths.push(error));
  };
  let storage = start();
  return {
    get storage() {
      return storage;
    },
    reopen: async () => {
      await storage.close();
      storage = start();
      return storage;
    },
    close: async () => {
      await storage.close();
      folder[Symbol.dispose]();
      expect(deaths).toEqual([]);
    },
  };
}

describeStorage('SQLite', () => openStorage(temporaryFolder()), {
  wrongType: 'datatype mismatch',
  sharesCommits: true,
});

describe('the log of the SQLite engine', () => {
  it('grows with writes and is emptied into the file at the end', async () => {
    const folder = newFolder();
    const file = folder.file('store.db');
    openForWriting(file).close();
    const storage: Storage = openSqliteStorage(file, () => undefined);
    const small = statSync(file).size;
    for (let id = 1; id <= 9; id++) {
      const attributes = { blob: new Uint8Array(randomBytes(256 * 1024)) };
      await writeSlice(storage.write, storeArgs(1, [{ id, attributes }]));
    }
    expect((await storage.stats()).walBytes).toBeGreaterThan(2 * 1024 * 1024);
    await storage.close();
    expect(statSync(file).size).toBeGreaterThanOrEqual(small + 2 * 1024 * 1024);
    expect(statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
  });
});

describe('the thread of an engine that ends unasked', () => {
  it('is reported, and its calls do not hang', async () => {
    const folder = newFolder();
    const file = folder.file('store.db');
    openForWriting(file).close();
    const died = Promise.withResolvers<Error>();
    const storage: Storage = openSqliteStorage(folder.file('missing/store.db'), died.resolve);
    const write = storage.write(dropWaitingLogs, { before: 0, limit: 1 });
    await expect(write).rejects.toBeInstanceOf(Error);
    expect(await died.promise).toBeInstanceOf(Error);
    await storage.close();
  });
});

describe('openForWriting', () => {
  const pragma = (connection: Sqlite.Database, name: string): unknown =>
    connection.pragma(name, { simple: true });

  it('makes a store that is safe against loss of power and gives space back', () => {
    const connection = openForWriting(newFolder().file('store.db'));
    const names = [
      'journal_mode',
      'synchronous',
      'auto_vacuum',
      'page_size',
      'secure_delete',
      'foreign_keys',
    ];
    expect(names.map((name) => pragma(connection, name))).toEqual(['wal', 2, 2, 4096, 1, 1]);
    expect(pragma(connection, 'user_version')).toBeGreaterThan(0);
    connection.close();
  });

  it('opens its own file again with all that is in it', () => {
    const file = newFolder().file('store.db');
    openForWriting(file).close();
    const first = openForWriting(file);
    first.exec(`INSERT INTO organisation VALUES ('o', 1)`);
    first.close();
    const second = openForWriting(file);
    expect(second.prepare('SELECT id FROM organisation').pluck().all()).toEqual(['o']);
    expect(pragma(second, 'synchronous')).toBe(2);
    second.close();
  });

  it('takes a file that is there and empty', () => {
    const file = newFolder().file('store.db');
    writeFileSync(file, '');
    const connection = openForWriting(file);
    expect(pragma(connection, 'auto_vacuum')).toBe(2);
    connection.close();
  });

  const withTable = (file: string): void => {
    const connection = new Sqlite(file);
    connection.exec('CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES (1)');
    connection.close();
  };
  const fromNewer = (file: string): void => {
    const connection = openForWriting(file);
    connection.pragma('user_version = 999');
    connection.close();
  };
  it.each<[what: string, make: (file: string) => void, words: string]>([
    ['by a newer version', fromNewer, 'newer version'],
    ['by another program', withTable, 'another program'],
    [
      'by something that writes no databases',
      (file) => writeFileSync(file, 'plain text, '.repeat(500)),
      'not a database',
    ],
  ])('rejects a file written %s in one sentence, and leaves it as it is', (_what, make, words) => {
    const folder = newFolder();
    const file = folder.file('store.db');
    make(file);
    const before = readFileSync(file);
    expect(() => openForWriting(file)).toThrow(StartupError);
    expect(() => openForWriting(file)).toThrow(words);
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(folder.path)).toEqual(['store.db']);
  });

  it('rejects a damaged store in one sentence', () => {
    const file = newFolder().file('store.db');
    openForWriting(file).close();
    const bytes = readFileSync(file);
    bytes.fill(0xff, 100, 4096);
    writeFileSync(file, bytes);
    expect(() => openForWriting(file)).toThrow(StartupError);
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });

  it('rejects a folder that is not there, and a folder in the place of the file', () => {
    const folder = newFolder();
    mkdirSync(folder.file('store.db'));
    expect(() => openForWriting(folder.file('missing/store.db'))).toThrow(StartupError);
    expect(() => openForWriting(folder.file('store.db'))).toThrow(StartupError);
  });

  it('rejects a folder and a file it may not write to, and changes nothing', () => {
    const folder = newFolder();
    const file = folder.file('store.db');
    chmodSync(folder.path, 0o555);
    asOrdinaryUser(() => expect(() => openForWriting(file)).toThrow(StartupError));
    expect(existsSync(file)).toBe(false);

    chmodSync(folder.path, 0o755);
    openForWriting(file).close();
    const before = readFileSync(file);
    chmodSync(file, 0o444);
    chmodSync(folder.path, 0o555);
    asOrdinaryUser(() => expect(() => openForWriting(file)).toThrow(StartupError));
    expect(readFileSync(file).equals(before)).toBe(true);
    chmodSync(folder.path, 0o755);
  });
});

describe('openForReading', () => {
  it('cannot write', () => {
    const file = newFolder().file('store.db');
    openForWriting(file).close();
    const connection = openForReading(file);
    expect(() => connection.exec(`INSERT INTO organisation VALUES ('o', 1)`)).toThrow('readonly');
    connection.close();
  });

  it('makes no file where there is none', () => {
    const file = newFolder().file('store.db');
    expect(() => openForReading(file)).toThrow(StartupError);
    expect(existsSync(file)).toBe(false);
  });
});

describe('lockDataFolder', () => {
  it('lets one server in, and the next one when that has released it', () => {
    const { path } = newFolder();
    const release = lockDataFolder(path);
    expect(() => lockDataFolder(path)).toThrow(StartupError);
    expect(() => lockDataFolder(path)).toThrow('in use by another');
    release();
    lockDataFolder(path)();
  });

  it('locks each folder for itself, and leaves the store in it free', () => {
    const [one, two] = [newFolder(), newFolder()];
    const releases = [lockDataFolder(one.path), lockDataFolder(two.path)];
    openForWriting(one.file('store.db')).close();
    for (const folder of [one, two]) expect(() => lockDataFolder(folder.path)).toThrow('in use by another');
    for (const release of releases) release();
  });

  it('rejects a folder it may not write to', () => {
    const folder = newFolder();
    chmodSync(folder.path, 0o555);
    asOrdinaryUser(() => expect(() => lockDataFolder(folder.path)).toThrow(StartupError));
    chmodSync(folder.path, 0o755);
  });
});

describe('ReadGate', () => {
  it('lets readers pass while it is open, and once it has been closed for its time', () => {
    const gate = new ReadGate();
    expect(() => gate.pass()).not.toThrow();
    gate.close(5);
    expect(() => gate.pass()).not.toThrow();
    gate.open();
    expect(() => gate.pass()).not.toThrow();
  });

  it('holds readers of other threads back until it opens', async () => {
    const gate = new ReadGate();
    gate.close(600_000);
    const state = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(
      `const { parentPort, workerData } = require('node:worker_threads');
       import(${moduleUrl('src/storage/sqlite/read-gate.ts')}).then(({ ReadGate }) => {
         parentPort.postMessage('waiting');
         new ReadGate(workerData.gate).pass();
         Atomics.store(workerData.state, 0, 1);
         parentPort.postMessage('passed');
       });`,
      { eval: true, workerData: { gate: gate.buffer, state } },
    );
    const messages: string[] = [];
    worker.on('message', (message: string) => messages.push(message));
    await once(worker, 'message');
    expect(Atomics.load(state, 0)).toBe(0);
    gate.open();
    await once(worker, 'exit');
    expect(messages).toEqual(['waiting', 'passed']);
  });
});

describe('a reader', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('stops a query that takes longer than ten seconds, and continues with the next', async () => {
    const database = new SqliteDatabase(openForWriting(newFolder().file('store.db')));
    const { port1, port2 } = new MessageChannel();
    vi.useFakeTimers({ toFake: ['performance'] });
    const rows = 'SELECT i FROM ordinal WHERE in_time(i)';
    const queries = {
      scan: (db: Database, { seconds }: { seconds: number }): number => {
        vi.advanceTimersByTime(seconds * 1000);
        return db.all(rows).length;
      },
    };
    runReader(port2, database, queries, new ReadGate());
    const caller = new ThreadCaller(port1, 10);
    const error: unknown = await caller.call('scan', { seconds: 10.1 }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: 'unavailable' });
    expect(await caller.call('scan', { seconds: 9 })).toBe(1024);
    expect(database.connection.inTransaction).toBe(false);
    port1.close();
    database.connection.close();
  });
});

describe('the writer', () => {
  const setUp = (commands: Record<string, (database: Database, args: number) => unknown>) => {
    const database = new SqliteDatabase(openForWriting(newFolder().file('store.db')));
    const writer = new Writer(database, commands, inlineCheckpoints(database));
    const { port1, port2 } = new MessageChannel();
    const bulk = [new MessageChannel(), new MessageChannel()] as const;
    writer.attach(port2, 'calls');
    for (const channel of bulk) writer.attach(channel.port2, 'bulk');
    const stop = async (): Promise<void> => {
      for (const port of [port1, port2, ...bulk.flatMap((channel) => [channel.port1, channel.port2])])
        port.close();
      if (database.connection.open) await writer.close();
    };
    const caller = new ThreadCaller(port1, 100);
    const [bulkCaller, otherBulkCaller] = [
      new ThreadCaller(bulk[0].port1, 100),
      new ThreadCaller(bulk[1].port1, 100),
    ];
    return { database, writer, caller, bulkCaller, otherBulkCaller, stop };
  };
  const insert = (database: Database, n: number): number =>
    database.run(`INSERT INTO organisation VALUES (?, 1)`, `${n}`);
  const stored = (database: Database): unknown[] =>
    database.all<{ id: string }>('SELECT id FROM organisation ORDER BY id').map(({ id }) => Number(id));

  it('serves calls of applications in turns, and those of one in their order', async () => {
    const order: string[] = [];
    const busy = (_: Database, call: { application: number; n: number }): void => {
      order.push(`${call.application}:${call.n}`);
      for (const end = performance.now() + 1; performance.now() < end; );
    };
    const { caller, stop } = setUp({ busy: busy as never });
    const first = Array.from({ length: 50 }, (_, n) => caller.call('busy', { application: 1, n }));
    const second = [0, 1, 2].map((n) => caller.call('busy', { application: 2, n }));
    await Promise.all([...first, ...second]);
    await stop();
    expect(order.filter((call) => call.startsWith('1'))).toEqual(
      Array.from({ length: 50 }, (_, n) => `1:${n}`),
    );
    expect(order.filter((call) => call.startsWith('2'))).toEqual(['2:0', '2:1', '2:2']);
    // When the later ones have their turn depends on how long a busy machine takes for each.
    expect(order.indexOf('2:0')).toBeLessThan(3);
  });

  it('serves bulk commands of threads in turns, so that one with long commands does not hold up the other', async () => {
    const order: string[] = [];
    const busy = (_: Database, name: string): void => {
      order.push(name);
      for (const end = performance.now() + 1; performance.now() < end; );
    };
    const { bulkCaller, otherBulkCaller, stop } = setUp({ busy: busy as never });
    const first = Array.from({ length: 20 }, () => bulkCaller.call('busy', 'first'));
    const other = otherBulkCaller.call('busy', 'other');
    await Promise.all([...first, other]);
    await stop();
    expect(order.indexOf('other')).toBeLessThan(3);
  });

  it('undoes a command that fails midway, and nothing else', async () => {
    const failing = (database: Database, n: number): never => {
      insert(database, n);
      throw new AppError('invalid', 'odd', { issues: [{ code: 'custom', message: 'odd', path: ['n'] }] });
    };
    const { database, caller, stop } = setUp({ insert, failing });
    const settled = await Promise.allSettled(
      [1, 2, 3].map((n) => caller.call(n === 2 ? 'failing' : 'insert', n)),
    );
    expect(settled).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { code: 'invalid', issues: [{ path: ['n'] }] } },
      { status: 'fulfilled' },
    ]);
    expect(stored(database)).toEqual([1, 3]);
    await stop();
  });

  it('fails a command that ends the transaction, and no other one', async () => {
    const endsTransaction = (database: Database): void => {
      database.run('ROLLBACK');
      throw new Error('odd');
    };
    const { database, caller, stop } = setUp({ insert, endsTransaction });
    const settled = await Promise.allSettled([
      caller.call('insert', 1),
      caller.call('endsTransaction', 0),
      caller.call('insert', 2),
    ]);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(stored(database)).toEqual([1, 2]);
    await stop();
  });

  it('returns unavailable while another process holds the file, and works again after', async () => {
    const { database, caller, stop } = setUp({ insert });
    database.connection.pragma('busy_timeout = 1');
    const other = new Sqlite(database.connection.name);
    other.exec('BEGIN IMMEDIATE');
    await expect(caller.call('insert', 1)).rejects.toMatchObject({ code: 'unavailable', retryAfter: 1 });
    other.exec('ROLLBACK');
    other.close();
    await caller.call('insert', 2);
    expect(stored(database)).toEqual([2]);
    await stop();
  });

  it('returns unavailable when the file cannot grow, and works again after', async () => {
    const blob = (database: Database, size: number): number =>
      database.run("INSERT INTO chunk VALUES (1, 1, 0, x'00', zeroblob(?))", size);
    const { database, caller, stop } = setUp({ insert, blob });
    const pages = Number(database.connection.pragma('page_count', { simple: true }));
    database.connection.pragma(`max_page_count = ${pages + 10}`);
    await expect(caller.call('blob', 1024 * 1024)).rejects.toMatchObject({ code: 'unavailable' });
    database.connection.pragma('max_page_count = 1000000');
    await caller.call('blob', 1024 * 1024);
    await caller.call('insert', 1);
    expect(stored(database)).toEqual([1]);
    await stop();
  });

  it('runs the commands of a commit again, each alone, when one without savepoint fails', async () => {
    // Time stands still, so that the three are one commit, however long their thread waits in between.
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const runs: number[] = [];
    const bare = withoutSavepoint((database: Database, n: number) => {
      runs.push(n);
      insert(database, n);
      if (n === 2) throw new Error('odd');
    });
    const { database, caller, stop } = setUp({ insert, bare });
    const settled = await Promise.allSettled([
      caller.call('insert', 1),
      caller.call('bare', 2),
      caller.call('bare', 3),
    ]);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(stored(database)).toEqual([1, 3]);
    expect(runs).toEqual([2, 2, 3]);
    await stop();
  });

  it('fails a lone command without savepoint once, and undoes it', async () => {
    const bare = withoutSavepoint((database: Database, n: number) => {
      insert(database, n);
      throw new AppError('conflict', 'odd');
    });
    const { database, caller, stop } = setUp({ bare });
    await expect(caller.call('bare', 1)).rejects.toMatchObject({ code: 'conflict' });
    expect(stored(database)).toEqual([]);
    await stop();
  });

  it('commits calls before bulk commands that came first, and bulk commands beside a flood of calls', async () => {
    const order: string[] = [];
    const busy = (name: string) => (_database: Database, n: number) => {
      order.push(`${name} ${n}`);
      const end = performance.now() + 15;
      while (performance.now() < end);
    };
    const { caller, bulkCaller, stop } = setUp({ call: busy('call'), slice: busy('slice') });
    await Promise.all([
      ...[1, 2, 3].map((n) => bulkCaller.call('slice', n)),
      ...[1, 2, 3, 4, 5, 6].map((n) => caller.call('call', n)),
    ]);
    expect(order[0]).toBe('call 1');
    expect(order.indexOf('slice 1')).toBeLessThan(order.indexOf('call 4'));
    expect(order).toHaveLength(9);
    await stop();
  });

  it('reports its state without waiting for its queue', async () => {
    const { caller, stop } = setUp({ insert });
    const [, stats] = await Promise.all([caller.call('insert', 1), caller.call('stats', null)]);
    expect(stats).toMatchObject({ failedCommits: 0 });
    await stop();
  });

  it('commits at the end what lies in its lines, taken or not', async () => {
    const { database, writer, caller } = setUp({ insert });
    const file = database.connection.name;
    const writes = Promise.all([1, 2, 3].map((n) => caller.call('insert', n)));
    await nextTurn();
    await writer.close();
    await writes;
    const reader = new SqliteDatabase(openForReading(file));
    expect(stored(reader)).toEqual([1, 2, 3]);
    reader.connection.close();
  });
});

/** Runs `run` without the rights of root, for whom no file is read-only. */
function asOrdinaryUser(run: () => void): void {
  if (process.geteuid?.() !== 0) {
    run();
    return;
  }
  process.seteuid?.(65_534);
  try {
    run();
  } finally {
    process.seteuid?.(0);
  }
}

/** Until messages posted before have been sent. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function moduleUrl(path: string): string {
  return JSON.stringify(new URL(`../../${path}`, import.meta.url).href);
}
