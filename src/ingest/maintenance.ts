import type { Log } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { Call } from '../storage/operations.ts';
import { startLookout } from '../storage/store-watch.ts';
import type { TraceCommands, traceQueries } from '../traces/operations.ts';
import type { PrepareThread } from './prepare-thread.ts';

const TICK_MS = 1_000;
/** Most rewrites in one tick. */
const MAX_REWRITES = 20;
/** Most refreshes in one tick. */
const MAX_REFRESHES = 200;
const HOUR_MS = 3_600_000;
/** Time for which log records wait for their trace. */
const LOG_WAIT_MS = 24 * HOUR_MS;
/** Most log records that one tick removes. */
const MAX_EXPIRED_LOGS = 500;

interface MaintenanceOptions {
  read: Call<typeof traceQueries>;
  write: Call<TraceCommands>;
  /** Returns the version of the store; see `Storage`. */
  version: () => string;
  metrics: Metrics;
  log: Log;
}

/**
 * Runs the maintenance of stored traces, one piece at a time: deletions that a failure or a stop interrupted, due
 * rewrites and refreshes, and the removal of log records whose trace never arrived.
 */
export function startMaintenance(
  { read, write, version, metrics, log }: MaintenanceOptions,
  startThread: () => PrepareThread,
): { stop: () => Promise<void> } {
  const stop = new AbortController();
  // Separate from the thread that prepares requests, so that a large trace delays none of them. Started on first use.
  let thread: PrepareThread | null = null;
  /** Time of the next removal of log records, in the milliseconds of `performance.now()`. */
  let logsDueAt = 0;
  let failures = 0;
  const lookout = startLookout({ version, now: Date.now, everyMs: TICK_MS, look, onError: warn });

  async function look(): Promise<number | null> {
    failures = 0;
    await attempt(finishPurges);
    await attempt(expireLogs);
    await attempt(async () => {
      for (const tkey of await read('dueRewrites', { now: Date.now(), limit: MAX_REWRITES })) {
        if (stop.signal.aborted) return;
        await attempt(() => rewriteTrace(tkey));
      }
    });
    await attempt(refreshTraces);
    return failures > 0 ? 0 : read('nextDueTraceAt', null);
  }

  /** Finishes deletions, including those that requests are performing; both remove what is left. */
  async function finishPurges(): Promise<void> {
    for (const tkey of await read('pendingPurges', null)) {
      while (!stop.signal.aborted && (await write('purgeTrace', { tkey })));
    }
  }

  async function rewriteTrace(tkey: number): Promise<void> {
    thread ??= startThread();
    try {
      const isDone = await thread.rewrite(tkey);
      metrics.rewrites.inc({ outcome: isDone ? 'done' : 'again' });
    } catch (error) {
      metrics.rewrites.inc({ outcome: 'failed' });
      await write('postponeRewrite', { tkey, now: Date.now() });
      throw error;
    }
  }

  async function refreshTraces(): Promise<void> {
    const asOf = Date.now();
    for (const tkey of await read('dueRefreshes', { now: asOf, limit: MAX_REFRESHES })) {
      if (stop.signal.aborted) return;
      const refreshed = await read('workOutTrace', { tkey });
      const isDone = await write('finishRefresh', { tkey, asOf, refreshed });
      metrics.refreshes.inc({ outcome: isDone ? 'done' : 'again' });
    }
  }

  /** Removes expired log records once an hour, in several ticks if necessary. */
  async function expireLogs(): Promise<void> {
    if (performance.now() < logsDueAt) return;
    const limit = MAX_EXPIRED_LOGS;
    const count = await write('dropWaitingLogs', { before: Date.now() - LOG_WAIT_MS, limit });
    metrics.expiredLogRecords.inc(count);
    if (count < limit) logsDueAt = performance.now() + HOUR_MS;
  }

  async function attempt(work: () => Promise<void>): Promise<void> {
    try {
      if (!stop.signal.aborted) await work();
    } catch (error) {
      failures += 1;
      warn(error);
    }
  }

  function warn(error: unknown): void {
    log.warn('maintenance of traces failed; retrying', { error });
  }

  return {
    stop: async () => {
      stop.abort();
      await lookout.stop();
      await thread?.close();
    },
  };
}
