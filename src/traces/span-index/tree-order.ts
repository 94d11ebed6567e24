import type { SpanColumns } from './columns.ts';
import { RowOfId } from './row-of-id.ts';
import { sortByTime } from './sort-by-start.ts';

/** Clocks of two machines differ: see `tree.ts`, whose tree this is. */
const SKEW_TOLERANCE_NS = 1_000_000;

/**
 * The tree of a trace in arrays. Nodes 0 to `spans.length` - 1 are spans in the order of their start; the nodes after them are
 * placeholders for parents that are not stored.
 */
export interface TreeOrder {
  /** Node → entry of the columns. */
  spans: Uint32Array;
  /** Node of a placeholder, from `spans.length` on → entry of its earliest child. */
  placeholders: number[];
  /** Node → node of its parent; -1 = top level. */
  parent: Int32Array;
  /** Contains 1 for each node above which a loop of parents was broken. */
  isBroken: Uint8Array;
  /** Every node, a parent before its children. */
  order: Uint32Array;
  /** Node → depth. */
  depth: Uint32Array;
  maxDepth: number;
}

/** Makes the tree of some entries; no two of them have the same id. The same for any order of `entries`. */
export function orderTree(columns: SpanColumns, entries: Uint32Array): TreeOrder {
  const spans = inOrderOfStart(columns, entries);
  const { parent, placeholders } = linkToParents(columns, spans);
  const isBroken = breakLoops(parent, spans.length);
  const topLevel = topLevelNodes(columns, spans, placeholders, parent);
  return { spans, placeholders, parent, isBroken, ...preOrder(parent, topLevel) };
}

/** Reports whether a node starts earlier than its parent by more than clocks differ. */
export function startsBeforeParent(
  columns: SpanColumns,
  { spans, parent }: TreeOrder,
  node: number,
): boolean {
  const above = parent[node] as number;
  // A placeholder starts with its earliest child.
  if (above < 0 || above >= spans.length) return false;
  const [entry, entryAbove] = [spans[node] as number, spans[above] as number];
  return nanosecondsBetween(columns, entry, entryAbove) > SKEW_TOLERANCE_NS;
}

/** Returns the time from the start of one entry to that of another; exact up to 104 days. */
function nanosecondsBetween({ startHigh, startLow }: SpanColumns, from: number, to: number): number {
  const high = (startHigh[to] as number) - (startHigh[from] as number);
  return high * 2 ** 32 + ((startLow[to] as number) - (startLow[from] as number));
}

function inOrderOfStart(columns: SpanColumns, entries: Uint32Array): Uint32Array {
  const { startHigh, startLow } = columns;
  const sorted = sortByTime(entries, startHigh, startLow);
  for (let from = 0; from < sorted.length; ) {
    const first = sorted[from] as number;
    let end = from + 1;
    while (end < sorted.length && isSameStart(columns, first, sorted[end] as number)) end++;
    if (end - from > 1) sorted.subarray(from, end).sort((a, b) => compareIds(columns, a, b));
    from = end;
  }
  return sorted;
}

const isSameStart = ({ startHigh, startLow }: SpanColumns, a: number, b: number): boolean =>
  startHigh[a] === startHigh[b] && startLow[a] === startLow[b];

const compareIds = ({ idHigh, idLow }: SpanColumns, a: number, b: number): number =>
  (idHigh[a] as number) - (idHigh[b] as number) || (idLow[a] as number) - (idLow[b] as number);

/** Finds the parent of each span, or makes a placeholder for it. */
function linkToParents(
  columns: SpanColumns,
  spans: Uint32Array,
): { parent: Int32Array; placeholders: number[] } {
  const { parentHigh, parentLow } = columns;
  const nodeOf = new Int32Array(columns.count);
  const byId = new RowOfId(columns.idHigh, columns.idLow, spans.length);
  for (let node = 0; node < spans.length; node++) {
    const entry = spans[node] as number;
    nodeOf[entry] = node;
    byId.add(entry);
  }
  const parentOfSpan = new Int32Array(spans.length).fill(-1);
  const placeholders: number[] = [];
  let missing: RowOfId | null = null;
  const placeholderOf = new Map<number, number>();
  for (let node = 0; node < spans.length; node++) {
    const entry = spans[node] as number;
    const [high, low] = [parentHigh[entry] as number, parentLow[entry] as number];
    if (high === 0 && low === 0) continue;
    const found = byId.find(high, low);
    if (found >= 0) {
      parentOfSpan[node] = nodeOf[found] as number;
      continue;
    }
    missing ??= new RowOfId(parentHigh, parentLow, spans.length);
    const sibling = missing.add(entry);
    if (sibling < 0) {
      placeholderOf.set(entry, spans.length + placeholders.length);
      placeholders.push(entry);
    }
    parentOfSpan[node] = placeholderOf.get(sibling < 0 ? entry : sibling) as number;
  }
  const parent = new Int32Array(spans.length + placeholders.length).fill(-1);
  parent.set(parentOfSpan);
  return { parent, placeholders };
}

/** Breaks each loop of parents above its earliest span, and returns these spans. */
function breakLoops(parent: Int32Array, spans: number): Uint8Array {
  const isBroken = new Uint8Array(parent.length);
  /** Node → 1 + the node from which it was reached on the way up. */
  let reachedFrom: Uint32Array | null = null;
  for (let node = 0; node < spans; node++) {
    const above = parent[node] as number;
    // Every loop contains a span, its earliest, whose parent does not start before it. Elsewhere that is rare.
    if (above < node || above >= spans) continue;
    reachedFrom ??= new Uint32Array(parent.length);
    let at = node;
    while (at >= 0 && reachedFrom[at] === 0) {
      reachedFrom[at] = node + 1;
      at = parent[at] as number;
    }
    // A node that is reached twice on the same way up closes a loop.
    if (at < 0 || reachedFrom[at] !== node + 1) continue;
    let earliest = at;
    for (let next = parent[at] as number; next !== at; next = parent[next] as number)
      earliest = Math.min(earliest, next);
    parent[earliest] = -1;
    isBroken[earliest] = 1;
  }
  return isBroken;
}

/** Returns roots, broken loops and placeholders, in order of start, then of id. */
function topLevelNodes(
  columns: SpanColumns,
  spans: Uint32Array,
  placeholders: readonly number[],
  parent: Int32Array,
): Uint32Array {
  const { idHigh, idLow, parentHigh, parentLow } = columns;
  const isPlaceholder = (node: number): boolean => node >= spans.length;
  // A placeholder starts with its earliest child, of which the columns also have its id.
  const entryOf = (node: number): number =>
    isPlaceholder(node) ? (placeholders[node - spans.length] as number) : (spans[node] as number);
  const highOf = (node: number): number =>
    (isPlaceholder(node) ? parentHigh : idHigh)[entryOf(node)] as number;
  const lowOf = (node: number): number => (isPlaceholder(node) ? parentLow : idLow)[entryOf(node)] as number;
  const compare = (a: number, b: number): number =>
    compareStarts(columns, entryOf(a), entryOf(b)) || highOf(a) - highOf(b) || lowOf(a) - lowOf(b);

  const nodes: number[] = [];
  for (let node = 0; node < parent.length; node++) if (parent[node] === -1) nodes.push(node);
  return placeholders.length === 0 ? Uint32Array.from(nodes) : Uint32Array.from(nodes.sort(compare));
}

const compareStarts = ({ startHigh, startLow }: SpanColumns, a: number, b: number): number =>
  (startHigh[a] as number) - (startHigh[b] as number) || (startLow[a] as number) - (startLow[b] as number);

function preOrder(
  parent: Int32Array,
  topLevel: Uint32Array,
): Pick<TreeOrder, 'order' | 'depth' | 'maxDepth'> {
  const nodes = parent.length;
  // Lists of children, each in the order of start: filled from the end.
  const firstChild = new Int32Array(nodes).fill(-1);
  const nextSibling = new Int32Array(nodes).fill(-1);
  for (let node = nodes - 1; node >= 0; node--) {
    const above = parent[node] as number;
    if (above < 0) continue;
    nextSibling[node] = firstChild[above] as number;
    firstChild[above] = node;
  }
  const order = new Uint32Array(nodes);
  const depth = new Uint32Array(nodes);
  let [rows, maxDepth] = [0, 0];
  for (const top of topLevel) {
    let level = 0;
    for (let node = top; node >= 0; ) {
      order[rows++] = node;
      depth[node] = level;
      if (level > maxDepth) maxDepth = level;
      let next = firstChild[node] as number;
      if (next >= 0) level += 1;
      else {
        while (node !== top && (nextSibling[node] as number) < 0) {
          node = parent[node] as number;
          level -= 1;
        }
        next = node === top ? -1 : (nextSibling[node] as number);
      }
      node = next;
    }
  }
  return { order, depth, maxDepth };
}
