import type { Interval } from './wilson.ts';

/** Sums over subjects, by name. */
type Sums = Readonly<Record<string, number>>;

/**
 * Computes the interval of a statistic of sums over subjects by leaving out one subject at a time (B. Efron, C. Stein, Annals of
 * Statistics 9 (1981) 586–596), within −1 to 1. A statistic that is undefined without a subject counts as it is with all.
 */
export function jackknifeInterval<S extends Sums>(
  parts: readonly S[],
  valueOf: (sums: S) => number | null,
  z: number,
): Interval {
  const sums = sumOf(parts);
  const centre = valueOf(sums) ?? 0;
  const without = parts.map((part) => valueOf(combined(sums, part, -1)) ?? centre);
  const mean = without.reduce((sum, value) => sum + value, 0) / without.length;
  const squares = without.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const error = Math.sqrt(((parts.length - 1) / parts.length) * squares);
  return { low: Math.max(-1, centre - z * error), high: Math.min(1, centre + z * error) };
}

/** Adds sums of at least one subject. */
export const sumOf = <S extends Sums>(parts: readonly S[]): S =>
  parts.slice(1).reduce((sum, part) => combined(sum, part, 1), parts[0] as S);

const combined = <S extends Sums>(sums: S, part: S, sign: 1 | -1): S =>
  Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, sum + sign * (part[name] ?? 0)])) as S;
