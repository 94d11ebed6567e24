import type { ShownResult } from './result-types.ts';

/** A line of the grid: the head of a group, or a row. */
export type GridItem =
  | { kind: 'group'; key: string; title: string; outcome: string; top: number }
  | { kind: 'row'; place: number; top: number };

interface Layout {
  total: number;
  rowAt: (place: number) => ShownResult | undefined;
  isGrouped: boolean;
  /** Keys of the groups whose rows are hidden. */
  closed: ReadonlySet<string>;
  rowHeight: number;
  groupHeight: number;
}

const NAMES: Readonly<Record<string, string>> = {
  PASSED: 'Passed',
  RUNNING: 'Running',
};

/** Returns the group of a row: that of the server, else its cause, or its outcome where it has none. */
export function groupOf(row: ShownResult): { key: string; title: string; outcome: string } {
  if (row.group) return { key: row.group.key, title: row.group.title, outcome: '' };
  const side = row.sides.at(-1);
  const outcome = side?.outcome ?? '';
  const { key, title } = side?.cause ?? { key: outcome, title: NAMES[outcome] ?? outcome };
  return { key, title, outcome };
}

/** Places rows and heads of groups below each other. Rows that are not loaded have no head of their own. */
export function gridItems({ total, rowAt, isGrouped, closed, rowHeight, groupHeight }: Layout): {
  items: GridItem[];
  height: number;
} {
  const items: GridItem[] = [];
  let top = 0;
  let group: string | null = null;
  for (let place = 0; place < total; place += 1) {
    const row = isGrouped ? rowAt(place) : undefined;
    if (row !== undefined) {
      const next = groupOf(row);
      if (next.key !== group) {
        items.push({ kind: 'group', ...next, top });
        top += groupHeight;
        group = next.key;
      }
    }
    if (group !== null && closed.has(group)) continue;
    items.push({ kind: 'row', place, top });
    top += rowHeight;
  }
  return { items, height: top };
}

/** Returns the items between two heights, by binary search. */
export function itemsBetween(items: readonly GridItem[], from: number, to: number): readonly GridItem[] {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((items[middle] as GridItem).top < from) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (end < items.length && (items[end] as GridItem).top <= to) end += 1;
  return items.slice(Math.max(0, low - 1), end);
}
