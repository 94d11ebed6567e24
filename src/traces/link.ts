import type { SkeletonSpan } from './span.ts';
import { byStart, type TraceTree, type TreeNode } from './tree.ts';

export interface TraceTestIds {
  /** The primary one, by which the trace goes when it must have just one. */
  testId: string | null;
  /** All of them: the primary first, then as they first appear. */
  testIds: string[];
}

/**
 * Every test id that the spans carry, be it their own or their resource's, or that the test's delivery carried.
 * The primary one is that of the earliest-starting span that has any: its own before its resource's.
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
 * The link rule. Which test each span of a trace belongs to, by span id: its own, its nearest ancestor's, its
 * resource's, else the trace's primary one. Spans that belong to none are left out.
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
