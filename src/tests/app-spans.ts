import type { Database } from '../storage/database.ts';
import { orderedJoin } from '../storage/dialect.ts';
import { parseId } from '../traces/ids.ts';
import { findTraceByKey, loadSkeleton } from '../traces/load.ts';
import { type SkeletonSpan, SpanFlag } from '../traces/span.ts';
import { buildTree } from '../traces/tree.ts';
import { spansOfTest } from './link.ts';
import type { AppSpans } from './next-step.ts';
import type { TestInFlight } from './store.ts';

/** Traces of one test that are read; an app that sends more is complete all the same. */
const MAX_TRACES = 100;

/** Summarises what is stored of the app's spans of a test. */
export function appSpans(database: Database, { test }: { test: TestInFlight }): AppSpans {
  const found = { count: 0, hasRoot: false };
  for (const tkey of traceKeys(database, test)) {
    const trace = findTraceByKey(database, tkey);
    if (!trace) continue;
    const spans = loadSkeleton(database, trace.trace);
    const deliveries = new Set(spans.filter(isDelivery).map(({ id }) => id));
    for (const span of spansOfTest(spans, buildTree(spans), test.id)) {
      if (isDelivery(span)) continue;
      found.count += 1;
      found.hasRoot ||= isRoot(span, deliveries);
    }
  }
  return { ...found, lastAt: found.count === 0 ? null : test.lastSpanAt };
}

function traceKeys(database: Database, { application, id }: TestInFlight): number[] {
  return database
    .all<{ tkey: number }>(
      // Traces that were deleted may still have rows in trace_test.
      `SELECT tkey FROM trace_test ${orderedJoin} trace USING (tkey)
       WHERE trace_test.application = :application AND test_id = :testId ORDER BY tkey LIMIT :limit`,
      { application, testId: parseId(id), limit: MAX_TRACES },
    )
    .map(({ tkey }) => tkey);
}

const isDelivery = ({ flags }: SkeletonSpan): boolean => (flags & SpanFlag.delivery) !== 0;

/** A native trace event stands for its whole trace. */
const isRoot = ({ parentId, flags }: SkeletonSpan, deliveries: ReadonlySet<string>): boolean =>
  parentId === null ||
  (flags & (SpanFlag.remoteParent | SpanFlag.traceEvent)) !== 0 ||
  deliveries.has(parentId);
