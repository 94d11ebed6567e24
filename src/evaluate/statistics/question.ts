/**
 * Questions that an interval may answer, by what would be drawn again: other tests of the same examples; other examples
 * of the same tasks; or other examples, of other tasks where there are at least five.
 */
export const QUESTIONS = ['THESE_EXAMPLES', 'THESE_TASKS', 'EXAMPLES_LIKE_THESE'] as const;
export type StatisticalQuestion = (typeof QUESTIONS)[number];

/** Units that count as one observation, because their tests are not independent of each other. */
export const CLUSTER_LEVELS = ['TEST', 'EXAMPLE', 'TASK'] as const;
export type ClusterLevel = (typeof CLUSTER_LEVELS)[number];

/** Fewest tasks that say something about tasks like them. */
export const FEWEST_TASKS = 5;

/** Returns what counts as one observation for a question about tests of so many tasks. */
export function clusterLevelOf(question: StatisticalQuestion, tasks: number): ClusterLevel {
  if (question === 'THESE_EXAMPLES') return 'TEST';
  return question === 'EXAMPLES_LIKE_THESE' && tasks >= FEWEST_TASKS ? 'TASK' : 'EXAMPLE';
}

/** Returns the question that tests of so many tasks can answer: two to four say nothing about other tasks. */
export const answeredQuestion = (question: StatisticalQuestion, tasks: number): StatisticalQuestion =>
  question === 'EXAMPLES_LIKE_THESE' && tasks > 1 && tasks < FEWEST_TASKS ? 'THESE_TASKS' : question;
