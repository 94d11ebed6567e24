import { statSync } from 'node:fs';
import { MessageChannel, type MessagePort, type Transferable, type Worker } from 'node:worker_threads';
import { AppError } from '../../errors.ts';
import type { StoreNumbers } from '../../runtime/metrics.ts';
import { ThreadCaller } from '../../runtime/thread-calls.ts';
import { startWorker } from '../../runtime/worker.ts';
import type { Operations } from '../operations.ts';
import type { Storage } from '../storage.ts';
import { type CallUnderWay, freest } from './freest.ts';
import { ReadGate } from './read-gate.ts';
import type { ReaderControl } from './reader.ts';
import type { WriterStats } from './writer.ts';

const READERS = 2;
const MAX_WAITING_WRITES = 8_192;
const MAX_WAITING_READS = 1_024;

/** What a storage thread is started with. */
export interface StorageThreadData {
  file: string;
  gate: SharedArrayBuffer;
}

/** Messages to the writer's worker beside calls, which come by ports. */
export type WriterControl = { connect: MessagePort } | { close: true };

interface Reader {
  worker: Worker;
  caller: ThreadCaller;
  calls: Set<CallUnderWay>;
  ended: Promise<void>;
}

/**
 * The SQLite engine: starts the writer thread and the readers over a file that `openForWriting` has already prepared.
 * `onDeath` is told when a thread ends that was not asked to; the process can then only end too.
 */
export function openSqliteStorage<W extends Operations, R extends Operations>(
  file: string,
  onDeath: (error: Error) => void,
): Storage<W, R> {
  const gate = new ReadGate();
  const data: StorageThreadData = { file, gate: gate.buffer };
  let closing: Promise<void> | null = null;
  const underWay = new Set<Promise<unknown>>();

  /** A thread that ends unasked takes its calls with it. */
  const watch = (worker: Worker, caller: ThreadCaller): Promise<void> => {
    const die = (error: Error): void => {
      caller.fail(error);
      onDeath(error);
    };
    worker.on('error', die);
    return new Promise((resolve) => {
      worker.on('exit', (code) => {
        if (!closing) die(new Error(`thread ended with code ${code}`));
        resolve();
      });
    });
  };
  const call = (caller: ThreadCaller, name: string, args: unknown, transfer?: readonly Transferable[]) => {
    if (closing) return Promise.reject(new AppError('unavailable', 'the server is stopping'));
    const answer = caller.call(name, args, transfer);
    const settled: Promise<unknown> = answer.catch(() => undefined).then(() => underWay.delete(settled));
    underWay.add(settled);
    return answer;
  };

  const writer = startWorker('writer', data);
  const connectWriter = (): MessagePort => {
    const { port1, port2 } = new MessageChannel();
    writer.postMessage({ connect: port2 } satisfies WriterControl, [port2]);
    return port1;
  };
  const writerPort = connectWriter();
  const writes = new ThreadCaller(writerPort, MAX_WAITING_WRITES);
  const writerEnded = watch(writer, writes);
  const readers: Reader[] = Array.from({ length: READERS }, () => {
    const worker = startWorker('reader', data);
    const caller = new ThreadCaller(worker, MAX_WAITING_READS);
    return { worker, caller, calls: new Set(), ended: watch(worker, caller) };
  });
  const read = (name: string, args: unknown): Promise<unknown> => {
    const { caller, calls } = freest(readers);
    const begun = { since: performance.now() };
    calls.add(begun);
    return call(caller, name, args).finally(() => calls.delete(begun));
  };
  const stop = async (): Promise<void> => {
    await Promise.all(underWay);
    // Asked, not terminated: that ends the whole process when a thread is just loading the SQLite addon.
    for (const { worker } of readers) worker.postMessage({ close: true } satisfies ReaderControl);
    await Promise.all(readers.map(({ ended }) => ended));
    writer.postMessage({ close: true } satisfies WriterControl);
    await writerEnded;
    writerPort.close();
  };

  return {
    write: ((name: string, args: unknown, transfer?: readonly Transferable[]) =>
      call(writes, name, args, transfer)) as Storage<W, R>['write'],
    read: read as Storage<W, R>['read'],
    connectWriter,
    stats: async (): Promise<StoreNumbers> => ({
      ...((await call(writes, 'stats', null)) as WriterStats),
      queuedReads: readers.reduce((sum, { caller }) => sum + caller.size, 0),
      fileBytes: statSync(file, { throwIfNoEntry: false })?.size ?? 0,
    }),
    close: () => (closing ??= stop()),
  };
}
