import { bisect } from './bisect.ts';

/**
 * Computes the share of Student's t distribution with `freedom` (1, 2, 3 …) degrees of freedom below `t`. M.
 * Abramowitz, I. A. Stegun, "Handbook of Mathematical Functions" (1964), 26.7.3 and 26.7.4.
 */
export function studentCdf(t: number, freedom: number): number {
  const angle = Math.atan(t / Math.sqrt(freedom));
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  const isOdd = freedom % 2 === 1;
  let term = isOdd ? cosine : 1;
  let sum = freedom === 1 ? 0 : term;
  for (let i = isOdd ? 3 : 2; i < freedom; i += 2) {
    term *= (cosine * cosine * (i - 1)) / i;
    sum += term;
  }
  const within = isOdd ? (2 / Math.PI) * (angle + sine * sum) : sine * sum;
  return (1 + within) / 2;
}

/** Returns the value that `share` (above 0 and below 1) of the distribution is below. */
export const studentQuantile = (share: number, freedom: number): number =>
  bisect((t) => studentCdf(t, freedom), share, -1e6, 1e6);
