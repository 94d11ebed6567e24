import { type Histogram, monitorEventLoopDelay } from 'node:perf_hooks';

/** Interval of the timer whose delays are measured, in milliseconds. */
const INTERVAL_MS = 20;

/** Delays of the main thread in seconds: 0 when its timers run on time. */
export interface EventLoopLag {
  p99: number;
  max: number;
}

/** Starts to measure the delays of this thread. Returns what reads those since the last read. */
export function watchEventLoopLag(): () => EventLoopLag {
  const histogram = monitorEventLoopDelay({ resolution: INTERVAL_MS });
  histogram.enable();
  return () => takeLag(histogram);
}

/** Returns the delays of times between two runs of the timer, in nanoseconds, and empties the histogram. */
export function takeLag(histogram: Histogram): EventLoopLag {
  const isEmpty = histogram.count === 0;
  const lag = {
    p99: isEmpty ? 0 : delaySeconds(histogram.percentile(99)),
    max: isEmpty ? 0 : delaySeconds(histogram.max),
  };
  histogram.reset();
  return lag;
}

/** The time between two runs includes the interval of the timer. */
const delaySeconds = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - INTERVAL_MS / 1e3);
