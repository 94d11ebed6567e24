import type { Database } from '../storage/database.ts';
import { orderedJoin } from '../storage/dialect.ts';
import { parseId } from '../traces/ids.ts';
import { findTraceByKey, loadSkeleton } from '../traces/load.ts';
import { type SkeletonSpan, SpanFlag } from '../traces/span.ts';
import { buildTree } from '../traces/tree.ts';
import { isTraceOfTestDeleted } from './deleted-traces.ts';
import { spansOfTest } from './link.ts';
import type { AppSpans } from './next-step.ts';
import type { TestInFlight } from './store.ts';

/** Most traces that are read for one test; further ones don't keep a test from completing. */
const MAX_TRACES = 100;

/** Summarises the stored app spans of a test. */
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
  const isDeleted = isTraceOfTestDeleted(database, { application: test.application, testId: test.id });
  return { ...found, isDeleted, lastAt: found.count === 0 ? null : test.lastSpanAt };
}

function traceKeys(database: Database, { application, id }: TestInFlight): number[] {
  return database
    .all<{ tkey: number }>(
      // Rows of trace_test may refer to deleted traces.
      `SELECT tkey FROM trace_test ${orderedJoin} trace USING (tkey)
       WHERE trace_test.application = :application AND test_id = :testId ORDER BY tkey LIMIT :limit`,
      { application, testId: parseId(id), limit: MAX_TRACES },
    )
    .map(({ tkey }) => tkey);
}

const isDelivery = ({ flags }: SkeletonSpan): boolean => (flags & SpanFlag.delivery) !== 0;

/** A native trace event represents its entire trace. */
const isRoot = ({ parentId, flags }: SkeletonSpan, deliveries: ReadonlySet<string>): boolean =>
  parentId === null ||
  (flags & (SpanFlag.remoteParent | SpanFlag.traceEvent)) !== 0 ||
  deliveries.has(parentId);
