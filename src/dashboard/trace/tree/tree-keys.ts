import type { Outline } from './outline.ts';

type Move = { select: number } | { toggle: number; isClosed: boolean };

/** Returns what a key does in a tree whose selected row is `selected`; null when it means nothing there. */
export function moveInTree(key: string, outline: Outline, selected: number, page: number): Move | null {
  const place = Math.max(outline.placeOf(Math.max(selected, 0)), 0);
  const to = (wanted: number): Move => ({
    select: outline.row(Math.min(Math.max(wanted, 0), outline.count - 1)),
  });
  const row = outline.row(place);
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return to(place + 1);
    case 'ArrowUp':
    case 'k':
      return to(place - 1);
    case 'PageDown':
      return to(place + page);
    case 'PageUp':
      return to(place - page);
    case 'Home':
      return to(0);
    case 'End':
      return to(outline.count - 1);
    case 'ArrowRight':
      if (!outline.canClose(row)) return to(place);
      return outline.isClosed(row) ? { toggle: row, isClosed: false } : to(place + 1);
    case 'ArrowLeft': {
      if (outline.canClose(row) && !outline.isClosed(row)) return { toggle: row, isClosed: true };
      return to(outline.level(place) === 0 ? place : outline.parentPlace(place));
    }
    case 'Enter':
    case ' ':
      return outline.canClose(row) ? { toggle: row, isClosed: !outline.isClosed(row) } : null;
    default:
      return null;
  }
}
