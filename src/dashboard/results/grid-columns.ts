import type { ResultColumn } from './result-types.ts';

export type GridLayout = 'run' | 'pair' | 'variants';

/** A column of the grid. */
export interface GridColumn {
  id: string;
  title: string;
  /** Width as CSS grids take it. */
  width: string;
  align?: 'right' | 'center';
  /** Column that the server can order by. */
  sort?: string;
  /** Evaluator whose verdicts it shows. */
  evaluator?: ResultColumn;
  /** Side whose output it shows. */
  side?: number;
}

/** Most evaluators with a column of their own unless more are chosen and fit. */
const MAX_EVALUATORS = 6;
const EVALUATOR_WIDTH = 58;
/** Widths in pixels below which columns leave. */
const WIDE = 1_080;
const MEDIUM = 860;
const SMALL = 620;

interface Wanted {
  layout: GridLayout;
  width: number;
  columns: readonly ResultColumn[];
  /** Names of the sides. */
  sides: readonly string[];
  /** True if the details of a row, which have its texts, are open beside the rows. */
  isSplit: boolean;
}

const column = (id: string, title: string, width: string, more: Partial<GridColumn> = {}): GridColumn => ({
  id,
  title,
  width,
  ...more,
});

const RESULT = column('result', 'Result', '104px', { sort: 'outcome' });
const INPUT = column('input', 'Input', 'minmax(0, 1.2fr)');
const TIME = column('time', 'Time, cost', '84px', { align: 'right', sort: 'durationMs' });

/** Width at which every column is shown. */
const ANY_WIDTH = 10_000;
/** Columns that cannot be hidden: without them a row says nothing. */
const KEPT: ReadonlySet<string> = new Set(['result', 'change', 'input', 'inputExpected', 'diff']);

/** Returns the ids of the columns that a state hides. */
const hiddenColumns = (columns: string): ReadonlySet<string> =>
  new Set(columns.split(',').flatMap((id) => (id.startsWith('-') ? id.slice(1) : [])));

/** Returns the columns that can be shown and hidden, and whether they are hidden. */
export const columnChoices = (
  wanted: Pick<Wanted, 'layout' | 'columns'>,
  state: string,
): { id: string; title: string; isHidden: boolean }[] =>
  choiceColumns(wanted)
    .filter(({ id }) => !KEPT.has(id))
    .map(({ id, title }) => ({ id, title, isHidden: !shownIds(wanted, state).has(id) }));

/** Returns all columns of a layout, whatever the width, with one for each evaluator. */
const choiceColumns = ({ layout, columns }: Pick<Wanted, 'layout' | 'columns'>): GridColumn[] => {
  const chosen = columns.map(evaluatorId).join(',');
  return fittingGridColumns({ layout, columns, width: ANY_WIDTH, sides: [], isSplit: false }, chosen);
};

const shownIds = (
  { layout, columns }: Pick<Wanted, 'layout' | 'columns'>,
  state: string,
): ReadonlySet<string> =>
  new Set(
    gridColumns({ layout, columns, width: ANY_WIDTH, sides: [], isSplit: false }, state).map(({ id }) => id),
  );

const evaluatorId = ({ definitionId }: ResultColumn): string => `evaluator-${definitionId}`;

/** Returns the state with a column hidden or shown. An evaluator that was chosen precedes the others, which share the rest of the width. */
export function withColumn(state: string, id: string, isShown: boolean): string {
  const others = state.split(',').filter((one) => one !== '' && one !== id && one !== `-${id}`);
  const changed = isShown ? (id.startsWith('evaluator-') ? [id] : []) : [`-${id}`];
  return [...others, ...changed].join(',');
}

/** Returns the columns for a width, without those that the state hides. */
export const gridColumns = (wanted: Wanted, state: string): GridColumn[] => {
  const hidden = hiddenColumns(state);
  return fittingGridColumns(wanted, state).filter(({ id }) => KEPT.has(id) || !hidden.has(id));
};

/** Returns the evaluators with a column: those that were chosen, as many as fit, then the first others. */
function shownEvaluators(
  columns: readonly ResultColumn[],
  state: string,
  { room, most }: { room: number; most: number },
): ResultColumn[] {
  const hidden = hiddenColumns(state);
  const chosen = new Set(state.split(','));
  const open = columns.filter((one) => !hidden.has(evaluatorId(one)));
  const first = open.filter((one) => chosen.has(evaluatorId(one))).slice(0, most);
  const others = open.filter((one) => !chosen.has(evaluatorId(one)));
  const shown = new Set([...first, ...others.slice(0, Math.max(0, room - first.length))]);
  return open.filter((one) => shown.has(one));
}

/** Returns the columns for a width: those of least importance leave first. */
function fittingGridColumns({ layout, width, columns, sides, isSplit }: Wanted, state: string): GridColumn[] {
  if (layout === 'variants') {
    const outputs = sides.map((name, side) => column(`side-${side}`, name, 'minmax(180px, 1.3fr)', { side }));
    return [column('inputExpected', 'Input, expected', 'minmax(160px, 1fr)'), ...outputs];
  }
  if (layout === 'pair') {
    return [
      column('change', 'Change', '112px'),
      ...(width >= SMALL ? [INPUT] : []),
      column('diff', 'Output', 'minmax(0, 2.4fr)'),
      ...(width >= MEDIUM
        ? [column('a', 'A', '92px', { side: 0 }), column('b', 'B', '92px', { side: 1 })]
        : []),
      ...(width >= WIDE ? [column('delta', 'Time, cost', '84px', { align: 'right' })] : []),
    ];
  }
  const room = width >= WIDE ? MAX_EVALUATORS : width >= MEDIUM || isSplit ? 3 : 0;
  const most = room + Math.max(0, Math.floor((width - WIDE) / EVALUATOR_WIDTH));
  const evaluators = shownEvaluators(columns, state, { room, most }).map((evaluator) =>
    column(evaluatorId(evaluator), evaluator.name, `${EVALUATOR_WIDTH}px`, { align: 'center', evaluator }),
  );
  return [
    RESULT,
    INPUT,
    ...(width >= WIDE && !isSplit ? [column('expected', 'Expected', 'minmax(0, 1fr)')] : []),
    ...(width >= SMALL && !isSplit ? [column('output', 'Output', 'minmax(0, 1.5fr)')] : []),
    column('reason', 'Reason', 'minmax(0, 1.2fr)'),
    ...evaluators,
    ...(width >= MEDIUM || isSplit ? [TIME] : []),
  ];
}
