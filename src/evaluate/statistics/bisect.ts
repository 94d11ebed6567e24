const PRECISION = 1e-13;

/** Finds where a non-decreasing function reaches `target` between `low` and `high`. */
export function bisect(rising: (x: number) => number, target: number, low: number, high: number): number {
  let [below, above] = [low, high];
  while (above - below > PRECISION * Math.max(1, Math.abs(above))) {
    const middle = (below + above) / 2;
    if (rising(middle) < target) below = middle;
    else above = middle;
  }
  return (below + above) / 2;
}
