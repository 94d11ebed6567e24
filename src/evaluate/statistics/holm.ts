/**
 * Adjusts the p values of several tests, so that the probability of any false finding among all of them is that of a
 * single test. S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics
 * 6 (1979) 65–70. Keeps the given order.
 */
export function holm(pValues: readonly number[]): number[] {
  const rising = pValues.map((pValue, index) => ({ pValue, index })).sort((a, b) => a.pValue - b.pValue);
  const adjusted = pValues.map(() => 1);
  let largest = 0;
  for (const [rank, { pValue, index }] of rising.entries()) {
    largest = Math.max(largest, Math.min(1, (rising.length - rank) * pValue));
    adjusted[index] = largest;
  }
  return adjusted;
}
