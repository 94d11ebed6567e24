/**
 * p values of several tests, adjusted so that the chance of any false finding among all of them stays what it is for one.
 * S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6 (1979) 65–70.
 * In the order given.
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
