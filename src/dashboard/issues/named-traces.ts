import type { SelectedRows } from '../selection/chosen.ts';

/** Most traces that one text may name. */
const MAX_IDS = 1_000;
const TRACE = /^(?:\S*\/traces\/)?([0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\?\S*)?$/i;
const TEST = /^\S*\/tests\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\?\S*)?$/i;

/** Returns the traces that a text names: by their ids or links, by the link of a test, or by a filter line; null for an empty text. */
export function namedTraces(text: string): SelectedRows | null {
  const words = text
    .trim()
    .split(/[\s,]+/)
    .filter((word) => word !== '');
  if (words.length === 0) return null;
  const ids = words.map((word) => TRACE.exec(word)?.[1]);
  if (ids.every((id) => id !== undefined) && ids.length <= MAX_IDS) return { ids };
  const test = words.length === 1 ? TEST.exec(words[0] ?? '')?.[1] : undefined;
  return { traces: { q: test === undefined ? text.trim() : `test:${test}` } };
}
