import { FAILURES_OF_APP } from './failures.ts';
import type { TestState } from './states.ts';

/** Contribution of a test to pass rates. */
export interface TestCounts {
  countedEvals: number;
  countedPassed: number;
  /** True if the test failed for a reason outside the app. */
  hasError: boolean;
}

/** Counts the evals of a completed test, and a failure of the app as one eval that did not pass. */
export function countsOf(
  { status, failure }: Pick<TestState, 'status' | 'failure'>,
  { finishedEvals, passedEvals }: { finishedEvals: number; passedEvals: number },
): TestCounts {
  if (status === 'COMPLETED')
    return { countedEvals: finishedEvals, countedPassed: passedEvals, hasError: false };
  const isOfApp = failure !== null && FAILURES_OF_APP.has(failure.code);
  return {
    countedEvals: status === 'FAILED' && isOfApp ? 1 : 0,
    countedPassed: 0,
    hasError: status === 'FAILED' && !isOfApp,
  };
}
