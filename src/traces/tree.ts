import { type SkeletonSpan, SpanFlag } from './span.ts';

/**
 * Nanoseconds by which a child may start before its parent without a report, because clocks of two machines differ.
 */
const SKEW_TOLERANCE = 1_000_000n;

export interface TreeNode {
  id: string;
  /** Span of the node; null for a placeholder for a parent that is not stored. */
  span: SkeletonSpan | null;
  /** Start time; for a placeholder, that of its earliest child. */
  start: bigint;
  parent: TreeNode | null;
  /** Children in order of start. */
  children: SpanNode[];
  /** Depth of the node; 0 at the top level. */
  depth: number;
  /** True if its parent is not stored, so that it is a child of a placeholder. */
  orphan: boolean;
  /** True if its ancestors formed a loop, which was broken here. */
  cycle: boolean;
  /** True if it starts before its parent, or its times were corrected. */
  skew: boolean;
}

export interface SpanNode extends TreeNode {
  span: SkeletonSpan;
}

export interface TraceTree {
  /** Roots, placeholders and nodes where loops were broken, in order of start. */
  topLevel: TreeNode[];
  /** All nodes, parents before their children. */
  order: TreeNode[];
  byId: Map<string, TreeNode>;
  /** Native `trace` events, which are not part of the tree. */
  traceEvents: SkeletonSpan[];
  /** True if any node has the flag. */
  flags: { orphans: boolean; cycle: boolean; skew: boolean };
}

/** Builds the tree of one trace, which does not depend on the order of `spans`. Their ids are unique. */
export function buildTree(spans: readonly SkeletonSpan[]): TraceTree {
  // Sorted once, so that everything filled from `nodes` below is in order too.
  const nodes = spans
    .filter((span) => !isTraceEvent(span))
    .sort(byStart)
    .map(spanNode);
  const byId = new Map<string, TreeNode>();
  for (const node of nodes) byId.set(node.id, node);

  const topLevel = linkToParents(nodes, byId);
  breakLoops(nodes);
  for (const node of nodes) (node.parent?.children ?? topLevel).push(node);
  topLevel.sort(byStart);

  const order = preOrder(topLevel);
  const flags = { orphans: false, cycle: false, skew: false };
  for (const node of order) {
    node.depth = node.parent === null ? 0 : node.parent.depth + 1;
    node.orphan = node.parent !== null && node.parent.span === null;
    node.skew = isSkewed(node);
    flags.orphans ||= node.orphan;
    flags.cycle ||= node.cycle;
    flags.skew ||= node.skew;
  }
  return { topLevel, order, byId, traceEvents: spans.filter(isTraceEvent), flags };
}

/** Returns the node with that id and its descendants, parents before their children. */
export function subtree(tree: TraceTree, id: string): TreeNode[] {
  const node = tree.byId.get(id);
  return node === undefined ? [] : preOrder([node]);
}

/** Returns the spans level by level from the root, each level in order of start. */
export function breadthFirst(tree: TraceTree): SkeletonSpan[] {
  return levels(tree).toArray().flat();
}

/**
 * Yields the spans level by level, each level in order of start. Placeholders are not a level: an orphan counts as a
 * root, because its ancestors are unknown. Nor are top-level spans for which `isAbove` is true.
 */
export function* levels(
  tree: Pick<TraceTree, 'topLevel'>,
  isAbove: (span: SkeletonSpan) => boolean = () => false,
): Generator<SkeletonSpan[]> {
  let level = tree.topLevel.flatMap((node) =>
    isSpanNode(node) && !isAbove(node.span) ? node : node.children,
  );
  while (level.length > 0) {
    level.sort(byStart);
    yield level.map((node) => node.span);
    level = level.flatMap((node) => node.children);
  }
}

interface Started {
  start: bigint;
  id: string;
}

/** Orders by start; spans with the same start by id. */
export function byStart(a: Started, b: Started): number {
  if (a.start !== b.start) return a.start < b.start ? -1 : 1;
  if (a.id !== b.id) return a.id < b.id ? -1 : 1;
  return 0;
}

function isTraceEvent(span: SkeletonSpan): boolean {
  return (span.flags & SpanFlag.traceEvent) !== 0;
}

function isSpanNode(node: TreeNode): node is SpanNode {
  return node.span !== null;
}

function newNode<Span extends SkeletonSpan | null>(id: string, start: bigint, span: Span) {
  return {
    id,
    span,
    start,
    parent: null,
    children: [],
    depth: 0,
    orphan: false,
    cycle: false,
    skew: false,
  };
}

function spanNode(span: SkeletonSpan): SpanNode {
  return newNode(span.id, span.start, span);
}

/** Sets every `parent` and returns the placeholders that this required. */
function linkToParents(nodes: readonly SpanNode[], byId: Map<string, TreeNode>): TreeNode[] {
  const placeholders: TreeNode[] = [];
  for (const node of nodes) {
    const { parentId } = node.span;
    if (parentId === null) continue;
    let parent = byId.get(parentId);
    if (parent === undefined) {
      parent = newNode(parentId, node.start, null);
      byId.set(parentId, parent);
      placeholders.push(parent);
    }
    node.parent = parent;
  }
  return placeholders;
}

/** Breaks each loop of parents above its earliest node, which becomes a top-level node. */
function breakLoops(nodes: readonly SpanNode[]): void {
  const reachedFrom = new Map<TreeNode, TreeNode>();
  for (const node of nodes) {
    // Every loop contains a node, its earliest, that does not start after its parent. Other such nodes are rare.
    if (node.parent === null || byStart(node.parent, node) < 0) continue;
    let above: TreeNode | null = node;
    while (above !== null && !reachedFrom.has(above)) {
      reachedFrom.set(above, node);
      above = above.parent;
    }
    // A node that is reached twice on the same way up closes a loop.
    if (above === null || reachedFrom.get(above) !== node) continue;
    const first = earliestOnLoop(above);
    first.parent = null;
    first.cycle = true;
  }
}

function earliestOnLoop(node: TreeNode): TreeNode {
  let earliest = node;
  for (let above = node.parent; above !== null && above !== node; above = above.parent) {
    if (byStart(above, earliest) < 0) earliest = above;
  }
  return earliest;
}

function preOrder(tops: readonly TreeNode[]): TreeNode[] {
  const order: TreeNode[] = [];
  const stack = tops.toReversed();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    order.push(node);
    for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i] as SpanNode);
  }
  return order;
}

function isSkewed({ span, start, parent }: TreeNode): boolean {
  if (span === null) return false;
  if ((span.flags & SpanFlag.timeAdjusted) !== 0) return true;
  return parent !== null && parent.start - start > SKEW_TOLERANCE;
}
