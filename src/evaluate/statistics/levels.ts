export const LEVELS = ['HIGH', 'MEDIUM', 'LOW'] as const;
export type Level = (typeof LEVELS)[number];

export const PASS_RATE_STATUSES = ['success', 'warning', 'error'] as const;
export const TASK_STATUSES = [...PASS_RATE_STATUSES, 'no-tests'] as const;
export type TaskRateStatus = (typeof TASK_STATUSES)[number];

/** Pass rates from 0 to 1 above which the status is `success` or `warning`. */
export const SUCCESS_RATE = 0.75;
export const WARNING_RATE = 0.5;

/** Returns the status for a pass rate from 0 to 1; null when no test counts. */
export function taskStatus(passRate: number | null): TaskRateStatus {
  if (passRate === null) return 'no-tests';
  if (passRate > SUCCESS_RATE) return 'success';
  return passRate > WARNING_RATE ? 'warning' : 'error';
}

/** Returns the level for the width of an interval within 0 to 1: the narrower the interval, the higher the level. */
export const confidenceLevel = (width: number): Level => belowOrAt(width, CONFIDENT_WIDTH, 0.35);

/** Widest interval of a pass rate with `HIGH` confidence. */
export const CONFIDENT_WIDTH = 0.15;

/**
 * Returns the level for a standard deviation of scores from 0 to 1: the smaller the deviation, the higher the level.
 */
export const stabilityLevel = (deviation: number): Level => belowOrAt(deviation, 0.1, 0.25);

/** Returns the level for a health score from 0 to 100. */
export function healthLevel(score: number): Level {
  if (score >= 90) return 'HIGH';
  return score >= 60 ? 'MEDIUM' : 'LOW';
}

function belowOrAt(value: number, high: number, medium: number): Level {
  if (value <= high) return 'HIGH';
  return value <= medium ? 'MEDIUM' : 'LOW';
}
