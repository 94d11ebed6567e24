import type { Database } from '../storage/sqlite/database.ts';
import { resolveTestIds } from '../traces/link.ts';
import { findTraceByKey, loadSkeleton } from '../traces/load.ts';
import { parseId } from '../traces/ids.ts';
import { type SkeletonSpan, SpanFlag } from '../traces/span.ts';
import { buildTree } from '../traces/tree.ts';
import type { LivingTest } from './test-store.ts';
import type { TestSpans } from './test-state.ts';

/** Traces of one test that are looked into; an app that sends more is complete all the same. */
const MAX_TRACES = 100;

/** What is stored of the app's spans of a test. */
export function testSpans(database: Database, { test }: { test: LivingTest }): TestSpans {
  const found = { count: 0, hasRoot: false };
  for (const tkey of traceKeys(database, test)) {
    const trace = findTraceByKey(database, tkey);
    if (!trace) continue;
    const spans = loadSkeleton(database, trace.trace);
    const deliveries = new Set(spans.filter(isDelivery).map(({ id }) => id));
    const tests = resolveTestIds(buildTree(spans), null);
    for (const span of spans) {
      // A native trace event is no part of the tree, and speaks for the whole trace.
      const isEvent = (span.flags & SpanFlag.traceEvent) !== 0;
      const testId = isEvent ? span.testId : tests.get(span.id);
      if (isDelivery(span) || testId !== test.id) continue;
      found.count += 1;
      found.hasRoot ||= isEvent || isRoot(span, deliveries);
    }
  }
  return { ...found, lastAt: found.count === 0 ? null : test.lastSpanAt };
}

function traceKeys(database: Database, { application, id }: LivingTest): number[] {
  return database
    .all<{ tkey: number }>(
      // Traces that were deleted may still have rows in trace_test.
      `SELECT tkey FROM trace_test CROSS JOIN trace USING (tkey)
       WHERE trace_test.application = ? AND test_id = ? ORDER BY tkey LIMIT ?`,
      application,
      parseId(id),
      MAX_TRACES,
    )
    .map(({ tkey }) => tkey);
}

function isDelivery({ flags }: SkeletonSpan): boolean {
  return (flags & SpanFlag.delivery) !== 0;
}

function isRoot({ parentId, flags }: SkeletonSpan, deliveries: ReadonlySet<string>): boolean {
  return parentId === null || (flags & SpanFlag.remoteParent) !== 0 || deliveries.has(parentId);
}
