import type { ReactNode } from 'react';
import { formatMoment } from '../format/time.ts';
import { classNames } from './class-names.ts';
import type { TableColumn } from './table-column.ts';

/** Stands for a value that does not exist. */
export const DASH = <span className="text-dim">–</span>;

/** Shows a moment briefly; the pointer reveals all of it. */
export const Moment = ({ at }: { at: string }): ReactNode => (
  <time dateTime={at} title={at} className="text-dim">
    {formatMoment(at)}
  </time>
);

/** Makes a column of moments. */
export const momentColumn = <Name extends string>(
  id: Name,
  title: string,
  { isSortable = false } = {},
): TableColumn<Readonly<Record<Name, string | null>>> => ({
  id,
  title,
  width: 'w-[112px]',
  isSortable,
  cell: ({ [id]: at }) => (at === null ? DASH : <Moment at={at} />),
});

interface RowActionProps {
  isDanger?: boolean;
  /** Name of the row, for screen readers. */
  of: string;
  onClick: () => void;
  children: ReactNode;
}

/** Does something with one row of a table. */
export const RowAction = ({ isDanger = false, of, onClick, children }: RowActionProps): ReactNode => (
  <button
    type="button"
    className={classNames('cursor-pointer hover:underline', isDanger ? 'text-fail' : 'text-accent')}
    onClick={onClick}
  >
    {children}
    <span className="sr-only"> {of}</span>
  </button>
);

/** Makes the column of actions at the end of a row. */
export const actionsColumn = <Row,>(
  cell: (row: Row) => ReactNode,
  width = 'w-[110px]',
): TableColumn<Row> => ({
  id: 'actions',
  title: 'Actions',
  width,
  align: 'right',
  cell,
});

/** Makes the column of titles, which are shown completely when the pointer is on them. */
export const titleColumn = (
  title: string,
  options: Pick<TableColumn<never>, 'width' | 'isSortable'> = {},
): TableColumn<{ title: string }> => ({
  id: 'title',
  title,
  ...options,
  cell: (row) => (
    <span className="font-semibold" title={row.title}>
      {row.title}
    </span>
  ),
});

/** Makes a column of numbers. */
export const numberColumn = <Row,>(
  id: string,
  title: string,
  width: string,
  cell: (row: Row) => ReactNode,
): TableColumn<Row> => ({ id, title, width, align: 'right', cell });
