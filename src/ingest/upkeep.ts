import type { Log } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { Call } from '../storage/operations.ts';
import type { traceCommands } from '../traces/operations.ts';
import type { PrepareThread } from './prepare-thread.ts';

const TICK_MS = 1_000;
/** Rewrites done in one tick. */
const MAX_REWRITES = 20;

interface UpkeepOptions {
  write: Call<typeof traceCommands>;
  metrics: Metrics;
  log: Log;
}

/** What the store needs done behind: removals that a stop interrupted, and rewrites that are due. One at a time. */
export function startUpkeep(
  { write, metrics, log }: UpkeepOptions,
  startThread: () => PrepareThread,
): { stop: () => Promise<void> } {
  const stop = new AbortController();
  // Apart from the thread that prepares requests, so that a large trace keeps nobody waiting; started when first needed.
  let thread: PrepareThread | null = null;
  let running: Promise<void> = finishPurges();
  const timer = setInterval(() => {
    running = running.then(tick);
  }, TICK_MS);
  timer.unref();

  async function finishPurges(): Promise<void> {
    await attempt(async () => {
      for (const tkey of await write('pendingPurges', null)) {
        while (!stop.signal.aborted && (await write('purgeTrace', { tkey })));
      }
    });
  }

  async function tick(): Promise<void> {
    await attempt(async () => {
      for (const tkey of await write('dueRewrites', { now: Date.now(), limit: MAX_REWRITES })) {
        if (stop.signal.aborted) return;
        thread ??= startThread();
        const isDone = await thread.rewrite(tkey);
        metrics.rewrites.inc({ outcome: isDone ? 'done' : 'again' });
      }
    });
  }

  async function attempt(work: () => Promise<void>): Promise<void> {
    try {
      if (!stop.signal.aborted) await work();
    } catch (error) {
      log.warn('upkeep failed; it is tried again', { error });
    }
  }

  return {
    stop: async () => {
      stop.abort();
      clearInterval(timer);
      await running;
      await thread?.close();
    },
  };
}
