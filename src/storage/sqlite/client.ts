import { statSync } from 'node:fs';
import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import { AppError } from '../../errors.ts';
import { Organisations } from '../../runtime/organisations.ts';
import { SharedCount } from '../../runtime/shared-count.ts';
import { ThreadCaller } from '../../runtime/thread-calls.ts';
import { startWorker } from '../../runtime/worker.ts';
import { ALONE } from '../replicas.ts';
import type { Clearing } from '../clearing.ts';
import type { Storage } from '../storage.ts';
import { CallsInProgress, endOf, ReadFaults } from '../storage-threads.ts';
import { markOpen } from './open-stores.ts';
import { ReadGate } from './read-gate.ts';
import { type Reader, ReadQueue } from './read-queue.ts';
import { READY, type ReaderControl } from './reader.ts';
import { StoreLostError } from './store-hold.ts';
import type { WriterQueue, WriterStats } from './writer.ts';

const MAX_WAITING_WRITES = 8_192;
/** Most calls of one reader; the queue of the readers passes on one at a time. */
const MAX_CALLS_OF_READER = 1;

/** Data with which a storage thread is started. */
export interface StorageThreadData {
  file: string;
  gate: SharedArrayBuffer;
  commits: SharedArrayBuffer;
  organisations: SharedArrayBuffer;
  /** Data for the module whose queries the readers run. */
  forQueries: unknown;
}

export interface WriterThreadData extends StorageThreadData {
  /** Open database file, by which checkpoints sync it. Closed only after all connections of the process. */
  descriptor: number;
}

/** Message of the writer's worker: the store is no longer that of this process, and why. */
export interface WriterReport {
  lost: string;
}

/** Messages to the writer's worker besides calls, which arrive through ports. */
export type WriterControl = { connect: MessagePort; queue: WriterQueue } | { close: true };

type Write = (name: string, args: unknown, bytes?: Uint8Array) => Promise<unknown>;

/**
 * Starts the SQLite engine: the writer thread and the readers over a file that `openForWriting` has prepared.
 * `onDeath` is called when a thread ends unexpectedly, after which the process must end too. `organisations`: those of the
 * applications, which take turns. Default: none are known, so that each application is alone. `forQueries` is passed to the
 * threads of the readers.
 */
export function openSqliteStorage(
  file: string,
  onDeath: (error: Error) => void,
  organisations = new Organisations(),
  forQueries: unknown = null,
): Storage {
  const opened = markOpen(file);
  const gate = new ReadGate();
  /** Commits that changed data. */
  const commits = new SharedCount();
  const shared = { gate: gate.buffer, commits: commits.buffer, organisations: organisations.buffer };
  const data: StorageThreadData = { file, ...shared, forQueries };
  const calls = new CallsInProgress();
  const watch: Watch = (thread, caller, isNeeded = () => true) =>
    endOf(thread, calls, (error) => {
      caller.fail(error);
      if (isNeeded()) onDeath(error);
    });

  const writer = startWriter({ ...data, descriptor: opened.descriptor }, watch, onDeath);
  const readers: ReturnType<typeof startReader>[] = [];
  const addReader = (isNeeded?: () => boolean): ThreadCaller => {
    const reader = startReader(data, watch, isNeeded);
    readers.push(reader);
    return reader.caller;
  };
  const readFaults = new ReadFaults();
  const startSecond = async (): Promise<Reader> => {
    if (calls.isClosed) throw new AppError('unavailable', 'the server is stopping');
    let isReady = false;
    // Without a free file descriptor, for example, it cannot start; the first reader continues alone.
    const caller = addReader(() => isReady);
    await caller.call(READY, null);
    isReady = true;
    return readFaults.readerOf(caller);
  };
  const reads = new ReadQueue([readFaults.readerOf(addReader())], startSecond, organisations.groupOf);
  const write: Write = (name, args, bytes) => calls.run(() => writer.caller.call(name, args, bytes));
  let stopped: Promise<void> | null = null;
  const stop = async (): Promise<void> => {
    await calls.close();
    await closeReaders(readers);
    await writer.close();
    opened.end();
  };

  return {
    write: write as Storage['write'],
    read: ((name, args) => calls.run(() => reads.read(name, args))) as Storage['read'],
    isShared: false,
    replicas: ALONE,
    version: () => `${commits.value} ${stateOfLog(file)}`,
    connectWriter: () => writer.connect('bulk'),
    clearRemains: async (begun) => (await write('clearRemains', begun)) as Clearing,
    stats: async () => {
      const { failure, ...stats } = (await write('stats', null)) as WriterStats;
      const fileBytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
      return { ...stats, ...reads.numbers, failure: failure ?? readFaults.recent, fileBytes };
    },
    close: () => (stopped ??= stop()),
  };
}

/** Returns a promise that resolves when a thread has ended. Calls in progress fail if that was unexpected, and the server dies with a thread that it needs. */
type Watch = (thread: Worker, caller: ThreadCaller, isNeeded?: () => boolean) => Promise<void>;

function startWriter(data: WriterThreadData, watch: Watch, onDeath: (error: Error) => void) {
  const worker = startWorker('writer', data);
  worker.on('message', ({ lost }: WriterReport) => onDeath(new StoreLostError(lost)));
  const connect = (queue: WriterQueue): MessagePort => {
    const { port1, port2 } = new MessageChannel();
    worker.postMessage({ connect: port2, queue } satisfies WriterControl, [port2]);
    return port1;
  };
  const port = connect('calls');
  const caller = new ThreadCaller(port, MAX_WAITING_WRITES);
  const ended = watch(worker, caller);
  const close = async (): Promise<void> => {
    worker.postMessage({ close: true } satisfies WriterControl);
    await ended;
    port.close();
  };
  return { caller, connect, close };
}

function startReader(data: StorageThreadData, watch: Watch, isNeeded?: () => boolean) {
  const worker = startWorker('reader', data);
  const caller = new ThreadCaller(worker, MAX_CALLS_OF_READER);
  return { worker, caller, ended: watch(worker, caller, isNeeded) };
}

/** Returns a text that differs when another process has written to the log of a store. */
function stateOfLog(file: string): string {
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  return `${log?.size} ${log?.mtimeMs}`;
}

async function closeReaders(readers: readonly ReturnType<typeof startReader>[]): Promise<void> {
  // A message, not `terminate`, which ends the complete process while a thread is loading the SQLite addon.
  for (const { worker } of readers) worker.postMessage({ close: true } satisfies ReaderControl);
  await Promise.all(readers.map(({ ended }) => ended));
}
