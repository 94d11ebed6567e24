import type { Log } from '../../runtime/log.ts';
import type { Metrics } from '../../runtime/metrics.ts';
import { startTicker } from '../../runtime/ticker.ts';
import { dayOf } from '../../traces/trace-keys.ts';
import { storeGrowth } from './calls.ts';
import { applyRetention, type RetentionDeps } from './run.ts';

const TICK_MS = 1_000;
const FIRST_MS = 60_000;
const INTERVAL_MS = 60 * 60_000;

/** Growth of the store as it was last measured. */
export interface StoreGrowth {
  bytesPerDay: number;
  /** Bytes of the database file that new data fills before the file grows. */
  unusedBytes: number;
}

export interface RetentionService {
  /** Begins a run soon. */
  wake(): void;
  /** Null until the first run has ended. */
  growth(): StoreGrowth | null;
  stop(): Promise<void>;
}

interface RetentionServiceOptions extends Pick<RetentionDeps, 'read' | 'write' | 'now'> {
  /** Returns the version of the store; see `Storage`. */
  version: () => string;
  /** Returns whether the clock is right, as far as the server can tell; by a wrong one nothing is deleted. */
  isClockBelieved: () => boolean;
  log: Log;
  metrics: Metrics;
}

/** Applies the limits of all applications every hour in which something changed, on a new day, and when it is woken. */
export function startRetention(options: RetentionServiceOptions): RetentionService {
  const { read, write, now, version, isClockBelieved, log, metrics } = options;
  let isStopped = false;
  let isWoken = false;
  let growth: StoreGrowth | null = null;
  let last = { version: '', day: dayOf(now()), at: now() + FIRST_MS - INTERVAL_MS };
  const deps: RetentionDeps = {
    read,
    write,
    now,
    isStopped: () => isStopped,
    onDeleted: ({ traces, bytes }) => {
      metrics.retentionDeletedTraces.inc(traces);
      metrics.retentionDeletedBytes.inc(bytes);
    },
  };
  const isDue = (): boolean =>
    isWoken || (now() >= last.at + INTERVAL_MS && (version() !== last.version || dayOf(now()) !== last.day));
  const run = async (): Promise<void> => {
    isWoken = false;
    const deleted = await applyRetention(deps);
    growth = await read(storeGrowth, { now: now() });
    metrics.storeGrowth.set(growth.bytesPerDay);
    metrics.storeUnusedBytes.set(growth.unusedBytes);
    // Read last, because the run itself changes the store.
    last = { version: version(), day: dayOf(now()), at: now() };
    if (deleted.traces > 0) log.info('traces were deleted by retention', { ...deleted });
  };
  const ticker = startTicker(TICK_MS, async () => {
    if (isStopped || !isClockBelieved() || !isDue()) return;
    await run().catch((error: unknown) => {
      last = { ...last, at: now() };
      log.warn('retention failed; retrying later', { error });
    });
  });
  return {
    wake: () => {
      isWoken = true;
    },
    growth: () => growth,
    stop: async () => {
      isStopped = true;
      await ticker.stop();
    },
  };
}
