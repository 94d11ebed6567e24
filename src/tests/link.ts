import { resolveTestIds, traceTestIds } from '../traces/link.ts';
import { type SkeletonSpan, SpanFlag } from '../traces/span.ts';
import type { TraceTree } from '../traces/tree.ts';

/**
 * Returns the spans of a trace that belong to a test, by the link rule. A native trace event has no ancestor
 * and no app resource: it belongs to the test that it names, else to the primary test of its trace.
 */
export function spansOfTest(spans: readonly SkeletonSpan[], tree: TraceTree, testId: string): SkeletonSpan[] {
  const resolved = resolveTestIds(tree, null);
  const { testId: primary } = traceTestIds(spans, null);
  return spans.filter((span) =>
    span.flags & SpanFlag.traceEvent ? (span.testId ?? primary) === testId : resolved.get(span.id) === testId,
  );
}
