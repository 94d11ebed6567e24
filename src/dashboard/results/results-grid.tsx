import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from 'react';
import { useShortcuts } from '../app/shortcuts.ts';
import { classNames } from '../ui/class-names.ts';
import { FilterLine } from '../filter/filter-line.tsx';
import { faultsOf } from '../filter/line.ts';
import { shownList } from '../filter/use-filtered.ts';
import { Loaded } from '../ui/panel.tsx';
import { GridBody } from './grid-body.tsx';
import { type GridColumn, gridColumns, type GridLayout } from './grid-columns.ts';
import { gridItems } from './grid-items.ts';
import type { GridState, Show } from './grid-state.ts';
import { GridToolbar } from './grid-toolbar.tsx';
import { ResultDetails } from './result-details.tsx';
import { type ShownResult, rowKey } from './result-types.ts';
import { limited, toggled } from './selection.ts';
import { shownTab } from './shows.ts';
import { ResultsSelection } from './selection-bar.tsx';
import { useResults, type LoadedResults, type GridQuery } from './use-results.ts';
import { useWidth } from './use-width.ts';

export interface ResultsGridProps {
  layout: GridLayout;
  /** Runs or variants that are shown side by side, as the API names them, each with its name on the page. */
  sides: readonly { side: string; name: string }[];
  /** Tabs, of which the first with examples is shown unless the URL names one. */
  shows: readonly Show[];
  state: GridState;
  onChange: (patch: Partial<GridState>, options?: { replace?: boolean }) => void;
  /** True while tests run. */
  isLive: boolean;
  /** Shown where nothing matches. */
  empty: string;
}

/** Width below which rows are cards. */
const CARDS = 560;
const GROUP_HEIGHT = 31;
const ROW_HEIGHTS: Readonly<Record<string, number>> = { 1: 36, 2: 53, full: 133 };
const CLAMPS: Readonly<Record<string, string>> = {
  1: 'line-clamp-1',
  2: 'line-clamp-2',
  full: 'line-clamp-6',
};

/** Results of examples: of a run, of two runs, or of the variants of an experiment. */
export function ResultsGrid(props: ResultsGridProps): ReactNode {
  const { layout, sides, shows, state, onChange, isLive, empty } = props;
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const show = shownTab(shows, state.show);
  const tried = useResults(queryOf(props, show, state.q), { isLive });
  const faults = faultsOf(tried.first.error);
  const good = useRef(state.q);
  if (tried.first.isSuccess && !tried.first.isPlaceholderData) good.current = state.q;
  const kept = useResults(queryOf(props, show, good.current), { isLive });
  const results = faults.length > 0 ? kept : tried;
  const isGrouped = layout === 'run' && state.group !== 'none' && state.sort === '';
  const [byHand, setByHand] = useState<ReadonlyMap<string, ShownResult>>(new Map());
  const [matching, setMatching] = useState<GridQuery | null>(null);
  const query = queryOf(props, show, good.current);
  const filter = filterKey(query);
  // Another filter finds other rows, which are not selected.
  const isAll = matching !== null && filterKey(matching) === filter;
  const selected = isAll ? loadedRows(results) : byHand;
  const setSelected = (rows: ReadonlyMap<string, ShownResult>): void => {
    setMatching(null);
    setByHand(limited(rows));
  };
  const openRow = useOpenRow(results, state.open);
  const isSplit = openRow !== undefined && width >= SPLIT;
  return (
    <div ref={frame} className="flex min-h-0 grow flex-col">
      <div className="px-4 py-1.5">
        <FilterLine
          screen="results"
          line={state.q}
          onChange={(q) => onChange({ q, open: '' })}
          faults={faults}
          keepsList={good.current !== state.q}
        />
      </div>
      <GridToolbar {...props} show={show} results={results} isGrouped={isGrouped} query={query} />
      <div className="relative flex min-h-[300px] grow basis-0">
        <div className={classNames('flex min-w-0 grow flex-col', isSplit && 'border-r border-line')}>
          <Loaded of={shownList(results.first, faults.length > 0)} isFlush isFull>
            {(answer) => {
              const columns = shownColumns(answer, layout);
              return results.total === 0 ? (
                <p className="px-4 py-6 text-reading text-dim">
                  {state.q === '' ? empty : 'Nothing matches the filter.'}
                </p>
              ) : (
                <Grid
                  results={results}
                  columns={columns}
                  shown={gridColumns(
                    {
                      layout,
                      width: isSplit ? width - DETAILS_WIDTH : width,
                      columns,
                      sides: sides.map(({ name }) => name),
                      isSplit,
                    },
                    state.columns,
                  )}
                  isCards={width < CARDS}
                  isPair={layout === 'pair'}
                  isGrouped={isGrouped}
                  lines={layout === 'variants' ? 'variants' : state.rows}
                  state={state}
                  onChange={onChange}
                  selected={selected}
                  onSelect={setSelected}
                />
              );
            }}
          </Loaded>
        </div>
        {openRow !== undefined && results.first.data && (
          <ResultDetails
            row={openRow}
            columns={shownColumns(results.first.data, layout)}
            sides={sides}
            layout={layout}
            isOverlay={!isSplit}
            neighbours={neighboursOf(results, openRow)}
            onOpen={(row) => onChange({ open: rowKey(row) }, { replace: true })}
            onClose={() => onChange({ open: '' })}
          />
        )}
      </div>
      {selected.size > 0 && (
        <ResultsSelection
          rows={[...selected.values()]}
          matching={isAll ? query : null}
          total={results.total}
          onSelectAll={() => setMatching(query)}
          onClear={() => setSelected(new Map())}
        />
      )}
    </div>
  );
}

/** Returns a text that differs for queries that find other rows. */
const filterKey = ({ q, side, outcome, change, causeKey }: GridQuery): string =>
  JSON.stringify([q, side, outcome, change, causeKey]);

/** Returns the rows that are loaded, by their keys. */
function loadedRows({ total, rowAt }: LoadedResults): ReadonlyMap<string, ShownResult> {
  const rows = new Map<string, ShownResult>();
  for (let place = 0; place < total; place += 1) {
    const row = rowAt(place);
    if (row) rows.set(rowKey(row), row);
  }
  return rows;
}

/** Returns the evaluators to show: of a run, those that judged it, and not those that judged the run before alone. */
const shownColumns = (
  { columns, facets }: NonNullable<LoadedResults['first']['data']>,
  layout: GridLayout,
): typeof columns =>
  layout === 'run'
    ? columns.filter(({ definitionId }) => facets.definitions.some(({ id }) => id === definitionId))
    : columns;

/** Width from which the details stand beside the rows, and their width. */
const SPLIT = 980;
const DETAILS_WIDTH = 500;

function queryOf({ sides, state, layout }: ResultsGridProps, show: Show, q: string): GridQuery {
  const [orderBy, orderDir] = sortOf(state.sort);
  return {
    side: sides.map(({ side }) => side),
    ...(q !== '' && { q }),
    ...(show.outcome && { outcome: show.outcome }),
    ...(show.change && { change: show.change }),
    ...(state.cause !== '' && { causeKey: [state.cause] }),
    orderBy: (orderBy === '' ? (layout === 'run' ? 'outcome' : 'result') : orderBy) as 'outcome',
    orderDir: orderDir as 'desc',
    ...(layout === 'run' && state.sort === '' && isServerGroup(state.group) && { groupBy: state.group }),
    text: state.rows === 'full' || layout === 'variants' ? 1_000 : 400,
  };
}

const isServerGroup = (group: string): group is NonNullable<GridQuery['groupBy']> =>
  ['evaluator', 'topic', 'tag', 'subset'].includes(group);

const sortOf = (sort: string): [by: string, direction: string] =>
  sort.startsWith('-') ? [sort.slice(1), 'desc'] : [sort, sort === '' ? 'desc' : 'asc'];

/** Returns the row whose details the URL opens, if it is loaded. */
function useOpenRow({ total, rowAt }: LoadedResults, open: string): ShownResult | undefined {
  if (open === '') return undefined;
  for (let place = 0; place < total; place += 1) {
    const row = rowAt(place);
    if (row !== undefined && rowKey(row) === open) return row;
  }
  return undefined;
}

/** Returns the rows before and after one, as far as they are loaded. */
function neighboursOf(
  { total, rowAt }: LoadedResults,
  of: ShownResult,
): readonly [ShownResult | undefined, ShownResult | undefined] {
  for (let place = 0; place < total; place += 1)
    if (rowAt(place) === of) return [rowAt(place - 1), rowAt(place + 1)];
  return [undefined, undefined];
}

interface GridProps {
  results: LoadedResults;
  columns: NonNullable<LoadedResults['first']['data']>['columns'];
  shown: readonly GridColumn[];
  isCards: boolean;
  isPair: boolean;
  isGrouped: boolean;
  lines: string;
  state: GridState;
  onChange: ResultsGridProps['onChange'];
  selected: ReadonlyMap<string, ShownResult>;
  onSelect: (selected: ReadonlyMap<string, ShownResult>) => void;
}

/** Rows with their keys: arrows and `j`, `k` move, `Enter` opens, `x` selects. */
function Grid(props: GridProps): ReactNode {
  const { results, columns, shown, isCards, isGrouped, lines, state, onChange, selected, onSelect } = props;
  const { total, rowAt } = results;
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [at, setAt] = useState({ place: 0, cell: 0 });
  const scroller = useRef<HTMLDivElement>(null);
  const rowHeight = isCards ? 124 : lines === 'variants' ? 101 : (ROW_HEIGHTS[lines] ?? 53);
  const layout = useMemo(
    () => gridItems({ total, rowAt, isGrouped, closed, rowHeight, groupHeight: GROUP_HEIGHT }),
    [total, rowAt, isGrouped, closed, rowHeight],
  );
  const places = layout.items.flatMap((item) => (item.kind === 'row' ? item.place : []));
  const move = (to: number): void => {
    const place = places[Math.min(Math.max(to, 0), places.length - 1)] ?? 0;
    setAt((before) => ({ ...before, place }));
    const top = layout.items.find((item) => item.kind === 'row' && item.place === place)?.top ?? 0;
    scrollTo(scroller.current, top, rowHeight);
    const row = rowAt(place);
    if (state.open !== '' && row) onChange({ open: rowKey(row) }, { replace: true });
  };
  const step = (by: number): void => move(places.indexOf(at.place) + by);
  const failure = (by: number): void => {
    const from = places.indexOf(at.place);
    const next = places.findIndex((place, index) => {
      const outcome = rowAt(place)?.sides.at(-1)?.outcome;
      return index > from && (outcome === 'FAILED' || outcome === 'APP_ERROR');
    });
    const before = places.findLastIndex((place, index) => {
      const outcome = rowAt(place)?.sides.at(-1)?.outcome;
      return index < from && (outcome === 'FAILED' || outcome === 'APP_ERROR');
    });
    const found = by > 0 ? next : before;
    if (found >= 0) move(found);
  };
  const current = rowAt(at.place);
  const open = (): void => current && onChange({ open: rowKey(current) });
  const select = (): void => current && onSelect(toggled(selected, current));
  useGridKeys({
    step,
    failure,
    open,
    select,
    isOpen: state.open !== '',
    onClose: () => onChange({ open: '' }),
  });
  const press = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -total, End: total }[event.key];
    const across = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    if (by !== undefined) step(by);
    else if (across !== undefined)
      setAt(({ place, cell }) => ({ place, cell: Math.min(Math.max(cell + across, 0), shown.length) }));
    else return;
    event.preventDefault();
  };
  return (
    <GridBody
      scroller={scroller}
      layout={layout}
      total={total}
      rowAt={rowAt}
      onShow={results.show}
      columns={columns}
      shown={shown}
      isCards={isCards}
      isPair={props.isPair}
      rowHeight={rowHeight}
      groupHeight={GROUP_HEIGHT}
      clamp={
        isCards ? 'line-clamp-2' : lines === 'variants' ? 'line-clamp-3' : (CLAMPS[lines] ?? 'line-clamp-2')
      }
      at={at}
      facets={results.first.data?.facets}
      state={state}
      onChange={onChange}
      selected={selected}
      onSelect={onSelect}
      closed={closed}
      onClosed={setClosed}
      onKeyDown={press}
      onOpen={(place) => {
        const row = rowAt(place);
        setAt((before) => ({ ...before, place }));
        if (row) onChange({ open: rowKey(row) });
      }}
    />
  );
}

/** Height of the head of the grid, below which rows begin. */
const HEAD_HEIGHT = 29;

function scrollTo(scroller: HTMLElement | null, top: number, height: number): void {
  if (scroller === null) return;
  const { scrollTop, clientHeight } = scroller;
  if (top < scrollTop) scroller.scrollTop = top;
  else if (top + height + HEAD_HEIGHT > scrollTop + clientHeight)
    scroller.scrollTop = top + height + HEAD_HEIGHT - clientHeight;
}

interface GridKeys {
  step: (by: number) => void;
  failure: (by: number) => void;
  open: () => void;
  select: () => void;
  isOpen: boolean;
  onClose: () => void;
}

function useGridKeys({ step, failure, open, select, isOpen, onClose }: GridKeys): void {
  const group = 'Results';
  useShortcuts([
    { keys: 'j', label: 'Next row', group, run: () => step(1) },
    { keys: 'k', label: 'Previous row', group, run: () => step(-1) },
    { keys: ']', label: 'Next failure', group, run: () => failure(1) },
    { keys: '[', label: 'Previous failure', group, run: () => failure(-1) },
    { keys: 'Enter', label: 'Open the details', group, run: open },
    { keys: 'x', label: 'Select the row', group, run: select },
    ...(isOpen ? [{ keys: 'Esc', label: 'Close the details', group, run: onClose }] : []),
  ]);
}
