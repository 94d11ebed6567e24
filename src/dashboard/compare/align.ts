import type { SpanIndex } from '../../span-index/reader.ts';

/** Two spans that correspond to each other, or one that has no counterpart: its other row is -1. */
export interface SpanPair {
  a: number;
  b: number;
  level: number;
  /** Place after the last pair below this one. */
  end: number;
  /** True if this pair and all below it are the same steps with the same outcome and the same usage. */
  isEqual: boolean;
}

/** Pairs of rows that the longest common subsequence looks at; longer lists are aligned in order. */
const MAX_CELLS = 4_000_000;
/** Pairs at most: of larger traces, the first ones are compared. */
export const MAX_PAIRS = 50_000;

/** Aligns two traces level by level: siblings of the same kind and name correspond, in the order in which they ran. */
export function align(a: SpanIndex, b: SpanIndex): SpanPair[] {
  const pairs: SpanPair[] = [];
  const walk = (rowsA: readonly number[], rowsB: readonly number[], level: number): boolean => {
    let areEqual = true;
    for (const [rowA, rowB] of match(a, b, rowsA, rowsB)) {
      if (pairs.length >= MAX_PAIRS) return false;
      const pair: SpanPair = { a: rowA, b: rowB, level, end: 0, isEqual: false };
      pairs.push(pair);
      const below = walk(
        rowA === -1 ? [] : childrenOf(a, rowA),
        rowB === -1 ? [] : childrenOf(b, rowB),
        level + 1,
      );
      pair.end = pairs.length;
      pair.isEqual = below && rowA !== -1 && rowB !== -1 && isAlike(a, rowA, b, rowB);
      areEqual &&= pair.isEqual;
    }
    return areEqual;
  };
  walk(childrenOf(a, -1), childrenOf(b, -1), 0);
  return pairs;
}

function childrenOf(index: SpanIndex, row: number): number[] {
  const children: number[] = [];
  const end = row === -1 ? index.rows : index.subtreeEnd(row);
  for (let child = row + 1; child < end; child = index.subtreeEnd(child)) children.push(child);
  return children;
}

const keyOf = (index: SpanIndex, row: number): string => `${index.kind(row)}\n${index.name(row)}`;

function isAlike(a: SpanIndex, rowA: number, b: SpanIndex, rowB: number): boolean {
  return (
    a.has(rowA, 'error') === b.has(rowB, 'error') &&
    a.model(rowA) === b.model(rowB) &&
    a.tokens(rowA) === b.tokens(rowB)
  );
}

/** Matches siblings by their longest common subsequence. Returns all of both, in an order that keeps that of each. */
function match(
  a: SpanIndex,
  b: SpanIndex,
  rowsA: readonly number[],
  rowsB: readonly number[],
): [number, number][] {
  const keysA = rowsA.map((row) => keyOf(a, row));
  const keysB = rowsB.map((row) => keyOf(b, row));
  const common =
    rowsA.length * rowsB.length > MAX_CELLS ? commonInOrder(keysA, keysB) : longestCommon(keysA, keysB);
  const result: [number, number][] = [];
  let [atA, atB] = [0, 0];
  for (const [nextA, nextB] of [...common, [rowsA.length, rowsB.length] as const]) {
    while (atA < nextA) result.push([rowsA[atA++] as number, -1]);
    while (atB < nextB) result.push([-1, rowsB[atB++] as number]);
    if (atA < rowsA.length && atB < rowsB.length)
      result.push([rowsA[atA++] as number, rowsB[atB++] as number]);
  }
  return result;
}

type Places = (readonly [atA: number, atB: number])[];

function longestCommon(keysA: readonly string[], keysB: readonly string[]): Places {
  const width = keysB.length + 1;
  /** Length of the longest common subsequence of what follows each pair of places. */
  const lengths = new Uint32Array((keysA.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] as number;
  for (let i = keysA.length - 1; i >= 0; i--) {
    for (let j = keysB.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        keysA[i] === keysB[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  }
  const found: Places = [];
  let [i, j] = [0, 0];
  while (i < keysA.length && j < keysB.length) {
    if (keysA[i] === keysB[j]) found.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return found;
}

/** Matches each key with its next occurrence in the other list: not the longest result, but in linear time. */
function commonInOrder(keysA: readonly string[], keysB: readonly string[]): Places {
  const places = new Map<string, number[]>();
  for (let at = keysB.length - 1; at >= 0; at--) {
    const key = keysB[at] as string;
    const list = places.get(key);
    if (list) list.push(at);
    else places.set(key, [at]);
  }
  const found: Places = [];
  let after = -1;
  for (const [at, key] of keysA.entries()) {
    const next = takeAfter(places.get(key) ?? [], after);
    if (next === undefined) continue;
    found.push([at, next]);
    after = next;
  }
  return found;
}

/** Takes the next place after `after` from a descending list. */
function takeAfter(places: number[], after: number): number | undefined {
  let next = places.pop();
  while (next !== undefined && next <= after) next = places.pop();
  return next;
}
