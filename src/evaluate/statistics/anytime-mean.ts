import { bisect } from './bisect.ts';
import { settled } from './settled.ts';
import type { Interval } from './wilson.ts';

/** Number of bets that the wealth is the mean of. */
const BETS = 20;

/** Result of examples that are tested one after the other until they decide. */
export interface AnytimeMean extends Interval {
  mean: number;
  /** Null while it is unsure whether the mean reaches the line. */
  isAbove: boolean | null;
}

/**
 * Computes bounds of the mean of values from 0 to 1 that hold at every moment at once: whoever looks after each value and
 * stops as soon as a bound has passed the line is wrong in at most `error` of all cases, half of it in each direction. It is a test by
 * betting: the mean of `BETS` wealths Π(1 + λ(x − m)), each a non-negative martingale if the mean is m, exceeds 1 ÷ α at any
 * time with probability α at most (I. Waudby-Smith, A. Ramdas, "Estimating means of bounded random variables by betting", JRSS B
 * 86 (2024) 1–27; J. Ville, 1939). The result does not depend on the order of the values.
 */
export function anytimeMean(values: readonly number[], line: number, error = 0.05): AnytimeMean {
  const counts = [...Map.groupBy(values, (value) => value)].map(([value, all]) => ({
    value,
    count: all.length,
  }));
  const target = Math.log(2 / error);
  const total = values.reduce((sum, value) => sum + value, 0);
  const mean = values.length === 0 ? 0 : total / values.length;
  // A lower mean is less compatible with the values, the higher they are: the wealth falls with it.
  const falling = (m: number): number => logWealth(counts, m);
  const rising = (m: number): number =>
    logWealth(
      counts.map(({ value, count }) => ({ value: 1 - value, count })),
      1 - m,
    );
  const low = falling(mean) >= target ? mean : bisect((m) => -falling(m), -target, 0, mean);
  const high = rising(mean) >= target ? mean : bisect(rising, target, mean, 1);
  return {
    mean: settled(mean),
    low: settled(low),
    high: settled(high),
    isAbove: sideOfLine(counts, line, error),
  };
}

/** Returns whether values surely have a mean above the line, or below it; null while it is unsure. */
export function sideOfLine(counts: readonly ValueCount[], line: number, error = 0.05): boolean | null {
  const target = Math.log(2 / error);
  if (logWealth(counts, line) >= target) return true;
  const mirrored = counts.map(({ value, count }) => ({ value: 1 - value, count }));
  return logWealth(mirrored, 1 - line) >= target ? false : null;
}

/** Number of examples with a value. */
export interface ValueCount {
  value: number;
  count: number;
}

/** Returns the logarithm of the wealth of bets that the mean is above m. At m = 0, any value above it proves that. */
function logWealth(counts: readonly ValueCount[], m: number): number {
  if (m <= 0) return counts.some(({ value }) => value > 0) ? Infinity : 0;
  if (m >= 1) return -Infinity;
  const logs = Array.from({ length: BETS }, (_, index) => {
    const bet = (index + 0.5) / (BETS * m);
    return counts.reduce((sum, { value, count }) => sum + count * Math.log1p(bet * (value - m)), 0);
  });
  const highest = Math.max(...logs);
  if (highest === Number.NEGATIVE_INFINITY) return highest;
  return highest + Math.log(logs.reduce((sum, log) => sum + Math.exp(log - highest), 0) / BETS);
}
