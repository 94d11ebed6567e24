import type { QualityMetrics } from './quality-metrics.ts';
import {
  confidenceLevel,
  healthLevel,
  type Level,
  stabilityLevel,
  taskStatus,
  type TaskRateStatus,
} from './statistics/levels.ts';
import { settled } from './statistics/settled.ts';
import type { Interval } from './statistics/wilson.ts';

/** Levels derived from metrics; null where the metrics are not sufficient. */
export interface Assessment {
  status: TaskRateStatus;
  /** 95 % confidence interval of the pass rate, for examples like these. */
  interval: Interval | null;
  confidence: { width: number; level: Level } | null;
  stability: { deviation: number; level: Level } | null;
  health: { score: number; level: Level } | null;
}

export function assess({
  passRate,
  passRateLow: low,
  passRateHigh: high,
  health,
  deviation,
}: QualityMetrics): Assessment {
  const interval = low === null || high === null ? null : { low, high };
  const width = interval && settled(interval.high - interval.low);
  return {
    status: taskStatus(passRate),
    interval,
    confidence: width === null ? null : { width, level: confidenceLevel(width) },
    stability: deviation === null ? null : { deviation, level: stabilityLevel(deviation) },
    health: health === null ? null : { score: health, level: healthLevel(health) },
  };
}
