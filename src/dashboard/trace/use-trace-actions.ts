import type { RefObject } from 'react';
import type { SpanIndex } from '../../span-index/reader.ts';
import { useShortcuts } from '../app/shortcuts.ts';
import { useOpen } from '../app/url.tsx';
import { useWindowWidth } from '../app/window-width.ts';
import { announce } from '../ui/status-line.tsx';
import type { TraceState } from './trace-state.ts';
import { nextError, nextMatch, slowestPath } from './tree/walk.ts';

interface ActionsOf {
  traceId: string;
  index: SpanIndex;
  state: TraceState;
  change: (patch: Partial<TraceState>) => void;
  selected: number;
  select: (row: number, isCentred: boolean) => void;
  matches: Uint32Array;
  findBox: RefObject<HTMLInputElement | null>;
}

export type TraceActions = ReturnType<typeof useTraceActions>;

/** Returns what a person can do with an open trace, and makes the keys work that do it too. */
export function useTraceActions(open: ActionsOf) {
  const { traceId, index, state, change, selected, select, matches, findBox } = open;
  const openScreen = useOpen();
  const isPhone = useWindowWidth() === 'phone';
  const actions = {
    toError: (): void => {
      const row = nextError(index, selected);
      if (row === -1) announce('No span of this trace failed');
      else select(row, true);
    },
    toSlowest: (): void => {
      const path = slowestPath(index);
      select(path.at(-1) ?? 0, true);
      announce(`The longest time is ${path.length} ${path.length === 1 ? 'level' : 'levels'} deep`);
    },
    toMatch: (by: 1 | -1): void => {
      const row = nextMatch(matches, selected, by);
      if (row !== -1) select(row, true);
    },
    toggleLens: (): void => change({ steps: state.steps === 'model' ? 'all' : 'model' }),
    fitTime: (): void => change({ time: state.time === 'rows' ? 'all' : 'rows' }),
    compare: (): void => openScreen(`/compare?a=${traceId}`),
    annotate: (): void => change({ tab: 'evals', ...(isPhone && { view: 'span' }) }),
  };
  const group = 'This trace';
  useShortcuts([
    { keys: 'e', label: 'Next error', group, run: actions.toError },
    { keys: 'p', label: 'Slowest path', group, run: actions.toSlowest },
    { keys: 'm', label: 'Model steps only', group, run: actions.toggleLens },
    { keys: 'f', label: 'Fit the complete time, or the rows in view', group, run: actions.fitTime },
    { keys: '/', label: 'Find in the trace', group, run: () => findBox.current?.focus() },
    { keys: 'n', label: 'Next match', group, run: () => actions.toMatch(1) },
    { keys: 'Shift N', label: 'Previous match', group, run: () => actions.toMatch(-1) },
    { keys: 'c', label: 'Compare with another trace', group, run: actions.compare },
    { keys: 'a', label: 'Review', group, run: actions.annotate },
  ]);
  return actions;
}
