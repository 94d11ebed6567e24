import type { ReactNode } from 'react';
import type { FittingColumn } from './fitting-columns.ts';

/** Column of a list. */
export interface TableColumn<Row> extends FittingColumn {
  title: string;
  /** Place on the card that a row is on a phone. Default: by its width. */
  card?: 'title' | 'text' | 'signs' | 'meta' | 'none';
  align?: 'right';
  /** True if the title sorts the list. */
  isSortable?: boolean;
  cell: (row: Row) => ReactNode;
}

/** Returns the column whose text names a row. */
export const namingColumn = <Row>(columns: readonly TableColumn<Row>[]): TableColumn<Row> | undefined =>
  columns.find(({ card }) => card === 'title') ?? columns.find(({ card }) => card === undefined);
