import type { Log } from '../../runtime/log.ts';
import type { Metrics } from '../../runtime/metrics.ts';
import type { Ticker } from '../../runtime/ticker.ts';
import type { Read, Write } from '../../storage/calls.ts';
import { startLookout } from '../../storage/store-watch.ts';
import {
  drawLiveTraces,
  nextMonitoringAt,
  noteLiveTraces,
  planMonitoring,
  settledTraceKey,
} from '../calls.ts';

const TICK_MS = 1_000;
/** Most traces that one query examines; one command may record all of them. */
const MAX_LOOKED_AT = 5_000;
/** Most traces that one command plans. */
const MAX_PLANNED = 200;

export interface MonitoringOptions {
  read: Read;
  write: Write;
  settings: { quietMs: number; orphanQuietMs: number };
  metrics: Pick<Metrics, 'monitoredTraces'>;
  log: Log;
  now: () => number;
  /** Returns the version of the store; see `Storage`. */
  version: () => string;
  /** True if other processes may use the same store; see `Storage`. */
  isShared: boolean;
  /** Called when evals were planned. */
  wake: () => void;
}

/**
 * Starts the evaluation of live traces. It finds them by their ascending keys, so storing a trace has no extra cost,
 * and nothing is read while no definition monitors.
 */
export function startMonitoring(options: MonitoringOptions): Ticker {
  const { read, write, settings, metrics, log, now, version, isShared, wake } = options;
  const { quietMs, orphanQuietMs } = settings;
  let after: number | null = null;

  async function look(): Promise<number | null> {
    await draw();
    const nextAt = await read(nextMonitoringAt, null);
    if (nextAt !== null && nextAt <= now()) await plan();
    return nextAt;
  }

  /** Returns the key up to which traces are examined: in a shared store, later ones may still be on their way. */
  async function lastKey(): Promise<number> {
    if (!isShared) return Number.MAX_SAFE_INTEGER;
    const { isOn } = await read(drawLiveTraces, { after, limit: 1, until: 0 });
    return isOn ? write(settledTraceKey, null) : 0;
  }

  async function draw(): Promise<void> {
    const until = await lastKey();
    for (let hasMore = true; hasMore; ) {
      const found = await read(drawLiveTraces, { after, limit: MAX_LOOKED_AT, until });
      const { isOn, last, drawn } = found;
      hasMore = found.hasMore;
      const hasNews = isOn ? after === null || drawn.length > 0 : last !== null;
      // After a crash, traces since the last record are examined again.
      if (hasNews) {
        const dropped = await write(noteLiveTraces, {
          drawn,
          last: isOn ? last : null,
          dueAt: now() + quietMs,
        });
        metrics.monitoredTraces.inc({ outcome: 'drawn' }, drawn.length - dropped);
        metrics.monitoredTraces.inc({ outcome: 'dropped' }, dropped);
      }
      after = isOn ? last : null;
    }
  }

  async function plan(): Promise<void> {
    const args = { now: now(), limit: MAX_PLANNED, quietMs, orphanQuietMs };
    for (let looked = Infinity; looked > 0; ) {
      const done = await write(planMonitoring, args);
      looked = done.looked;
      metrics.monitoredTraces.inc({ outcome: 'planned' }, done.planned);
      if (done.planned > 0) wake();
    }
  }

  return startLookout({
    version,
    now,
    everyMs: TICK_MS,
    look,
    onError: (error) => log.warn('live traces were not monitored; retrying', { error }),
  });
}
