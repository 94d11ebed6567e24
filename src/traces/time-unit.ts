const SECOND_UNITS = [
  ['seconds', 1n],
  ['milliseconds', 1_000n],
  ['microseconds', 1_000_000n],
] as const;
/** Unix seconds of 9 September 2001 and of 1 January 2100: what counts as a time of today in some unit. */
const EARLIEST = 1_000_000_000n;
const LATEST = 4_102_444_800n;

export type WrongTimeUnit = (typeof SECOND_UNITS)[number][0];

/**
 * Returns the unit in which a sender probably gave a time that has to be in Unix nanoseconds; null if it is right as it is, or makes
 * sense in no unit. A time in milliseconds, read as nanoseconds, is in January 1970.
 */
export function wrongTimeUnit(time: bigint): WrongTimeUnit | null {
  // Most times end here.
  if (time > LATEST * 1_000_000n) return null;
  const found = SECOND_UNITS.find(([, units]) => time >= EARLIEST * units && time < LATEST * units);
  return found?.[0] ?? null;
}
