import { type Transferable, Worker } from 'node:worker_threads';

/**
 * Size of the young generation in MiB. By default each thread lets more short-lived garbage pile up without gaining
 * speed (bench:ingest).
 */
const YOUNG_GENERATION_MB = 24;

/** Starts a thread of src/workers by name, from sources or from the build, whichever this file runs from. */
export function startWorker(
  name: 'prepare' | 'writer' | 'reader' | 'evaluate' | 'checkpoint',
  workerData: unknown,
  transferList: readonly Transferable[] = [],
): Worker {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return new Worker(new URL(`../workers/${name}.${extension}`, import.meta.url), {
    name,
    workerData,
    transferList: [...transferList],
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  });
}
