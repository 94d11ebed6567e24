import { type Cluster, type ClusterSums, sumsOf } from '../../src/evaluate/statistics/clusters.ts';

export type Random = () => number;

/** Draws a sample and returns its sums. */
export type Sample = (random: Random) => ClusterSums;

/** Tests of examples: how many examples, how often each is tested, and how often tests pass. */
export interface Design {
  examples: number;
  repeats: number;
  /** Probability that a test of an example passes that was never seen before. */
  rate: number;
  /** Correlation of two tests of the same example, from 0 to below 1. */
  correlation: number;
}

/**
 * Draws how many of an example's tests pass, from Pólya's urn: results change the urn, so that they follow the
 * beta-binomial distribution. N. L. Johnson, S. Kotz, "Urn Models and Their Application" (1977), chapter 4.
 */
export function drawCorrelated(random: Random, { repeats, rate, correlation }: Design): number {
  if (correlation === 0) return drawIndependent(random, repeats, rate);
  const weight = 1 / correlation - 1;
  let passed = 0;
  for (let i = 0; i < repeats; i++) if (random() * (weight + i) < rate * weight + passed) passed += 1;
  return passed;
}

function drawIndependent(random: Random, count: number, chance: number): number {
  let passed = 0;
  for (let i = 0; i < count; i++) if (random() < chance) passed += 1;
  return passed;
}

/** Returns samples of the rate whose examples are more or less difficult. */
export const rates =
  (design: Design): Sample =>
  (random) => {
    const clusters: Cluster[] = [];
    for (let i = 0; i < design.examples; i++)
      clusters.push({ sum: drawCorrelated(random, design), count: design.repeats });
    return sumsOf(clusters);
  };

/** Returns samples of the rate when a share `broken` of the examples never passes, and the others are alike. */
export const ratesWithBroken =
  ({ examples, repeats, rate, broken }: Omit<Design, 'correlation'> & { broken: number }): Sample =>
  (random) => {
    const clusters: Cluster[] = [];
    for (let i = 0; i < examples; i++)
      clusters.push({
        sum: random() < broken ? 0 : drawIndependent(random, repeats, rate / (1 - broken)),
        count: repeats,
      });
    return sumsOf(clusters);
  };
