/**
 * Adjusts the p values of several tests, so that among those below a limit the expected share of false findings is at most
 * that limit. Y. Benjamini, Y. Hochberg, "Controlling the False Discovery Rate: A Practical and Powerful Approach to
 * Multiple Testing", Journal of the Royal Statistical Society B 57 (1995) 289–300. Keeps the given order.
 */
export function benjaminiHochberg(pValues: readonly number[]): number[] {
  const falling = pValues.map((pValue, index) => ({ pValue, index })).sort((a, b) => b.pValue - a.pValue);
  const adjusted = pValues.map(() => 1);
  let smallest = 1;
  for (const [place, { pValue, index }] of falling.entries()) {
    smallest = Math.min(smallest, (falling.length / (falling.length - place)) * pValue);
    adjusted[index] = smallest;
  }
  return adjusted;
}
