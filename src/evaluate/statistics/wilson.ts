/** Bounds of a share, from 0 to 1. */
export interface Interval {
  low: number;
  high: number;
}

/** 97.5 % quantile of the standard normal distribution, for two-sided intervals of 95 %. */
const Z = 1.959963984540054;

/**
 * Computes the score interval of a share `share` (0 to 1) observed in `count` (at least 1) independent trials. It
 * covers 95 %, or `z` standard errors. E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical
 * Inference", Journal of the American Statistical Association 22 (1927) 209–212. For a mean of values from 0 to 1 it
 * is rather too wide than too narrow: no distribution on [0, 1] with that mean varies more than the one of zeros and
 * ones.
 */
export function wilsonInterval(share: number, count: number, z = Z): Interval {
  const zz = z * z;
  const centre = (share + zz / (2 * count)) / (1 + zz / count);
  const half = (z / (1 + zz / count)) * Math.sqrt((share * (1 - share)) / count + zz / (4 * count * count));
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}

/**
 * Estimates the number of tests after which the interval of a share is `wanted` wide: the width shrinks with the root
 * of the number. Without tests, returns the number for a share of one half, whose interval is the widest.
 */
export function testsForWidth(wanted: number, { width, tests }: { width: number; tests: number }): number {
  if (tests === 0) return Math.ceil((Z / wanted) ** 2 - Z * Z);
  return Math.ceil(tests * (width / wanted) ** 2);
}
