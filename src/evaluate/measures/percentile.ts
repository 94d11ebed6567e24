/**
 * Returns the percentile by nearest rank: the smallest value that at least `percent` (0 to 100) percent of the values
 * do not exceed. Requires at least one value.
 */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent * sorted.length) / 100) - 1)] as number;
}
