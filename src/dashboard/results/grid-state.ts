import type { ResultOutcome } from './outcome.tsx';

/** State of a grid that the URL holds. */
export const GRID_STATE = {
  q: '',
  show: '',
  cause: '',
  group: '',
  rows: '2',
  sort: '',
  open: '',
  /** Columns that are hidden, each after a minus: `-expected,-time`. */
  columns: '',
};
export type GridState = typeof GRID_STATE;

/** Examples that a tab of a grid shows. */
export interface Show {
  id: string;
  name: string;
  outcome?: ResultOutcome[];
  change?: ('REGRESSED' | 'FIXED' | 'BOTH_FAILED' | 'BOTH_PASSED' | 'ONE_SIDE' | 'OUTPUT_CHANGED')[];
  /** Number of its examples; undefined while it is unknown. */
  count: number | undefined;
  /** Explains what it has. */
  detail?: string;
}

export const ALL_OUTCOMES: ResultOutcome[] = [
  'FAILED',
  'APP_ERROR',
  'NO_VERDICT',
  'NOT_RUN',
  'RUNNING',
  'PASSED',
];
