// Loaded into each thread of a server that is measured: writes the heap and the event loop delay of its thread to a file.
import { renameSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { threadId, threadName } from 'node:worker_threads';

const EVERY_MS = 2_000;
const folder = process.env.BENCH_THREADS_FOLDER;
const delays = monitorEventLoopDelay({ resolution: 10 });
delays.enable();

setInterval(() => {
  const file = `${folder}/${threadId}.json`;
  const report = {
    name: threadName || 'main',
    heapMib: getHeapStatistics().used_heap_size / 2 ** 20,
    // The histogram includes the 10 ms between two of its samples.
    delayP99Ms: Math.max(0, delays.percentile(99) / 1e6 - 10),
  };
  delays.reset();
  writeFileSync(`${file}.new`, JSON.stringify(report));
  renameSync(`${file}.new`, file);
}, EVERY_MS).unref();
