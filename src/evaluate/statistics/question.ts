/**
 * Questions that an interval may answer, by what would be drawn again: other tests of the same examples; other examples
 * of the same tasks; or other examples, of other tasks where there are several.
 */
export const QUESTIONS = ['THESE_EXAMPLES', 'THESE_TASKS', 'EXAMPLES_LIKE_THESE'] as const;
export type StatisticalQuestion = (typeof QUESTIONS)[number];

/** Units that count as one observation, because their tests are not independent of each other. */
export const CLUSTER_LEVELS = ['TEST', 'EXAMPLE', 'TASK'] as const;
export type ClusterLevel = (typeof CLUSTER_LEVELS)[number];

/** Returns what counts as one observation for a question about tests of so many tasks. */
export function clusterLevelOf(question: StatisticalQuestion, tasks: number): ClusterLevel {
  if (question === 'THESE_EXAMPLES') return 'TEST';
  return question === 'EXAMPLES_LIKE_THESE' && tasks > 1 ? 'TASK' : 'EXAMPLE';
}
