import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { ApiError } from '../../api/client.ts';
import type { SpanIndex } from '../../span-index/reader.ts';
import { useShortcuts } from '../app/shortcuts.ts';
import { useOpen, usePathParam, useUrlState } from '../app/url.tsx';
import { formatWhole } from '../format/number.ts';
import { Button } from '../ui/button.tsx';
import { ErrorPanel } from '../ui/error-panel.tsx';
import { Page } from '../ui/page.tsx';
import { LoadingRows } from '../ui/states.tsx';
import { announce } from '../ui/status-line.tsx';
import { FindBox } from './find-box.tsx';
import { AgentGraph } from './graph/agent-graph.tsx';
import { TitleFacts, TraceSums } from './header.tsx';
import { MissingTrace } from './missing-trace.tsx';
import { SpanPane } from './span/span-pane.tsx';
import { Outline } from './tree/outline.ts';
import { Tree } from './tree/tree.tsx';
import type { TimeMode } from './tree/tree-view.ts';
import { findRows, nextError, nextMatch, slowestPath } from './tree/walk.ts';
import { useListedTrace } from './use-listed-trace.ts';
import { useSpanIndex } from './use-span-index.ts';

const DEFAULTS = { span: '', tab: 'content', view: 'tree', find: '', steps: 'all', time: 'rows' };
/** Milliseconds that a row stays selected before its content is loaded: arrow keys repeat. */
const SETTLE_MS = 90;

export function TracePage(): ReactNode {
  const traceId = usePathParam('traceId');
  const loaded = useSpanIndex(traceId);
  const { data: index, error, isPlaceholderData, refetch } = loaded;
  if (index !== undefined && !isPlaceholderData && index.rows > 0)
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
  const [state, change] = useUrlState(DEFAULTS);
  const open = useOpen();
  const listed = useListedTrace(traceId, index);
  const hasLens = state.steps === 'model';
  const outline = useOutline(index, hasLens);
  const title = index.name(firstRow(index)) || listed?.rootName || 'Trace';
  const { selected, settled, isCentred, select } = useSelection(index, state.span, (span) =>
    change({ span }, { replace: true }),
  );
  const matches = useMemo(() => findRows(index, state.find), [index, state.find]);
  const matchSet = useMemo(() => new Set(matches), [matches]);
  const findBox = useRef<HTMLInputElement>(null);
  const [, redraw] = useState(0);
  const mode = useMemo(() => readMode(state.time), [state.time]);

  const toError = (): void => {
    const row = nextError(index, selected);
    if (row === -1) announce('No span of this trace failed');
    else select(row, true);
  };
  const toSlowest = (): void => {
    const path = slowestPath(index);
    select(path.at(-1) ?? 0, true);
    announce(`The longest time is ${path.length} ${path.length === 1 ? 'level' : 'levels'} deep`);
  };
  const toMatch = (by: 1 | -1): void => {
    const row = nextMatch(matches, selected, by);
    if (row !== -1) select(row, true);
  };
  const toggleLens = (): void => change({ steps: hasLens ? 'all' : 'model' }, { replace: true });
  const fitTime = (): void => change({ time: state.time === 'rows' ? 'all' : 'rows' }, { replace: true });
  const compare = (): void => open(`/compare?a=${traceId}`);
  const group = 'This trace';
  useShortcuts([
    { keys: 'e', label: 'Next error', group, run: toError },
    { keys: 'p', label: 'Slowest path', group, run: toSlowest },
    { keys: 'm', label: 'Model steps only', group, run: toggleLens },
    { keys: 'f', label: 'Fit the complete time, or the rows in view', group, run: fitTime },
    { keys: '/', label: 'Find in the trace', group, run: () => findBox.current?.focus() },
    { keys: 'n', label: 'Next match', group, run: () => toMatch(1) },
    { keys: 'Shift N', label: 'Previous match', group, run: () => toMatch(-1) },
    { keys: 'c', label: 'Compare with another trace', group, run: compare },
    { keys: 'a', label: 'Annotate', group, run: () => change({ tab: 'evals' }, { replace: true }) },
  ]);

  const isTree = state.view !== 'graph';
  return (
    <Page
      title={title}
      back="/traces"
      facts={<TitleFacts traceId={traceId} index={index} listed={listed} />}
      actions={
        <>
          <Button keys="c" onClick={compare}>
            Compare
          </Button>
          <Button keys="a" onClick={() => change({ tab: 'evals' }, { replace: true })}>
            Annotate
          </Button>
        </>
      }
      bar={
        <div className="grid gap-1.5">
          <TraceSums traceId={traceId} index={index} listed={listed} />
          <div className="flex flex-wrap items-center gap-2">
            <FindBox
              ref={findBox}
              value={state.find}
              matches={matches}
              selected={selected}
              onChange={(find) => change({ find }, { replace: true })}
              onMove={toMatch}
            />
            <Toggle isOn={isTree} onClick={() => change({ view: 'tree' }, { replace: true })}>
              Tree
            </Toggle>
            <Toggle isOn={!isTree} onClick={() => change({ view: 'graph' }, { replace: true })}>
              Agent graph
            </Toggle>
            <div className="ml-auto flex flex-wrap gap-2">
              <Button keys="e" onClick={toError}>
                Next error
              </Button>
              <Button keys="p" onClick={toSlowest}>
                Slowest path
              </Button>
              <Toggle isOn={hasLens} keys="m" onClick={toggleLens}>
                Model steps
              </Toggle>
              <Toggle isOn={state.time !== 'rows'} keys="f" onClick={fitTime}>
                {typeof mode === 'object' ? 'Chosen time' : 'Complete time'}
              </Toggle>
            </div>
          </div>
        </div>
      }
    >
      <div className="grid h-full grid-cols-[minmax(0,1fr)_minmax(320px,31%)] grid-rows-[minmax(0,1fr)]">
        {isTree ? (
          <Tree
            outline={outline}
            selected={selected}
            isCentred={isCentred}
            matches={matchSet}
            mode={mode}
            onSelect={(row) => select(row, false)}
            onMode={(next) => change({ time: writeMode(next) }, { replace: true })}
            onToggle={() => redraw((count) => count + 1)}
          />
        ) : (
          <AgentGraph index={index} selected={selected} onSelect={(row) => select(row, true)} />
        )}
        <SpanPane
          traceId={traceId}
          index={index}
          row={settled}
          tab={state.tab}
          onTab={(tab) => change({ tab }, { replace: true })}
          onSelect={(row) => select(row, true)}
        />
      </div>
      <p role="status" className="sr-only">
        {state.find !== '' && `${formatWhole(matches.length)} matches`}
      </p>
    </Page>
  );
}

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

function Toggle({
  isOn,
  keys,
  onClick,
  children,
}: {
  isOn: boolean;
  keys?: string;
  onClick: () => void;
  children: ReactNode;
}): ReactNode {
  return (
    <Button
      look={isOn ? 'chosen' : 'plain'}
      aria-pressed={isOn}
      onClick={onClick}
      {...(keys !== undefined && { keys })}
    >
      {children}
    </Button>
  );
}

/** Reads the time of the bars from the URL: `rows`, `all`, or milliseconds such as `1200-3400`. */
function readMode(text: string): TimeMode {
  if (text === 'all') return 'all';
  const [, from, to] = /^(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  const part = { from: Number(from), to: Number(to) };
  return part.to > part.from ? part : 'rows';
}

const writeMode = (mode: TimeMode): string =>
  typeof mode === 'string' ? mode : `${mode.from.toFixed(3)}-${mode.to.toFixed(3)}`;
