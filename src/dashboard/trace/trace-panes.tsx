import { type ReactNode, useMemo, useState } from 'react';
import type { SpanIndex } from '../../span-index/reader.ts';
import type { WindowWidth } from '../app/window-width.ts';
import { Splitter, useStoredWidth } from '../ui/splitter.tsx';
import { AgentGraph } from './graph/agent-graph.tsx';
import { readMode, type TraceState, type TraceView, writeMode } from './trace-state.ts';
import { Transcript } from './transcript/transcript.tsx';
import type { Outline } from './tree/outline.ts';
import { Tree } from './tree/tree.tsx';

/** Usual width of the pane of the span, and the least that it and its neighbour need. */
const USUAL = 420;
const LEAST = 320;

interface TracePanesProps {
  traceId: string;
  index: SpanIndex;
  outline: Outline;
  answer: number;
  view: TraceView;
  selection: { selected: number; isCentred: boolean; select: (row: number, isCentred: boolean) => void };
  matches: Uint32Array;
  state: TraceState;
  change: (patch: Partial<TraceState>) => void;
  width: WindowWidth;
  /** Everything about the selected span. */
  pane: ReactNode;
}

/**
 * The steps of a trace beside the selected span; where there is less width, above it or alone. The parts keep their places in the
 * tree of elements at every width, so that an open dialog of the span survives when the window becomes narrower.
 */
export function TracePanes(props: TracePanesProps): ReactNode {
  const { view, width, pane } = props;
  const [paneWidth, setPaneWidth, resetPaneWidth] = useStoredWidth('span', USUAL);
  const isPhone = width === 'phone';
  const isStacked = width === 'narrow';
  const isBeside = !isPhone && !isStacked;
  const showsPane = !isPhone || view === 'span';
  // What was shown once may have a dialog open.
  const [wasShown, setWasShown] = useState(showsPane);
  if (showsPane && !wasShown) setWasShown(true);
  return (
    <div
      className={
        isStacked
          ? 'grid h-full grid-rows-[minmax(0,1fr)_minmax(0,1fr)] divide-y divide-line'
          : isBeside
            ? 'flex h-full'
            : 'h-full'
      }
    >
      {view === 'transcript' && width === 'wide' && (
        <div key="steps" className="w-[288px] shrink-0 border-r border-line">
          <Steps {...props} isCompact />
        </div>
      )}
      {(!isPhone || view !== 'span') && (
        <div key="main" className={isBeside ? 'min-w-0 grow' : 'h-full min-h-0 min-w-0'}>
          <Main {...props} />
        </div>
      )}
      {isBeside && (
        <Splitter
          key="splitter"
          label="Width of the selected span"
          width={paneWidth}
          min={LEAST}
          max={Math.max(USUAL, innerWidth - 700)}
          onChange={setPaneWidth}
          onReset={resetPaneWidth}
        />
      )}
      {(showsPane || wasShown) && (
        <div
          key="pane"
          hidden={!showsPane}
          className={isBeside ? 'shrink-0' : 'h-full min-h-0 min-w-0'}
          style={isBeside ? { width: `min(${paneWidth}px, 45%)` } : undefined}
        >
          {pane}
        </div>
      )}
    </div>
  );
}

function Main(props: TracePanesProps): ReactNode {
  const { traceId, index, answer, view, width } = props;
  const { selected, select } = props.selection;
  // On a phone, a chosen step opens in place of the steps.
  const open = (row: number, isCentred: boolean): void => {
    select(row, isCentred);
    if (width === 'phone') props.change({ view: 'span', tab: '', span: index.spanId(row) });
  };
  if (view === 'graph')
    return <AgentGraph index={index} selected={selected} onSelect={(row) => open(row, true)} />;
  if (view === 'transcript')
    return (
      <Transcript
        traceId={traceId}
        index={index}
        answer={answer}
        selected={selected}
        onSelect={(row) => open(row, true)}
      />
    );
  return <Steps {...props} isCompact={width === 'phone'} />;
}

function Steps({
  index,
  outline,
  matches,
  selection: { selected, isCentred, select },
  state,
  change,
  width,
  isCompact,
}: TracePanesProps & { isCompact: boolean }): ReactNode {
  const [, redraw] = useState(0);
  const matchSet = useMemo(() => new Set(matches), [matches]);
  const mode = useMemo(() => readMode(state.time), [state.time]);
  return (
    <Tree
      outline={outline}
      selected={selected}
      isCentred={isCentred}
      matches={matchSet}
      mode={mode}
      isCompact={isCompact}
      onSelect={(row) => {
        select(row, false);
        if (width === 'phone') change({ view: 'span', tab: '', span: index.spanId(row) });
      }}
      onMode={(next) => change({ time: writeMode(next) })}
      onToggle={() => redraw((count) => count + 1)}
    />
  );
}
