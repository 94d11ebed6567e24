/**
 * Returns the ratio of the odds of the second share (0 to 1) to those of the first; null when one of them always or
 * never passes.
 */
export function oddsRatio(first: number, second: number): number | null {
  if ([first, second].some((share) => share <= 0 || share >= 1)) return null;
  return (second * (1 - first)) / ((1 - second) * first);
}

/**
 * Returns by how many standard deviations the second values exceed the first; null with fewer than two pairs or
 * without any deviation. The deviation is the root of the mean of both variances, so that correlated pairs do not
 * increase the effect: J. Cohen, "Statistical Power Analysis for the Behavioral Sciences" (1988), chapter 2, where
 * variances are not equal.
 */
export function cohensD(pairs: readonly (readonly [first: number, second: number])[]): number | null {
  if (pairs.length < 2) return null;
  const first = momentsOf(pairs.map(([value]) => value));
  const second = momentsOf(pairs.map(([, value]) => value));
  const deviation = Math.sqrt((first.variance + second.variance) / 2);
  return deviation < 1e-9 ? null : (second.mean - first.mean) / deviation;
}

function momentsOf(values: readonly number[]) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, variance: squares / (values.length - 1) };
}
