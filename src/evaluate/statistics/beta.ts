import { bisect } from './bisect.ts';

/** Coefficients of the Lanczos approximation with g = 7. */
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];
const G = 7;

/**
 * Computes the logarithm of the gamma function of `x` (above 0). C. Lanczos, "A Precision Approximation of the Gamma
 * Function", SIAM Journal on Numerical Analysis B 1 (1964) 86–96.
 */
function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const base = x + G - 0.5;
  const sum = LANCZOS.reduce(
    (total, coefficient, i) => total + (i === 0 ? coefficient : coefficient / (x - 1 + i)),
  );
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(base) - base + Math.log(sum);
}

/** Computes the logarithm of the beta function of `a` and `b` (above 0). */
export const logBeta = (a: number, b: number): number => logGamma(a) + logGamma(b) - logGamma(a + b);

/** Numbers of steps and the precision of the continued fraction. */
const MAX_STEPS = 100_000;
const EPSILON = 1e-15;
const TINY = 1e-300;

/**
 * Computes the share of the beta distribution with the parameters `a` and `b` (above 0) that is below `x`. W. H. Press et
 * al., "Numerical Recipes" (2007), section 6.4: the continued fraction of the incomplete beta function by Lentz's method.
 */
export function betaCdf(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  return x < (a + 1) / (a + b + 2)
    ? (front * continuedFraction(x, a, b)) / a
    : 1 - (front * continuedFraction(1 - x, b, a)) / b;
}

function continuedFraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= MAX_STEPS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < EPSILON) break;
  }
  return fraction;
}

/** Returns a divisor that is not 0. */
const away = (value: number): number => (Math.abs(value) < TINY ? TINY : value);

/** Returns the value that `share` (above 0 and below 1) of the distribution is below. */
export const betaQuantile = (share: number, a: number, b: number): number =>
  bisect((x) => betaCdf(x, a, b), share, 0, 1);
