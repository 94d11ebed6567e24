/** Sum and number of values that belong together, because they are not independent of each other. */
export interface Cluster {
  sum: number;
  /** Number of values, at least 1. */
  count: number;
}

/** Sums over clusters, from which the interval of the mean of their values follows. */
export interface ClusterSums {
  clusters: number;
  /** Σ count: the number of values. */
  values: number;
  /** Σ sum. */
  sum: number;
  /** Σ count². */
  squaredCounts: number;
  /** Σ sum · count. */
  products: number;
  /** Σ sum². */
  squaredSums: number;
}

export function sumsOf(clusters: readonly Cluster[]): ClusterSums {
  const sums = {
    clusters: clusters.length,
    values: 0,
    sum: 0,
    squaredCounts: 0,
    products: 0,
    squaredSums: 0,
  };
  for (const { sum, count } of clusters) {
    sums.values += count;
    sums.sum += sum;
    sums.squaredCounts += count * count;
    sums.products += sum * count;
    sums.squaredSums += sum * sum;
  }
  return sums;
}

/** Returns the sums over the clusters of all of these together (at least one). */
export const addedSums = (all: readonly ClusterSums[]): ClusterSums =>
  all.reduce((a, b) => ({
    clusters: a.clusters + b.clusters,
    values: a.values + b.values,
    sum: a.sum + b.sum,
    squaredCounts: a.squaredCounts + b.squaredCounts,
    products: a.products + b.products,
    squaredSums: a.squaredSums + b.squaredSums,
  }));

/** Returns the sums when all values from 0 to 1 are taken from 1. */
export const complementOf = (sums: ClusterSums): ClusterSums => ({
  ...sums,
  sum: sums.values - sums.sum,
  products: sums.squaredCounts - sums.products,
  squaredSums: sums.squaredCounts - 2 * sums.products + sums.squaredSums,
});

/** Returns the sums when each value has a weight that all of them together have the weight 1. */
export const weighingOne = (sums: ClusterSums): ClusterSums => ({
  clusters: sums.clusters,
  values: 1,
  sum: sums.sum / sums.values,
  squaredCounts: sums.squaredCounts / sums.values ** 2,
  products: sums.products / sums.values ** 2,
  squaredSums: sums.squaredSums / sums.values ** 2,
});

/** Returns the number of clusters of equal size that would be as informative. L. Kish, "Survey Sampling" (1965), section 8.2. */
export const effectiveClusters = ({ values, squaredCounts }: ClusterSums): number =>
  values ** 2 / squaredCounts;

/** Tests of examples: how many examples, how often each is tested, and the correlation of two tests of one example, 0 to 1. */
export interface Design {
  examples: number;
  repeats: number;
  correlation: number;
}

/**
 * Returns how many independent tests are as informative: the number of tests divided by the design effect. L. Kish, "Survey
 * Sampling" (1965), section 5.4.
 */
export const effectiveTests = ({ examples, repeats, correlation }: Design): number =>
  (examples * repeats) / designEffect({ repeats, correlation });

const designEffect = ({ repeats, correlation }: Omit<Design, 'examples'>): number =>
  1 + (repeats - 1) * correlation;

/** Returns the sums to expect over examples, each a cluster of tests that pass or not, when a share of 0 to 1 passes. */
export function expectedSums(design: Design, share: number): ClusterSums {
  const { examples, repeats } = design;
  const passed = repeats * share;
  const variance = passed * (1 - share) * designEffect(design);
  return {
    clusters: examples,
    values: examples * repeats,
    sum: examples * passed,
    squaredCounts: examples * repeats ** 2,
    products: examples * repeats * passed,
    squaredSums: examples * (variance + passed ** 2),
  };
}
