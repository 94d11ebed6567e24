/** The smallest of the values that at least `percent` (0 to 100) percent of them don't exceed: nearest rank. Not of none. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent * sorted.length) / 100) - 1)] as number;
}
