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

/** Most evaluators with a column of their own. */
const MAX_EVALUATORS = 6;
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

/** Returns the columns for a width: those of least importance leave first. */
export function gridColumns({ layout, width, columns, sides, isSplit }: Wanted): GridColumn[] {
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
  const evaluators = columns
    .slice(0, room)
    .map((evaluator) =>
      column(`evaluator-${evaluator.definitionId}`, evaluator.name, '58px', { align: 'center', evaluator }),
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
