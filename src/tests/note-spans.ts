import type { Database } from '../storage/database.ts';
import { takeTestTouches } from '../traces/test-touches.ts';
import { noteSpans } from './store.ts';

/** Touches that one command takes note of. */
const MAX_TOUCHES = 1_000;

/** Takes note of spans of tests that have arrived; returns whether there may be more. Ids that are no test are dropped. */
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
