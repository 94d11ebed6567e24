import { bisect } from './bisect.ts';

/** Argument beyond which a double cannot distinguish the distribution function from 0 or 1. */
const FARTHEST = 37;

/** Coefficients of the numerator and the denominator, highest power first. */
const NUMERATOR = [
  0.0352624965998911, 0.700383064443688, 6.37396220353165, 33.912866078383, 112.079291497871,
  221.213596169931, 220.206867912376,
];
const DENOMINATOR = [
  0.0883883476483184, 1.75566716318264, 16.064177579207, 86.7807322029461, 296.564248779674, 637.333633378831,
  793.826512519948, 440.413735824752,
];

/**
 * Computes the share of the standard normal distribution below `x`, to 14 decimal places, and to 7 digits in the
 * tails. J. F. Hart et al., "Computer Approximations" (1968), as given by G. West, "Better approximations to
 * cumulative normal functions", Wilmott Magazine (May 2005) 70–76.
 */
export function normalCdf(x: number): number {
  const tail = upperTail(Math.abs(x));
  return x > 0 ? 1 - tail : tail;
}

function upperTail(x: number): number {
  if (x > FARTHEST) return 0;
  const density = Math.exp((-x * x) / 2);
  if (x < 5 * Math.SQRT2) return (density * polynomial(NUMERATOR, x)) / polynomial(DENOMINATOR, x);
  const fraction = x + 1 / (x + 2 / (x + 3 / (x + 4 / (x + 0.65))));
  return density / fraction / Math.sqrt(2 * Math.PI);
}

const polynomial = (coefficients: readonly number[], x: number): number =>
  coefficients.reduce((sum, coefficient) => sum * x + coefficient, 0);

/** Returns the value that `share` (above 0 and below 1) of the standard normal distribution is below. */
export const normalQuantile = (share: number): number => bisect(normalCdf, share, -FARTHEST, FARTHEST);

/**
 * Returns how many standard errors a two-sided normal interval reaches to each side; `confidence` is above 0 and
 * below 1.
 */
export const reach = (confidence: number): number => -normalQuantile((1 - confidence) / 2);

/** Computes the two-sided p value of a result `z` standard errors away. */
export const twoSided = (z: number): number => Math.min(1, 2 * normalCdf(-Math.abs(z)));
