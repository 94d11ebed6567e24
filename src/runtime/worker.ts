import { type Transferable, Worker } from 'node:worker_threads';
import { binaryLoader } from './assets.ts';

/**
 * Size of the young generation in MiB. With the default, each thread accumulates more short-lived garbage without a
 * gain in speed (bench:ingest).
 */
const YOUNG_GENERATION_MB = 24;

/** Starts a thread of src/workers by name, from the sources or from the build, depending on where this file is. `heapMb` limits its heap. */
export function startWorker(
  name:
    | 'prepare'
    | 'writer'
    | 'reader'
    | 'evaluate'
    | 'checkpoint'
    | 'documents'
    | 'postgres'
    | 'postgres-command'
    | 'postgres-query',
  workerData: unknown,
  transferList: readonly Transferable[] = [],
  heapMb?: number,
): Worker {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const module = new URL(`../workers/${name}.${extension}`, import.meta.url);
  const options = {
    name,
    workerData,
    transferList: [...transferList],
    resourceLimits: {
      maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
      ...(heapMb !== undefined && { maxOldGenerationSizeMb: heapMb }),
    },
  };
  const loader = binaryLoader();
  return loader === null
    ? new Worker(module, options)
    : new Worker(`${loader}\nvoid import('${module.href}');`, { ...options, eval: true });
}
