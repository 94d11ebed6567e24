/** Bounds of a share, from 0 to 1. */
export interface Interval {
  low: number;
  high: number;
}

/** 97.5 % quantile of the standard normal distribution, for two-sided intervals of 95 %. */
const Z = 1.959963984540054;

/** Computes the 95 % interval of a share observed in `count` trials, at least 1, by E. B. Wilson (1927), as the server does. */
export function wilsonInterval(share: number, count: number): Interval {
  const zz = Z * Z;
  const centre = (share + zz / (2 * count)) / (1 + zz / count);
  const half = (Z / (1 + zz / count)) * Math.sqrt((share * (1 - share)) / count + zz / (4 * count * count));
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}
