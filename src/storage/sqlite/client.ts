import { statSync } from 'node:fs';
import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import { AppError } from '../../errors.ts';
import type { StoreNumbers } from '../../runtime/metrics.ts';
import { ThreadCaller } from '../../runtime/thread-calls.ts';
import { startWorker } from '../../runtime/worker.ts';
import type { Operations } from '../operations.ts';
import type { Storage } from '../storage.ts';
import { CommitCount } from './commit-count.ts';
import { ReadGate } from './read-gate.ts';
import { ReadQueue } from './read-queue.ts';
import type { ReaderControl } from './reader.ts';
import type { WriterQueue, WriterStats } from './writer.ts';

const READERS = 2;
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

interface Reader {
  worker: Worker;
  caller: ThreadCaller;
  ended: Promise<void>;
}

/**
 * Starts the SQLite engine: the writer thread and the readers over a file that `openForWriting` has prepared.
 * `onDeath` is called when a thread ends unexpectedly, after which the process must end too.
 */
export function openSqliteStorage<W extends Operations, R extends Operations>(
  file: string,
  onDeath: (error: Error) => void,
): Storage<W, R> {
  const gate = new ReadGate();
  const commits = new CommitCount();
  const data: StorageThreadData = { file, gate: gate.buffer, commits: commits.buffer };
  let closing: Promise<void> | null = null;
  const underWay = new Set<Promise<unknown>>();

  /** Watches a thread; if it ends unexpectedly, its calls fail. */
  const watch = (worker: Worker, caller: ThreadCaller): Promise<void> => {
    const die = (error: Error): void => {
      caller.fail(error);
      onDeath(error);
    };
    worker.on('error', die);
    return new Promise((resolve) => {
      worker.on('exit', (code) => {
        if (!closing) die(new Error(`a storage thread ended with code ${code}`));
        resolve();
      });
    });
  };
  const track = (call: () => Promise<unknown>): Promise<unknown> => {
    if (closing) return Promise.reject(new AppError('unavailable', 'the server is stopping'));
    const answer = call();
    const settled: Promise<unknown> = answer.catch(() => undefined).then(() => underWay.delete(settled));
    underWay.add(settled);
    return answer;
  };

  const writeCall = (name: string, args: unknown, bytes?: Uint8Array): Promise<unknown> =>
    track(() => writes.call(name, args, bytes));

  const writer = startWorker('writer', data);
  const connectWriter = (queue: WriterQueue): MessagePort => {
    const { port1, port2 } = new MessageChannel();
    writer.postMessage({ connect: port2, queue } satisfies WriterControl, [port2]);
    return port1;
  };
  const writerPort = connectWriter('calls');
  const writes = new ThreadCaller(writerPort, MAX_WAITING_WRITES);
  const writerEnded = watch(writer, writes);
  const readers: Reader[] = Array.from({ length: READERS }, () => {
    const worker = startWorker('reader', data);
    const caller = new ThreadCaller(worker, MAX_CALLS_OF_READER);
    return { worker, caller, ended: watch(worker, caller) };
  });
  const reads = new ReadQueue(
    readers.map(({ caller }) => ({ read: (name, args) => caller.call(name, args) })),
  );
  const read = (name: string, args: unknown): Promise<unknown> => track(() => reads.read(name, args));
  const stop = async (): Promise<void> => {
    await Promise.all(underWay);
    // A message, not `terminate`, which ends the complete process while a thread is loading the SQLite addon.
    for (const { worker } of readers) worker.postMessage({ close: true } satisfies ReaderControl);
    await Promise.all(readers.map(({ ended }) => ended));
    writer.postMessage({ close: true } satisfies WriterControl);
    await writerEnded;
    writerPort.close();
  };

  return {
    write: writeCall as Storage<W, R>['write'],
    read: read as Storage<W, R>['read'],
    isShared: false,
    version: () => {
      const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
      return `${commits.value} ${log?.size} ${log?.mtimeMs}`;
    },
    connectWriter: () => connectWriter('bulk'),
    stats: async (): Promise<StoreNumbers> => {
      const { queued, begun, waitSeconds, rejected } = reads.numbers;
      return {
        ...((await writeCall('stats', null)) as WriterStats),
        queuedReads: queued,
        reads: begun,
        readWaitSeconds: waitSeconds,
        rejectedReads: rejected,
        fileBytes: statSync(file, { throwIfNoEntry: false })?.size ?? 0,
      };
    },
    close: () => (closing ??= stop()),
  };
}
