import { type Cluster, sumsOf } from '../../src/evaluate/statistics/clusters.ts';
import { drawCorrelated, type Design, type Sample } from './samples.ts';

/**
 * Returns samples of the difference when tasks have many examples, each tested once on each side: each task gets better or
 * worse by chance, and none on average. `examples` is the number of tasks, `repeats` that of their examples.
 */
export const noDifferenceOfTasks =
  (design: Design): Sample =>
  (random) => {
    const clusters: Cluster[] = [];
    for (let i = 0; i < design.examples; i++) {
      const gained = drawCorrelated(random, design) - drawCorrelated(random, design);
      clusters.push({ sum: (design.repeats + gained) / 2, count: design.repeats });
    }
    return sumsOf(clusters);
  };
