import type { Database } from '../storage/database.ts';
import { type DeleteHooks, deleteTrace } from '../traces/delete.ts';
import { parseId } from '../traces/ids.ts';
import { takeTestTouches } from '../traces/test-touches.ts';
import { tracesOfTest } from '../traces/traces-of-test.ts';
import { isErased, noteSpans, type TestKey } from './store.ts';

/** Most arrivals that one command records. */
const MAX_TOUCHES = 1_000;

/**
 * Records that spans of tests have arrived; returns whether there may be more. Ignores ids of unknown tests, and deletes
 * the traces of tests whose text was erased, because their spans repeat it.
 */
export function noteArrivedSpans(database: Database, _args: null, hooks: DeleteHooks): boolean {
  const touches = takeTestTouches(database, MAX_TOUCHES);
  const byTest = Map.groupBy(touches, ({ application, testId }) => `${application} ${testId}`);
  for (const ofTest of byTest.values()) {
    const [first, ...others] = ofTest;
    if (!first) continue;
    const at = Math.max(first.at, ...others.map((touch) => touch.at));
    if (isErased(database, first)) deleteTraces(database, { ...first, at }, hooks);
    else noteSpans(database, first, at);
  }
  return touches.length === MAX_TOUCHES;
}

function deleteTraces(
  database: Database,
  { application, testId, at }: TestKey & { at: number },
  hooks: DeleteHooks,
): void {
  const traces = database.all<{ traceId: Buffer }>(
    `SELECT trace_id AS "traceId" FROM ${tracesOfTest()} LIMIT ${MAX_TOUCHES}`,
    { application, testId: parseId(testId) },
  );
  for (const { traceId } of traces) deleteTrace(database, { application, traceIds: [traceId], at }, hooks);
}
