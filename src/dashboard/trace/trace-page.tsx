import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { ApiError } from '../../api/client.ts';
import type { SpanIndex } from '../../span-index/reader.ts';
import { usePathParam, useUrlState } from '../app/url.tsx';
import { formatWhole } from '../format/number.ts';
import { Button } from '../ui/button.tsx';
import { ErrorPanel } from '../ui/error-panel.tsx';
import { Page } from '../ui/page.tsx';
import { LoadingRows } from '../ui/states.tsx';
import { MakeExample } from './make-example.tsx';
import { AgentGraph } from './graph/agent-graph.tsx';
import { TitleFacts, TraceSumsLine } from './header.tsx';
import { MissingTrace } from './missing-trace.tsx';
import { SpanPane } from './span/span-pane.tsx';
import { Outline } from './tree/outline.ts';
import { Tree } from './tree/tree.tsx';
import { readMode, TRACE_DEFAULTS, type TraceState, writeMode } from './trace-state.ts';
import { findRows } from './tree/walk.ts';
import { useListedTrace } from './use-listed-trace.ts';
import { useSpanIndex } from './use-span-index.ts';
import { useTraceActions } from './use-trace-actions.ts';
import { ViewBar } from './view-bar.tsx';

/** Milliseconds that a row stays selected before its content is loaded: arrow keys repeat. */
const SETTLE_MS = 90;

export function TracePage(): ReactNode {
  const traceId = usePathParam('traceId');
  const loaded = useSpanIndex(traceId);
  const { data: index, error, refetch } = loaded;
  if (index !== undefined && index.rows > 0)
    return <OpenTrace key={traceId} traceId={traceId} index={index} />;
  const isUnknown = error instanceof ApiError && error.status === 404;
  return (
    <Page title="Trace" back="/traces">
      {isUnknown || index?.rows === 0 ? (
        <MissingTrace traceId={traceId} onRetry={() => void refetch()} />
      ) : error === null ? (
        <div className="px-4">
          <LoadingRows rows={12} />
        </div>
      ) : (
        <div className="p-4">
          <ErrorPanel error={error} onRetry={() => void refetch()} />
        </div>
      )}
    </Page>
  );
}

function OpenTrace({ traceId, index }: { traceId: string; index: SpanIndex }): ReactNode {
  const [state, changeUrl] = useUrlState(TRACE_DEFAULTS);
  const change = (patch: Partial<TraceState>): void => changeUrl(patch, { replace: true });
  const listed = useListedTrace(traceId);
  const outline = useOutline(index, state.steps === 'model');
  const { selected, settled, isCentred, select } = useSelection(index, state.span, (span) =>
    change({ span }),
  );
  const matches = useMemo(() => findRows(index, state.find), [index, state.find]);
  const matchSet = useMemo(() => new Set(matches), [matches]);
  const mode = useMemo(() => readMode(state.time), [state.time]);
  const findBox = useRef<HTMLInputElement>(null);
  const [, redraw] = useState(0);
  const shown = { state, change, selected, matches, findBox };
  const actions = useTraceActions({ ...shown, traceId, index, select });
  return (
    <Page
      title={index.name(firstRow(index)) || listed?.rootName || 'Trace'}
      back="/traces"
      facts={<TitleFacts traceId={traceId} index={index} listed={listed} />}
      actions={<TraceButtons traceId={traceId} {...actions} />}
      bar={
        <div className="grid gap-1.5">
          <TraceSumsLine traceId={traceId} index={index} listed={listed} />
          <ViewBar {...shown} actions={actions} />
        </div>
      }
    >
      <div className="grid h-full grid-cols-[minmax(0,1fr)_minmax(320px,31%)] grid-rows-[minmax(0,1fr)]">
        {state.view === 'graph' ? (
          <AgentGraph index={index} selected={selected} onSelect={(row) => select(row, true)} />
        ) : (
          <Tree
            outline={outline}
            selected={selected}
            isCentred={isCentred}
            matches={matchSet}
            mode={mode}
            onSelect={(row) => select(row, false)}
            onMode={(next) => change({ time: writeMode(next) })}
            onToggle={() => redraw((count) => count + 1)}
          />
        )}
        <SpanPane
          traceId={traceId}
          index={index}
          row={settled}
          tab={state.tab}
          onTab={(tab) => change({ tab })}
          onSelect={(row) => select(row, true)}
        />
      </div>
      <p role="status" className="sr-only">
        {state.find !== '' && `${formatWhole(matches.length)} matches`}
      </p>
    </Page>
  );
}

interface TraceButtonsProps extends Pick<ReturnType<typeof useTraceActions>, 'compare' | 'annotate'> {
  traceId: string;
}

const TraceButtons = ({ traceId, compare, annotate }: TraceButtonsProps): ReactNode => (
  <>
    <Button keys="c" onClick={compare}>
      Compare
    </Button>
    <Button keys="a" onClick={annotate}>
      Review
    </Button>
    <MakeExample traceId={traceId} />
  </>
);

/** Returns the outline of a trace. While the trace grows, rows stay open or closed as they are. */
function useOutline(index: SpanIndex, hasLens: boolean): Outline {
  const last = useRef<Outline | null>(null);
  const outline = useMemo(() => {
    const before = last.current?.hasLens === hasLens ? last.current : undefined;
    return new Outline(index, { hasLens, ...(before && { before }) });
  }, [index, hasLens]);
  useEffect(() => {
    last.current = outline;
  }, [outline]);
  return outline;
}

interface Selection {
  selected: number;
  /** The row whose content is shown. */
  settled: number;
  /** True if the row was found by something other than the tree itself. */
  isCentred: boolean;
  select: (row: number, isCentred: boolean) => void;
}

/** Holds the selected row. The URL follows it once it has stayed for a moment. */
function useSelection(index: SpanIndex, spanId: string, onSettled: (spanId: string) => void): Selection {
  const fromUrl = useMemo(() => {
    const row = spanId === '' ? -1 : index.rowOf(spanId);
    return row === -1 ? firstRow(index) : row;
  }, [index, spanId]);
  const [chosen, setChosen] = useState({ row: fromUrl, isCentred: true });
  const latest = useRef(onSettled);
  useEffect(() => {
    latest.current = onSettled;
  });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    clearTimeout(timer.current);
    setChosen((now) => (now.row === fromUrl ? now : { row: fromUrl, isCentred: true }));
  }, [fromUrl]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const select = useCallback(
    (row: number, isCentred: boolean) => {
      setChosen({ row, isCentred });
      clearTimeout(timer.current);
      timer.current = setTimeout(() => latest.current(index.spanId(row)), SETTLE_MS);
    },
    [index],
  );
  return { selected: chosen.row, settled: fromUrl, isCentred: chosen.isCentred, select };
}

/** Returns the row that is selected at first: the longest one at the top level that was received. */
function firstRow(index: SpanIndex): number {
  let first = -1;
  for (let row = 0; row < index.rows; row = index.subtreeEnd(row)) {
    if (index.isPlaceholder(row)) continue;
    if (first === -1 || (index.durationTicks[row] as number) > (index.durationTicks[first] as number))
      first = row;
  }
  return Math.max(first, 0);
}
