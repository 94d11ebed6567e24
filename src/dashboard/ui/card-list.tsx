import { type ReactNode, type RefObject, useId } from 'react';
import type { Href } from '../app/paths.ts';
import { AppLink } from '../app/url.tsx';
import { classNames } from './class-names.ts';
import { RowCheckbox } from './row-checkbox.tsx';
import { type TableColumn, namingColumn } from './table-column.ts';

type Role = NonNullable<TableColumn<never>['card']>;

interface CardListProps<Row> {
  label: string;
  rows: readonly Row[];
  columns: readonly TableColumn<Row>[];
  rowKey: (row: Row) => string;
  href: ((row: Row) => Href) | undefined;
  selected: ReadonlySet<string> | undefined;
  onToggle: (key: string) => void;
  body: RefObject<HTMLElement | null>;
  notice: ReactNode;
}

/** Returns what each column becomes on a card: those of text a text, those of fixed width facts, unless they say otherwise. */
function rolesOf<Row>(columns: readonly TableColumn<Row>[]): (role: Role) => readonly TableColumn<Row>[] {
  const title = namingColumn(columns);
  const roleOf = (column: TableColumn<Row>): Role => {
    if (column === title) return 'title';
    if (column.card !== undefined) return column.card;
    if (column.id === 'actions') return 'signs';
    return /\bw-\[\d+px\]/.test(column.width ?? '') ? 'meta' : 'text';
  };
  return (role) => columns.filter((column) => roleOf(column) === role);
}

/** The rows of a list on a phone: facts, a title that opens the row, a line of text, and signs. */
export function CardList<Row>(props: CardListProps<Row>): ReactNode {
  const { label, rows, columns, rowKey, href, selected, onToggle, body, notice } = props;
  const of = rolesOf(columns);
  const prefix = useId();
  return (
    <ul aria-label={label} ref={body as RefObject<HTMLUListElement | null>}>
      {notice !== undefined && notice !== null && (
        <li className="border-b border-line px-4 py-1.5">{notice}</li>
      )}
      {rows.map((row, index) => {
        const key = rowKey(row);
        const name = `${prefix}-${index}`;
        const title = of('title').map(({ id, cell }) => <span key={id}>{cell(row)}</span>);
        return (
          <li
            key={key}
            data-row={key}
            className={classNames(
              'relative grid grid-cols-1 gap-0.5 border-b border-line px-4 py-2.5 [&_button]:relative [&_button]:z-1 [&_input]:relative [&_input]:z-1',
              selected?.has(key) && 'bg-selection',
            )}
          >
            <p className="flex flex-wrap items-center gap-x-3 text-label text-dim empty:hidden">
              {selected && (
                <RowCheckbox namedBy={[name]} isSelected={selected.has(key)} onToggle={() => onToggle(key)} />
              )}
              {of('meta').map((column) => (
                <span key={column.id} title={column.title} className="min-w-0 truncate">
                  {column.cell(row)}
                </span>
              ))}
            </p>
            <div id={name} className="line-clamp-2 text-reading break-words">
              {href ? (
                <AppLink
                  href={href(row)}
                  data-open=""
                  className="text-ink no-underline outline-none after:absolute after:inset-0 after:content-['']"
                >
                  {title}
                </AppLink>
              ) : (
                title
              )}
            </div>
            {of('text').map(({ id, cell }) => (
              <div key={id} className="min-w-0 truncate text-dim">
                {cell(row)}
              </div>
            ))}
            <div className="flex flex-wrap items-center gap-x-3 empty:hidden">
              {of('signs').map(({ id, cell }) => (
                <span key={id} className="min-w-0">
                  {cell(row)}
                </span>
              ))}
            </div>
          </li>
        );
      })}
    </ul>
  );
}
