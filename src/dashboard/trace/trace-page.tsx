import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { ApiError } from '../../api/client.ts';
import type { SpanIndex } from '../../span-index/reader.ts';
import { usePathParam, useUrlState } from '../app/url.tsx';
import { useWindowWidth } from '../app/window-width.ts';
import { formatWhole } from '../format/number.ts';
import { Button } from '../ui/button.tsx';
import { ErrorPanel } from '../ui/error-panel.tsx';
import { Page } from '../ui/page.tsx';
import { LoadingRows } from '../ui/states.tsx';
import { MakeExample } from './make-example.tsx';
import { CopyMenu } from './copy-menu.tsx';
import { factsOf } from './facts.ts';
import { TitleFacts, TraceSumsLine } from './header.tsx';
import { SpanlessTrace } from './spanless-trace.tsx';
import { SpanPane } from './span/span-pane.tsx';
import { AddNoteButton } from './notes/add-note-button.tsx';
import { TraceNotesProvider } from './notes/trace-notes.tsx';
import { Outline } from './tree/outline.ts';
import { TRACE_DEFAULTS, type TraceState, type TraceView } from './trace-state.ts';
import { TracePanes } from './trace-panes.tsx';
import { answerRow } from './transcript/answer.ts';
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
  if (isUnknown || index?.rows === 0)
    return <SpanlessTrace traceId={traceId} onRetry={() => void refetch()} />;
  return (
    <Page title="Trace" back="/traces">
      {error === null ? (
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
  const answer = useMemo(() => answerRow(index), [index]);
  const width = useWindowWidth();
  const view = viewOf(state, answer !== -1 && index.rows <= MAX_TRANSCRIPT, width === 'phone');
  const first = answer === -1 || index.rows > MAX_TRANSCRIPT ? firstRow(index) : answer;
  const deliveries = useMemo(() => factsOf(index).deliveries, [index]);
  const hidesDeliveries = deliveries > 0 && deliveries < index.rows && state.deliveries !== 'yes';
  const outline = useOutline(index, state.steps === 'model', hidesDeliveries);
  const selection = useSelection(index, state.span, first, (span) => change({ span }));
  const { selected, settled, select } = selection;
  const matches = useMemo(() => findRows(index, state.find), [index, state.find]);
  const findBox = useRef<HTMLInputElement>(null);
  const shown = { state, change, selected, matches, findBox };
  const actions = useTraceActions({ ...shown, traceId, index, select });
  const tab = state.tab || (view === 'transcript' && state.span === '' ? 'evals' : 'content');
  const isPhone = width === 'phone';
  return (
    <TraceNotesProvider
      traceId={traceId}
      index={index}
      answer={answer}
      row={settled}
      onOpen={() => change({ tab: 'notes', ...(isPhone && { view: 'span' }) })}
      onShow={(span) => change({ tab: 'content', span, ...(isPhone && { view: 'span' }) })}
    >
      <Page
        title={index.name(firstRow(index)) || listed?.rootName || 'Trace'}
        back="/traces"
        facts={<TitleFacts traceId={traceId} index={index} listed={listed} />}
        actions={<TraceButtons traceId={traceId} spanId={index.spanId(settled)} {...actions} />}
        bar={
          <div className="grid grid-cols-1 gap-1.5">
            <TraceSumsLine traceId={traceId} index={index} listed={listed} />
            <ViewBar
              {...shown}
              view={view}
              hasAnswer={answer !== -1}
              deliveries={deliveries < index.rows ? deliveries : 0}
              isPhone={isPhone}
              actions={actions}
              copy={<CopyMenu traceId={traceId} spanId={index.spanId(settled)} />}
            />
          </div>
        }
      >
        <TracePanes
          traceId={traceId}
          index={index}
          outline={outline}
          answer={answer}
          view={view}
          selection={selection}
          matches={matches}
          state={state}
          change={change}
          width={width}
          pane={
            <SpanPane
              traceId={traceId}
              index={index}
              row={settled}
              answer={answer}
              tab={tab}
              onTab={(next) => change({ tab: next })}
              onSelect={(row) => select(row, true)}
            />
          }
        />
        <p role="status" className="sr-only">
          {state.find !== '' && `${formatWhole(matches.length)} matches`}
        </p>
      </Page>
    </TraceNotesProvider>
  );
}

/** Spans of the largest trace that opens as a transcript. */
const MAX_TRANSCRIPT = 5_000;

/** Returns what the page shows beside the span; on a phone, the span is a view of its own. */
function viewOf({ view }: TraceState, opensAsTranscript: boolean, isPhone: boolean): TraceView {
  if (view === 'graph' || view === 'tree' || view === 'transcript') return view;
  if (view === 'span' && isPhone) return 'span';
  return opensAsTranscript ? 'transcript' : 'tree';
}

interface TraceButtonsProps extends Pick<ReturnType<typeof useTraceActions>, 'compare' | 'annotate'> {
  traceId: string;
  spanId: string;
}

const TraceButtons = ({ traceId, spanId, compare, annotate }: TraceButtonsProps): ReactNode => (
  <>
    <Button onClick={compare}>Compare</Button>
    <Button onClick={annotate}>Review</Button>
    <AddNoteButton spanId={spanId} />
    <MakeExample traceId={traceId} />
  </>
);

/** Returns the outline of a trace. While the trace grows, rows stay open or closed as they are. */
function useOutline(index: SpanIndex, hasLens: boolean, hidesDeliveries: boolean): Outline {
  const last = useRef<Outline | null>(null);
  const outline = useMemo(() => {
    const before = last.current?.hasLens === hasLens ? last.current : undefined;
    return new Outline(index, { hasLens, hidesDeliveries, ...(before && { before }) });
  }, [index, hasLens, hidesDeliveries]);
  useEffect(() => {
    last.current = outline;
  }, [outline]);
  return outline;
}

export interface Selection {
  selected: number;
  /** The row whose content is shown. */
  settled: number;
  /** True if the row was found by something other than the tree itself. */
  isCentred: boolean;
  select: (row: number, isCentred: boolean) => void;
}

/** Holds the selected row. The URL follows it once it has stayed for a moment. */
function useSelection(
  index: SpanIndex,
  spanId: string,
  first: number,
  onSettled: (spanId: string) => void,
): Selection {
  const fromUrl = useMemo(() => {
    const row = spanId === '' ? -1 : index.rowOf(spanId);
    return row === -1 ? first : row;
  }, [index, spanId, first]);
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

/** Returns the longest row at the top level that was received; it is selected where there is no answer. */
function firstRow(index: SpanIndex): number {
  let first = -1;
  for (let row = 0; row < index.rows; row = index.subtreeEnd(row)) {
    if (index.isPlaceholder(row) || index.has(row, 'delivery')) continue;
    if (first === -1 || (index.durationTicks[row] as number) > (index.durationTicks[first] as number))
      first = row;
  }
  return Math.max(first, 0);
}
