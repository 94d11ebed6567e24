import { statSync } from 'node:fs';
import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import { AppError } from '../../errors.ts';
import { SharedCount } from '../../runtime/shared-count.ts';
import { ThreadCaller } from '../../runtime/thread-calls.ts';
import { startWorker } from '../../runtime/worker.ts';
import type { Operations } from '../operations.ts';
import type { Storage } from '../storage.ts';
import { ReadGate } from './read-gate.ts';
import { type Reader, ReadQueue } from './read-queue.ts';
import { READY, type ReaderControl } from './reader.ts';
import type { WriterQueue, WriterStats } from './writer.ts';

const MAX_WAITING_WRITES = 8_192;
/** Most calls of one reader; the queue of the readers passes on one at a time. */
const MAX_CALLS_OF_READER = 1;

/** Data with which a storage thread is started. */
export interface StorageThreadData {
  file: string;
  gate: SharedArrayBuffer;
  commits: SharedArrayBuffer;
}

/** Messages to the writer's worker besides calls, which arrive through ports. */
export type WriterControl = { connect: MessagePort; queue: WriterQueue } | { close: true };

/**
 * Starts the SQLite engine: the writer thread and the readers over a file that `openForWriting` has prepared.
 * `onDeath` is called when a thread ends unexpectedly, after which the process must end too.
 */
export function openSqliteStorage<W extends Operations, R extends Operations>(
  file: string,
  onDeath: (error: Error) => void,
): Storage<W, R> {
  const gate = new ReadGate();
  /** Commits that changed data. */
  const commits = new SharedCount();
  const data: StorageThreadData = { file, gate: gate.buffer, commits: commits.buffer };
  const calls = new CallsInProgress();
  const watch = (thread: Worker, caller: ThreadCaller): Promise<void> =>
    endOf(thread, calls, (error) => {
      caller.fail(error);
      onDeath(error);
    });

  const writer = startWorker('writer', data);
  const connectWriter = (queue: WriterQueue): MessagePort => {
    const { port1, port2 } = new MessageChannel();
    writer.postMessage({ connect: port2, queue } satisfies WriterControl, [port2]);
    return port1;
  };
  const writerPort = connectWriter('calls');
  const writes = new ThreadCaller(writerPort, MAX_WAITING_WRITES);
  const writerEnded = watch(writer, writes);
  const readers: ReturnType<typeof startReader>[] = [];
  const addReader = (): ThreadCaller => {
    const reader = startReader(data, watch);
    readers.push(reader);
    return reader.caller;
  };
  const asReader = (caller: ThreadCaller): Reader => ({ read: (name, args) => caller.call(name, args) });
  const reads = new ReadQueue([asReader(addReader())], async () => {
    if (calls.isClosed) throw new AppError('unavailable', 'the server is stopping');
    const caller = addReader();
    await caller.call(READY, null);
    return asReader(caller);
  });
  const write = (name: string, args: unknown, bytes?: Uint8Array): Promise<unknown> =>
    calls.run(() => writes.call(name, args, bytes));
  let stopped: Promise<void> | null = null;
  const stop = async (): Promise<void> => {
    await calls.close();
    // A message, not `terminate`, which ends the complete process while a thread is loading the SQLite addon.
    for (const { worker } of readers) worker.postMessage({ close: true } satisfies ReaderControl);
    await Promise.all(readers.map(({ ended }) => ended));
    writer.postMessage({ close: true } satisfies WriterControl);
    await writerEnded;
    writerPort.close();
  };

  return {
    write: write as Storage<W, R>['write'],
    read: ((name, args) => calls.run(() => reads.read(name, args))) as Storage<W, R>['read'],
    isShared: false,
    version: () => {
      const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
      return `${commits.value} ${log?.size} ${log?.mtimeMs}`;
    },
    connectWriter: () => connectWriter('bulk'),
    stats: async () => ({
      ...((await write('stats', null)) as WriterStats),
      ...reads.numbers,
      fileBytes: statSync(file, { throwIfNoEntry: false })?.size ?? 0,
    }),
    close: () => (stopped ??= stop()),
  };
}

function startReader(
  data: StorageThreadData,
  watch: (thread: Worker, caller: ThreadCaller) => Promise<void>,
) {
  const worker = startWorker('reader', data);
  const caller = new ThreadCaller(worker, MAX_CALLS_OF_READER);
  return { worker, caller, ended: watch(worker, caller) };
}

/** Calls whose results are awaited. When it closes, it accepts no more of them. */
class CallsInProgress {
  private readonly settled = new Set<Promise<unknown>>();
  isClosed = false;

  run(call: () => Promise<unknown>): Promise<unknown> {
    if (this.isClosed) return Promise.reject(new AppError('unavailable', 'the server is stopping'));
    const answer = call();
    const settled: Promise<unknown> = answer.catch(() => undefined).then(() => this.settled.delete(settled));
    this.settled.add(settled);
    return answer;
  }

  /** Resolves when no call is in progress. */
  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all(this.settled);
  }
}

/** Resolves when a thread has ended. Calls `onDeath` if that was not because the store was closed. */
function endOf(thread: Worker, calls: CallsInProgress, onDeath: (error: Error) => void): Promise<void> {
  thread.on('error', onDeath);
  return new Promise((resolve) => {
    thread.on('exit', (code) => {
      if (!calls.isClosed) onDeath(new Error(`a storage thread ended with code ${code}`));
      resolve();
    });
  });
}
