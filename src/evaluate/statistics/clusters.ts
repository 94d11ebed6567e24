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

/** Returns the sums of `count` clusters of one value each, of which `ones` are 1 and the others 0. */
export const singleValues = (ones: number, count: number): ClusterSums => ({
  clusters: count,
  values: count,
  sum: ones,
  squaredCounts: count,
  products: ones,
  squaredSums: ones,
});

/** Returns the number of clusters of equal size that would be as informative. L. Kish, "Survey Sampling" (1965), section 8.2. */
export const effectiveClusters = ({ values, squaredCounts }: ClusterSums): number =>
  values ** 2 / squaredCounts;
