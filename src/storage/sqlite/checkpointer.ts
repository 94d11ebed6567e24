import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { startWorker } from '../../runtime/worker.ts';
import type { Checkpointer, CheckpointPass } from './checkpoints.ts';

export type CheckpointRequest = 'pass' | 'close';

interface CheckpointThread {
  worker: Worker;
  /** True once it has answered. */
  isReady: boolean;
}

/**
 * Returns a checkpointer whose thread copies the write-ahead log of `file` into the database; the first pass starts it.
 * `descriptor` is the open database file; it must stay open as long as any connection is, because closing it would
 * release their locks (POSIX).
 */
export function createCheckpointer(file: string, descriptor: number): Checkpointer {
  let thread: CheckpointThread | null = null;
  let isClosing = false;
  const start = (): Worker => {
    const worker = startWorker('checkpoint', { file, descriptor });
    const own: CheckpointThread = { worker, isReady: false };
    thread = own;
    worker.once('message', () => (own.isReady = true));
    // A thread that could not start, such as without a free file descriptor, is replaced by the next pass. Any other end
    // also ends the thread that started this one, and then the process.
    worker.on('error', (error) => {
      if (own.isReady) throw error;
    });
    worker.on('exit', (code) => {
      if (own.isReady && !isClosing) throw new Error(`the checkpoint thread ended with code ${code}`);
      thread = null;
    });
    return worker;
  };
  return {
    pass: async () => {
      const worker = thread?.worker ?? start();
      const { promise, resolve } = Promise.withResolvers<CheckpointPass | null>();
      const onExit = (): void => resolve(null);
      worker.once('message', resolve).once('exit', onExit);
      worker.postMessage('pass' satisfies CheckpointRequest, []);
      const pass = await promise;
      worker.off('message', resolve).off('exit', onExit);
      return pass;
    },
    close: async () => {
      isClosing = true;
      if (!thread) return;
      const ended = once(thread.worker, 'exit');
      thread.worker.postMessage('close' satisfies CheckpointRequest, []);
      await ended;
    },
  };
}
