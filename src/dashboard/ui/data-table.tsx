import { type KeyboardEvent, type ReactNode, type RefObject, useDeferredValue, useId, useRef } from 'react';
import { useShortcuts } from '../app/shortcuts.ts';
import type { Href } from '../app/paths.ts';
import { rememberList } from '../app/neighbours.ts';
import { AppLink } from '../app/url.tsx';
import { useWindowWidth } from '../app/window-width.ts';
import { CardList } from './card-list.tsx';
import { classNames } from './class-names.ts';
import { useFittingColumns } from './fitting-columns.ts';
import { RowCheckbox } from './row-checkbox.tsx';
import { type TableColumn, namingColumn } from './table-column.ts';

export interface Sort {
  by: string;
  direction: 'asc' | 'desc';
}

export interface DataTableProps<Row> {
  /** Names the table to screen readers. */
  label: string;
  rows: readonly Row[];
  columns: readonly TableColumn<Row>[];
  rowKey: (row: Row) => string;
  /** Screen of a row; it opens from the first cell, and by `Enter`. */
  href?: (row: Row) => Href;
  sort?: Sort;
  onSort?: (sort: Sort) => void;
  /** Keys of the selected rows; without it, rows cannot be selected. */
  selected?: ReadonlySet<string>;
  onSelect?: (selected: ReadonlySet<string>) => void;
  /** Shown above the first row. */
  notice?: ReactNode;
}

/** A list as a table, on a phone as cards. Columns that do not fit are left out. `j` and `k` move through its rows, `Enter` opens one, `x` selects it. */
export function DataTable<Row>(props: DataTableProps<Row>): ReactNode {
  const { label, rows, rowKey, href, sort, onSort, selected, onSelect, notice } = props;
  const frame = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLElement>(null);
  const isPhone = useWindowWidth() === 'phone';
  const columns = useFittingColumns(frame, props.columns, selected !== undefined);
  const toggle = (key: string): void => onSelect?.(toggled(selected ?? new Set(), key));
  const shown = useScreenFirst(rows);
  useListKeys(body, href !== undefined, selected !== undefined);
  const isAllSelected =
    selected !== undefined && rows.length > 0 && rows.every((row) => selected.has(rowKey(row)));

  const opening = {
    onClickCapture: () => href && rememberList(rows.map(href)),
    onKeyDownCapture: (event: KeyboardEvent) => event.key === 'Enter' && href && rememberList(rows.map(href)),
  };
  if (isPhone)
    return (
      <div ref={frame} {...opening}>
        <CardList
          label={label}
          rows={shown}
          columns={props.columns}
          rowKey={rowKey}
          href={href}
          selected={selected}
          onToggle={toggle}
          body={body}
          notice={notice}
        />
      </div>
    );
  return (
    <div ref={frame} className="min-w-0">
      <table aria-label={label} className="w-full table-fixed border-collapse">
        <thead>
          <tr>
            {selected && (
              <th scope="col" className={classNames(HEAD, 'w-9 pl-4')}>
                <input
                  type="checkbox"
                  aria-label="Select all rows"
                  checked={isAllSelected}
                  onChange={() => onSelect?.(isAllSelected ? new Set() : new Set(rows.map(rowKey)))}
                />
              </th>
            )}
            {columns.map((column) => (
              <HeadCell key={column.id} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody ref={body as RefObject<HTMLTableSectionElement | null>} {...opening}>
          {notice !== undefined && notice !== null && (
            <tr>
              <td
                colSpan={columns.length + (selected ? 1 : 0)}
                className="h-[30px] border-b border-line px-4"
              >
                {notice}
              </td>
            </tr>
          )}
          {shown.map((row) => (
            <BodyRow key={rowKey(row)} row={row} table={{ ...props, columns }} onToggle={toggle} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Rows that fill a screen. */
const SCREEN = 30;

/** Returns the rows of the first screen, and all of them once those are painted: a long table then shows sooner. */
function useScreenFirst<Row>(rows: readonly Row[]): readonly Row[] {
  const isLong = rows.length > SCREEN;
  const showsAll = useDeferredValue(isLong, false);
  return isLong && !showsAll ? rows.slice(0, SCREEN) : rows;
}

const HEAD =
  'sticky top-0 z-10 h-[28px] border-b border-line bg-page px-1.5 text-left text-label font-normal text-dim first:pl-4 last:pr-4';
/** Controls in cells stay above the link that covers the row. */
const CELL =
  'h-[30px] truncate border-b border-line px-1.5 first:pl-4 last:pr-4 [&_button]:relative [&_button]:z-1 [&_input]:relative [&_input]:z-1';

interface HeadCellProps<Row> {
  column: TableColumn<Row>;
  sort: Sort | undefined;
  onSort: ((sort: Sort) => void) | undefined;
}

function HeadCell<Row>({ column, sort, onSort }: HeadCellProps<Row>): ReactNode {
  const { id, title, width, align, isSortable } = column;
  const direction = sort?.by === id ? sort.direction : undefined;
  const sign = direction === 'asc' ? '↑' : '↓';
  return (
    <th
      scope="col"
      aria-sort={direction && (direction === 'asc' ? 'ascending' : 'descending')}
      className={classNames(HEAD, width, align === 'right' && 'text-right')}
    >
      {isSortable && onSort ? (
        <button
          type="button"
          className={classNames('cursor-pointer hover:text-ink', direction && 'font-semibold text-ink')}
          onClick={() => onSort({ by: id, direction: direction === 'desc' ? 'asc' : 'desc' })}
        >
          {title}
          {direction && <span aria-hidden="true"> {sign}</span>}
        </button>
      ) : (
        title
      )}
    </th>
  );
}

/** Moves the focus through the rows. The row that has it is the current one. */
function useListKeys(
  body: { readonly current: HTMLElement | null },
  isMovable: boolean,
  isSelectable: boolean,
): void {
  const rowsOf = (): HTMLElement[] => [...(body.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
  const move = (by: number): void => {
    const rows = rowsOf();
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    const next =
      rows[at === -1 ? (by > 0 ? 0 : rows.length - 1) : Math.min(Math.max(at + by, 0), rows.length - 1)];
    next?.querySelector<HTMLElement>('[data-open]')?.focus({ preventScroll: true });
    next?.scrollIntoView({ block: 'nearest' });
  };
  const select = (): void =>
    rowsOf()
      .find((row) => row.contains(document.activeElement))
      ?.querySelector<HTMLInputElement>('input[type="checkbox"]')
      ?.click();
  const group = 'List';
  useShortcuts([
    ...(isMovable
      ? [
          { keys: 'j', label: 'Next row', group, run: () => move(1) },
          { keys: 'k', label: 'Previous row', group, run: () => move(-1) },
        ]
      : []),
    ...(isSelectable ? [{ keys: 'x', label: 'Select the row', group, run: select }] : []),
  ]);
}

interface BodyRowProps<Row> {
  row: Row;
  table: Pick<DataTableProps<Row>, 'columns' | 'rowKey' | 'href' | 'selected'>;
  onToggle: (key: string) => void;
}

function BodyRow<Row>({ row, table, onToggle }: BodyRowProps<Row>): ReactNode {
  const { columns, rowKey, href, selected } = table;
  const key = rowKey(row);
  const isSelected = selected?.has(key) ?? false;
  const prefix = useId();
  const title = namingColumn(columns);
  const naming = columns.filter((column, index) => index === 0 || column === title);
  const idOf = ({ id }: TableColumn<Row>): string => `${prefix}-${id}`;
  return (
    <tr
      data-row={key}
      className={classNames(
        'relative focus-within:bg-selection hover:bg-panel focus-within:hover:bg-selection',
        isSelected && 'bg-selection',
      )}
    >
      {selected && (
        <td className={classNames(CELL, 'pl-4')}>
          <RowCheckbox namedBy={naming.map(idOf)} isSelected={isSelected} onToggle={() => onToggle(key)} />
        </td>
      )}
      {columns.map((column, index) => (
        <td
          key={column.id}
          id={naming.includes(column) ? idOf(column) : undefined}
          className={classNames(CELL, column.align === 'right' && 'text-right')}
        >
          {index === 0 && href ? (
            <AppLink
              href={href(row)}
              data-open=""
              className="text-ink no-underline outline-none after:absolute after:inset-0 after:content-['']"
            >
              {column.cell(row)}
            </AppLink>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
    </tr>
  );
}

function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return next;
}
