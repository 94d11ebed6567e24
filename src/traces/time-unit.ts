export type WrongTimeUnit = 'seconds' | 'milliseconds' | 'microseconds';

/** Unix seconds of 9 September 2001 and of 1 January 2100: what counts as a time of today in some unit. */
const EARLIEST = 1_000_000_000n;
const LATEST = 4_102_444_800n;

const rangeOf = (unit: WrongTimeUnit, perSecond: bigint) => ({
  unit,
  from: EARLIEST * perSecond,
  to: LATEST * perSecond,
});
const RANGES = [
  rangeOf('seconds', 1n),
  rangeOf('milliseconds', 1_000n),
  rangeOf('microseconds', 1_000_000n),
] as const;
const LAST = RANGES[2].to;

/**
 * Returns the unit in which a sender probably gave a time that has to be in Unix nanoseconds; null if it is right as it is, or makes
 * sense in no unit. A time in milliseconds, read as nanoseconds, is in January 1970.
 */
export function wrongTimeUnit(time: bigint): WrongTimeUnit | null {
  // Most times end here.
  if (time >= LAST) return null;
  return RANGES.find(({ from, to }) => time >= from && time < to)?.unit ?? null;
}
