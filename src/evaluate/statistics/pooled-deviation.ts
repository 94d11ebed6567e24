import { settled } from './settled.ts';

/**
 * The standard deviation within groups, pooled over those that have two values or more: the root of the sum of squared
 * distances from the mean of the own group, by the degrees of freedom (values less groups). Null without such a group.
 * NIST/SEMATECH e-Handbook of Statistical Methods, section 7.4.3.3 ("error mean square" of the one-way analysis of variance).
 */
export function pooledDeviation(groups: Iterable<readonly number[]>): number | null {
  let [squares, freedom] = [0, 0];
  for (const values of groups) {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    for (const value of values) squares += (value - mean) ** 2;
    freedom += Math.max(values.length - 1, 0);
  }
  return freedom === 0 ? null : settled(Math.sqrt(squares / freedom));
}
