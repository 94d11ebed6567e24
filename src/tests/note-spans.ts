import type { Database } from '../storage/database.ts';
import { takeTestTouches } from '../traces/test-touches.ts';
import { noteSpans } from './store.ts';

/** Most arrivals that one command records. */
const MAX_TOUCHES = 1_000;

/**
 * Records that spans of tests have arrived; returns whether there may be more. Ignores ids of unknown tests.
 */
export function noteArrivedSpans(database: Database, _args: null): boolean {
  const touches = takeTestTouches(database, MAX_TOUCHES);
  const byTest = Map.groupBy(touches, ({ application, testId }) => `${application} ${testId}`);
  for (const ofTest of byTest.values()) {
    const [first, ...others] = ofTest;
    if (!first) continue;
    noteSpans(database, first, Math.max(first.at, ...others.map(({ at }) => at)));
  }
  return touches.length === MAX_TOUCHES;
}
