import type { SkeletonSpan } from './span.ts';
import { byStart, type TraceTree, type TreeNode } from './tree.ts';

export interface TraceTestIds {
  /** Primary test id of the trace, used where only one is possible. */
  testId: string | null;
  /** All test ids: the primary one first, the others in order of appearance. */
  testIds: string[];
}

/**
 * Returns every test id that the spans or their resources carry, or the test's delivery carried. The primary one is
 * that of the earliest span with any, its own before its resource's.
 */
export function traceTestIds(spans: readonly SkeletonSpan[], deliveredTestId: string | null): TraceTestIds {
  const carriers = spans.filter((span) => span.testId !== null || span.resourceTestId !== null).sort(byStart);
  const seen = new Set<string | null>();
  for (const span of carriers) seen.add(span.testId).add(span.resourceTestId);
  seen.add(deliveredTestId);
  const testIds = [...seen].filter((id) => id !== null);
  return { testId: testIds[0] ?? null, testIds };
}

/**
 * Resolves the test of each span of a trace, by span id (the link rule): its own test id, that of its nearest
 * ancestor, that of its resource, else the trace's primary one. Spans without a test are absent.
 */
export function resolveTestIds(tree: TraceTree, deliveredTestId: string | null): Map<string, string> {
  const spans = tree.order.flatMap(({ span }) => span ?? []);
  const { testId: primary } = traceTestIds([...spans, ...tree.traceEvents], deliveredTestId);

  const resolved = new Map<string, string>();
  if (primary === null) return resolved;
  const inherited = new Map<TreeNode | null, string>();
  for (const node of tree.order) {
    if (node.span === null) continue;
    const own = node.span.testId ?? inherited.get(node.parent);
    if (own !== undefined) inherited.set(node, own);
    resolved.set(node.id, own ?? node.span.resourceTestId ?? primary);
  }
  return resolved;
}
