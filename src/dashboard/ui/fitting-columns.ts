import { type RefObject, useLayoutEffect, useState } from 'react';

/** Facts that decide whether a column is shown in a narrow table. */
export interface FittingColumn {
  id: string;
  /** Classes of width; the cells of a column without one share the rest. */
  width?: string;
  /** Columns with a higher number leave a narrow table first. Default: their place, for columns of fixed width. */
  priority?: number;
}

/** Least width of a column of text, in pixels. */
const LEAST_TEXT = 220;
/** Width of the boxes that select rows. */
const BOX = 36;

const fixedWidth = ({ width = '' }: FittingColumn): number | undefined => {
  const [, pixels] = /\bw-\[(\d+)px\]/.exec(width) ?? [];
  return pixels === undefined ? undefined : Number(pixels);
};

/**
 * Returns the columns that fit: while those of text would be narrower than they may be, the one with the highest priority leaves.
 * The first column, those of text and that of actions stay.
 */
export function fittingColumns<Column extends FittingColumn>(
  columns: readonly Column[],
  available: number,
): readonly Column[] {
  const priorities = new Map(
    columns.map((column, at) => {
      const stays = at === 0 || column.id === 'actions';
      const usual = stays || fixedWidth(column) === undefined ? Number.NEGATIVE_INFINITY : at;
      return [column, column.priority ?? usual] as const;
    }),
  );
  let shown = columns;
  while (shown.length > 1) {
    const texts = shown.filter((column) => fixedWidth(column) === undefined).length;
    const fixed = shown.reduce((sum, column) => sum + (fixedWidth(column) ?? 0), 0);
    if (available - fixed >= texts * LEAST_TEXT) return shown;
    const priorityOf = (column: Column): number => priorities.get(column) ?? Number.NEGATIVE_INFINITY;
    const leaving = shown.reduce((a, b) => (priorityOf(b) > priorityOf(a) ? b : a));
    if (priorityOf(leaving) === Number.NEGATIVE_INFINITY) return shown;
    shown = shown.filter((column) => column !== leaving);
  }
  return shown;
}

/** Returns those of the columns that fit into an element, and again whenever its width changes. */
export function useFittingColumns<Column extends FittingColumn>(
  element: RefObject<HTMLElement | null>,
  columns: readonly Column[],
  isSelectable: boolean,
): readonly Column[] {
  const [width, setWidth] = useState(() => innerWidth);
  useLayoutEffect(() => {
    if (element.current === null) return undefined;
    const measured = element.current;
    setWidth(measured.clientWidth);
    const observer = new ResizeObserver(() => setWidth(measured.clientWidth));
    observer.observe(measured);
    return () => observer.disconnect();
  }, [element]);
  return fittingColumns(columns, width - (isSelectable ? BOX : 0));
}
