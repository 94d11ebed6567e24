import { ChevronDown, ChevronRight } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useState } from 'react';
import { formatWhole } from '../format/number.ts';
import { classNames } from '../ui/class-names.ts';
import type { GridColumn } from './grid-columns.ts';
import { type GridItem, groupOf, itemsBetween } from './grid-items.ts';
import type { GridState } from './grid-state.ts';
import { ResultCard } from './result-card.tsx';
import { ResultCell } from './result-cell.tsx';
import { type ResultColumn, type ResultFacets, type ShownResult, rowKey } from './result-types.ts';
import { toggled } from './selection.ts';

type Selected = ReadonlyMap<string, ShownResult>;

interface GridBodyProps {
  scroller: RefObject<HTMLDivElement | null>;
  layout: { items: readonly GridItem[]; height: number };
  total: number;
  rowAt: (place: number) => ShownResult | undefined;
  onShow: (from: number, to: number) => void;
  columns: readonly ResultColumn[];
  shown: readonly GridColumn[];
  isCards: boolean;
  isPair: boolean;
  rowHeight: number;
  groupHeight: number;
  clamp: string;
  at: { place: number; cell: number };
  facets: ResultFacets | undefined;
  state: GridState;
  onChange: (patch: Partial<GridState>) => void;
  selected: Selected;
  onSelect: (selected: Selected) => void;
  closed: ReadonlySet<string>;
  onClosed: (closed: ReadonlySet<string>) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onOpen: (place: number) => void;
}

/** Rows beyond the view that are drawn, in pixels. */
const MARGIN = 400;
/** Space below the last row for the bar of the selection. */
const BAR_ROOM = 72;

/** The scrolling part of the grid. Only rows in view are in the document. */
export function GridBody(props: GridBodyProps): ReactNode {
  const { scroller, layout, total, isCards, shown, at, onKeyDown, onShow } = props;
  const id = useId();
  const [view, setView] = useState({ top: 0, height: 900 });
  const items = itemsBetween(layout.items, view.top - MARGIN, view.top + view.height + MARGIN);
  const places = items.flatMap((item) => (item.kind === 'row' ? item.place : []));
  const [from, to] = [places[0] ?? 0, places.at(-1) ?? 0];
  useEffect(() => onShow(from, to), [from, to, onShow]);
  const measure = (): void => {
    const element = scroller.current;
    if (element) setView({ top: element.scrollTop, height: element.clientHeight });
  };
  useEffect(measure, [scroller, total]);
  const template = ['30px', ...shown.map(({ width }) => width)].join(' ');
  return (
    <div
      ref={scroller}
      role="grid"
      aria-label="Results"
      aria-rowcount={layout.items.length + 1}
      aria-colcount={shown.length + 1}
      aria-multiselectable="true"
      aria-activedescendant={`${id}-${at.place}-${at.cell}`}
      tabIndex={0}
      className="group/grid h-full overflow-x-hidden overflow-y-auto outline-none focus-visible:outline-2 focus-visible:-outline-offset-2"
      onScroll={measure}
      onKeyDown={onKeyDown}
    >
      <GridHead {...props} template={template} isHidden={isCards} />
      <div role="rowgroup" className="relative" style={{ height: layout.height + BAR_ROOM }}>
        {items.map((item) =>
          item.kind === 'group' ? (
            <GroupRow key={`group ${item.key}`} item={item} body={props} />
          ) : (
            <BodyRow key={`row ${item.place}`} item={item} body={props} template={template} id={id} />
          ),
        )}
      </div>
    </div>
  );
}

function GridHead({
  shown,
  template,
  state,
  onChange,
  isHidden,
}: GridBodyProps & { template: string; isHidden: boolean }): ReactNode {
  return (
    <div role="rowgroup" className={isHidden ? 'sr-only' : 'sticky top-0 z-10 bg-page'}>
      <div
        role="row"
        aria-rowindex={1}
        className="grid h-[29px] items-center border-b border-line px-4 text-label text-dim"
        style={{ gridTemplateColumns: template }}
      >
        <span role="columnheader">
          <span className="sr-only">Selection</span>
        </span>
        {shown.map((column) => (
          <HeadCell key={column.id} column={column} sort={state.sort} onSort={(sort) => onChange({ sort })} />
        ))}
      </div>
    </div>
  );
}

const ALIGN = { right: 'text-right', center: 'text-center' } as const;

function HeadCell({
  column: { id, title, sort: by, align, evaluator },
  sort,
  onSort,
}: {
  column: GridColumn;
  sort: string;
  onSort: (sort: string) => void;
}): ReactNode {
  const isDescending = sort === `-${by}`;
  const isSorted = by !== undefined && (isDescending || sort === by || (sort === '' && by === 'outcome'));
  const next = by === 'outcome' ? '' : isDescending ? (by ?? '') : `-${by}`;
  return (
    <span
      role="columnheader"
      title={evaluator && `${title}${evaluator.isBlocking ? '' : ', non-blocking'}`}
      aria-sort={isSorted ? (sort === by && by !== '' ? 'ascending' : 'descending') : undefined}
      className={classNames('min-w-0 truncate pr-2', align && ALIGN[align], evaluator && 'pr-0')}
    >
      {by === undefined ? (
        id === 'diff' ? (
          <>
            Output, <del>only in A</del> <ins className="text-accent">only in B</ins>
          </>
        ) : (
          title
        )
      ) : (
        <button
          type="button"
          tabIndex={-1}
          className={classNames('cursor-pointer hover:text-ink', isSorted && 'font-semibold text-ink')}
          onClick={() => onSort(next)}
        >
          {title}
          {isSorted && <span aria-hidden="true"> {sort !== '' && !isDescending ? '↑' : '↓'}</span>}
        </button>
      )}
    </span>
  );
}

interface GroupRowProps {
  item: Extract<GridItem, { kind: 'group' }>;
  body: GridBodyProps;
}

/** The head of a group: what its rows have in common, and how many there are. */
function GroupRow({ item, body }: GroupRowProps): ReactNode {
  const { closed, onClosed, facets, groupHeight, rowAt, total, selected, onSelect } = body;
  const isClosed = closed.has(item.key);
  const toggle = (): void => {
    const next = new Set(closed);
    if (!next.delete(item.key)) next.add(item.key);
    onClosed(next);
  };
  const own = (): ShownResult[] =>
    Array.from({ length: total }, (_, place) => rowAt(place)).filter(
      (row): row is ShownResult => row !== undefined && groupOf(row).key === item.key,
    );
  const rows = own();
  const count =
    rows[0]?.group?.count ??
    facets?.causes.find(({ key }) => key === item.key)?.count ??
    outcomeCount(facets, item.outcome);
  const isSelected = rows.length > 0 && rows.every((row) => selected.has(rowKey(row)));
  const selectAll = (): void => {
    const next = new Map(selected);
    for (const row of rows) {
      if (isSelected) next.delete(rowKey(row));
      else next.set(rowKey(row), row);
    }
    onSelect(next);
  };
  return (
    <div
      role="row"
      className="absolute inset-x-0 border-b border-line bg-panel px-4"
      style={{ top: item.top, height: groupHeight }}
    >
      <div role="gridcell" className="flex h-full items-center gap-2">
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={`Select the group ${item.title}`}
          checked={isSelected}
          onChange={selectAll}
        />
        <button
          type="button"
          tabIndex={-1}
          aria-expanded={!isClosed}
          className="flex min-w-0 cursor-pointer items-center gap-2 text-left"
          onClick={toggle}
        >
          {isClosed ? (
            <ChevronRight size={14} aria-hidden="true" className="shrink-0" />
          ) : (
            <ChevronDown size={14} aria-hidden="true" className="shrink-0" />
          )}
          <span
            className={classNames('truncate font-semibold', item.outcome === 'PASSED' && 'text-pass')}
            title={item.title}
          >
            {item.title}
          </span>
        </button>
        <span className="shrink-0 text-dim">
          {formatWhole(count)} of {formatWhole(totalOf(facets))}
          {item.outcome === 'APP_ERROR' && ', counted as failed'}
          {(item.outcome === 'NO_VERDICT' || item.outcome === 'NOT_RUN') && ', counted nowhere'}
        </span>
      </div>
    </div>
  );
}

const outcomeCount = (facets: ResultFacets | undefined, outcome: string): number =>
  facets?.outcomes[outcome as keyof ResultFacets['outcomes']] ?? 0;

const totalOf = (facets: ResultFacets | undefined): number =>
  Object.values(facets?.outcomes ?? {}).reduce((sum, count) => sum + count, 0);

interface BodyRowProps {
  item: Extract<GridItem, { kind: 'row' }>;
  body: GridBodyProps;
  template: string;
  id: string;
}

function BodyRow({ item, body, template, id }: BodyRowProps): ReactNode {
  const { place, top } = item;
  const { rowAt, rowHeight, at, state, selected, onSelect, onOpen, shown, columns, clamp, isCards } = body;
  const row = rowAt(place);
  const isCurrent = at.place === place;
  const isSelected = row !== undefined && selected.has(rowKey(row));
  const isOpen = row !== undefined && state.open === rowKey(row);
  const classes = classNames(
    'absolute inset-x-0 cursor-pointer border-b border-line px-4 hover:bg-panel',
    (isSelected || isOpen) && 'bg-selection hover:bg-selection',
    (isCurrent || isOpen) && 'shadow-[inset_2px_0_0_var(--accent)]',
  );
  const cellClass = (cell: number): string =>
    classNames(
      'min-w-0 pr-3',
      isCurrent &&
        at.cell === cell &&
        'rounded-sm group-focus-visible/grid:outline-1 group-focus-visible/grid:outline-accent',
    );
  const frame = { top, height: rowHeight };
  if (row === undefined)
    return (
      <div role="row" aria-rowindex={place + 2} className={classes} style={frame}>
        <div role="gridcell" className="flex h-full items-center">
          <span className="h-3 w-1/3 rounded-sm bg-line" />
          <span className="sr-only">Loading</span>
        </div>
      </div>
    );
  const box = (
    <input
      type="checkbox"
      tabIndex={-1}
      className={isCards ? 'size-[18px] shrink-0' : undefined}
      aria-label={`Select ${row.input.slice(0, 60)}`}
      checked={isSelected}
      onClick={(event) => event.stopPropagation()}
      onChange={() => onSelect(toggled(selected, row))}
    />
  );
  const isText = (): boolean => (globalThis.getSelection()?.toString() ?? '') !== '';
  return (
    <div
      role="row"
      aria-rowindex={place + 2}
      aria-selected={isSelected}
      className={classNames(classes, isCards ? 'py-2' : 'grid items-start py-1.5')}
      style={isCards ? frame : { ...frame, gridTemplateColumns: template }}
      onClick={() => !isText() && onOpen(place)}
    >
      {isCards ? (
        <div role="gridcell" id={`${id}-${place}-0`}>
          <ResultCard row={row} columns={columns} isPair={body.isPair} box={box} />
        </div>
      ) : (
        <>
          <div role="gridcell" id={`${id}-${place}-0`} className={cellClass(0)}>
            {box}
          </div>
          {shown.map((column, index) => (
            <div
              key={column.id}
              role="gridcell"
              id={`${id}-${place}-${index + 1}`}
              className={classNames(
                cellClass(index + 1),
                column.align && ALIGN[column.align],
                column.evaluator && 'pr-0',
              )}
            >
              <ResultCell row={row} column={column} columns={columns} clamp={clamp} />
            </div>
          ))}
        </>
      )}
    </div>
  );
}
