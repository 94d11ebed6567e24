import { once } from 'node:events';
import { startWorker } from '../../runtime/worker.ts';
import type { Checkpointer, CheckpointPass } from './checkpoints.ts';

export type CheckpointRequest = 'pass' | 'close';

/**
 * Starts the thread that copies the write-ahead log of `file` into the database. `descriptor` is the open database file; it
 * must stay open as long as any connection is, because closing it would release their locks (POSIX).
 */
export function startCheckpointer(file: string, descriptor: number): Checkpointer {
  const worker = startWorker('checkpoint', { file, descriptor });
  let isClosing = false;
  // The error also ends the thread that started this one, and then the process.
  worker.on('error', (error) => {
    throw error;
  });
  worker.on('exit', (code) => {
    if (!isClosing) throw new Error(`the checkpoint thread ended with code ${code}`);
  });
  return {
    pass: async () => {
      worker.postMessage('pass' satisfies CheckpointRequest, []);
      const [pass] = (await once(worker, 'message')) as [CheckpointPass | null];
      return pass;
    },
    close: async () => {
      isClosing = true;
      const ended = once(worker, 'exit');
      worker.postMessage('close' satisfies CheckpointRequest, []);
      await ended;
    },
  };
}
