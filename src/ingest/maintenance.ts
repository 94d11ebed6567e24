import type { Log } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { Read, Write } from '../storage/calls.ts';
import { startLookout } from '../storage/store-watch.ts';
import {
  dropWaitingLogs,
  dueRefreshes,
  dueRewrites,
  finishRefresh,
  indexEarlierResponses,
  nextDueTraceAt,
  pendingPurges,
  postponeRewrite,
  purgeTrace,
  workOutTrace,
} from '../traces/calls.ts';
import type { PrepareThread } from './prepare-thread.ts';

const TICK_MS = 1_000;
/** Most rewrites in one tick. */
const MAX_REWRITES = 20;
/** Most refreshes in one tick. */
const MAX_REFRESHES = 200;
/** Most steps in one tick in which earlier responses are indexed. */
const MAX_INDEX_STEPS = 20;
const HOUR_MS = 3_600_000;
/** Time for which log records wait for their trace. */
const LOG_WAIT_MS = 24 * HOUR_MS;
/** Most log records that one tick removes. */
const MAX_EXPIRED_LOGS = 500;

interface MaintenanceOptions {
  read: Read;
  write: Write;
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
  options: MaintenanceOptions,
  startThread: () => PrepareThread,
): { stop: () => Promise<void> } {
  const maintenance = new Maintenance(options, startThread);
  const lookout = startLookout({
    version: options.version,
    now: Date.now,
    everyMs: TICK_MS,
    look: () => maintenance.look(),
    onError: (error) => maintenance.warn(error),
  });
  return {
    stop: async () => {
      maintenance.isStopped = true;
      await lookout.stop();
      await maintenance.close();
    },
  };
}

class Maintenance {
  private readonly options: MaintenanceOptions;
  private readonly startThread: () => PrepareThread;
  /** Separate from the thread that prepares requests, so that a large trace delays none of them. Started on first use. */
  private thread: PrepareThread | null = null;
  /** Time of the next removal of log records, in the milliseconds of `performance.now()`. */
  private logsDueAt = 0;
  private failures = 0;
  isStopped = false;

  constructor(options: MaintenanceOptions, startThread: () => PrepareThread) {
    this.options = options;
    this.startThread = startThread;
  }

  /** Does all that is due. Returns when more will be; null if nothing waits. */
  async look(): Promise<number | null> {
    this.failures = 0;
    await this.attempt(() => this.finishPurges());
    await this.attempt(() => this.expireLogs());
    await this.attempt(() => this.rewriteTraces());
    const isIndexed = await this.indexResponses();
    await this.attempt(() => this.refreshTraces());
    return this.failures > 0 || !isIndexed ? 0 : this.options.read(nextDueTraceAt, null);
  }

  async close(): Promise<void> {
    await this.thread?.close();
  }

  warn(error: unknown): void {
    this.options.log.warn('maintenance of traces failed; retrying', { error });
  }

  /** Finishes deletions, including those that requests are performing; both remove what is left. */
  private async finishPurges(): Promise<void> {
    const { read, write } = this.options;
    for (const tkey of await read(pendingPurges, null)) {
      while (!this.isStopped && (await write(purgeTrace, { tkey })));
    }
  }

  /** Removes expired log records once an hour, in several ticks if necessary. */
  private async expireLogs(): Promise<void> {
    if (performance.now() < this.logsDueAt) return;
    const { write, metrics } = this.options;
    const limit = MAX_EXPIRED_LOGS;
    const count = await write(dropWaitingLogs, { before: Date.now() - LOG_WAIT_MS, limit });
    metrics.expiredLogRecords.inc(count);
    if (count < limit) this.logsDueAt = performance.now() + HOUR_MS;
  }

  /** Indexes earlier responses of applications whose log records name them; returns whether all are indexed. */
  private async indexResponses(): Promise<boolean> {
    let left = MAX_INDEX_STEPS;
    await this.attempt(async () => {
      while (
        !this.isStopped &&
        left > 0 &&
        (await this.options.write(indexEarlierResponses, { at: Date.now() }))
      )
        left -= 1;
    });
    return left > 0;
  }

  private async rewriteTraces(): Promise<void> {
    for (const tkey of await this.options.read(dueRewrites, { now: Date.now(), limit: MAX_REWRITES })) {
      if (this.isStopped) return;
      await this.attempt(() => this.rewriteTrace(tkey));
    }
  }

  private async rewriteTrace(tkey: number): Promise<void> {
    const { write, metrics } = this.options;
    this.thread ??= this.startThread();
    try {
      const isDone = await this.thread.rewrite(tkey);
      metrics.rewrites.inc({ outcome: isDone ? 'done' : 'again' });
    } catch (error) {
      metrics.rewrites.inc({ outcome: 'failed' });
      await write(postponeRewrite, { tkey, now: Date.now() });
      throw error;
    }
  }

  private async refreshTraces(): Promise<void> {
    const { read, write, metrics } = this.options;
    const asOf = Date.now();
    for (const tkey of await read(dueRefreshes, { now: asOf, limit: MAX_REFRESHES })) {
      if (this.isStopped) return;
      const refreshed = await read(workOutTrace, { tkey });
      const isDone = await write(finishRefresh, { tkey, asOf, refreshed });
      metrics.refreshes.inc({ outcome: isDone ? 'done' : 'again' });
    }
  }

  private async attempt(work: () => Promise<void>): Promise<void> {
    try {
      if (!this.isStopped) await work();
    } catch (error) {
      this.failures += 1;
      this.warn(error);
    }
  }
}
