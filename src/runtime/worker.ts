import { type Transferable, Worker } from 'node:worker_threads';

/** Starts a thread of src/workers by name, from sources or from the build, whichever this file runs from. */
export function startWorker(
  name: 'prepare' | 'writer' | 'reader',
  workerData: unknown,
  transferList: readonly Transferable[] = [],
): Worker {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return new Worker(new URL(`../workers/${name}.${extension}`, import.meta.url), {
    name,
    workerData,
    transferList: [...transferList],
  });
}
