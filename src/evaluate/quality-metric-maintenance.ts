import type { Log } from '../runtime/log.ts';
import type { Ticker } from '../runtime/ticker.ts';
import type { Read, Write } from '../storage/calls.ts';
import { startLookout } from '../storage/store-watch.ts';
import { computeMetrics, dueMetrics, nextMetricsAt, saveMetrics } from './calls.ts';
import type { DueMetrics, ComputedMetrics } from './quality-metric-store.ts';

const TICK_MS = 1_000;
/** Most metrics computed in one tick. */
const MAX_DUE = 1_000;
/** Fraction of time that the computation of metrics may use, as 1/n. */
const REST = 20;
const RETRY_MS = 600_000;
/** Longest time in milliseconds that computed metrics wait to be stored together with others. */
const SAVE_MS = 250;

interface MetricMaintenanceOptions {
  read: Read;
  write: Write;
  log: Log;
  now: () => number;
  /** Returns the version of the store; see `Storage`. */
  version: () => string;
}

/**
 * Starts computing metrics that are due. The computation runs in readers, because that of a large topic may take
 * long.
 */
export function startMetricMaintenance({ read, write, log, now, version }: MetricMaintenanceOptions): Ticker {
  let isStopping = false;
  const lookout = startLookout({
    version,
    now,
    everyMs: TICK_MS,
    look,
    onError: (error) => log.warn('metrics were not computed; retrying', { error }),
  });

  async function look(): Promise<number | null> {
    const due = await read(dueMetrics, { now: now(), limit: MAX_DUE });
    let computed: ComputedMetrics[] = [];
    let since = performance.now();
    for (const metrics of due) {
      if (isStopping) break;
      computed.push(await workOut(metrics));
      if (performance.now() - since < SAVE_MS) continue;
      await write(saveMetrics, { computed });
      computed = [];
      since = performance.now();
    }
    if (computed.length > 0) await write(saveMetrics, { computed });
    return read(nextMetricsAt, null);
  }

  async function workOut(due: DueMetrics): Promise<ComputedMetrics> {
    const { version: _, ...key } = due;
    const at = now();
    const since = performance.now();
    try {
      const { metrics, until } = await read(computeMetrics, { ...key, at });
      const restMs = Math.ceil(REST * (performance.now() - since));
      return { ...due, metrics, until, readyAt: at + restMs };
    } catch (error) {
      log.warn('the metrics of a record were not computed; retrying later', { ...key, error });
      const readyAt = at + RETRY_MS;
      return { ...due, metrics: null, until: readyAt, readyAt };
    }
  }

  return {
    stop: async () => {
      isStopping = true;
      await lookout.stop();
    },
  };
}
