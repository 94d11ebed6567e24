import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
} from 'react';
import { classNames } from '../../ui/class-names.ts';
import type { Outline } from './outline.ts';
import { placeOfEvent } from './row-slots.ts';
import { moveInTree } from './tree-keys.ts';
import { type TimeMode, TreeView } from './tree-view.ts';

export interface TreeProps {
  outline: Outline;
  selected: number;
  /** True if the selected row should come to the middle of the view. */
  isCentred: boolean;
  matches: ReadonlySet<number>;
  mode: TimeMode;
  /** True if the tree stands beside a transcript, without a minimap. */
  isCompact?: boolean;
  onSelect: (row: number) => void;
  onMode: (mode: TimeMode) => void;
  /** Called when rows were opened or closed. */
  onToggle: () => void;
}

/** Pixels that the pointer moves at least when it chooses a part of the time. */
const DRAG = 5;

/** The tree of spans with their bars, a time axis and a minimap. */
export function Tree(props: TreeProps): ReactNode {
  const { outline, selected, isCompact = false, onSelect, onMode, onToggle } = props;
  const root = useRef<HTMLDivElement>(null);
  const view = useTreeView(root, props);
  useEffect(() => {
    // Unless something else has the focus, arrow keys move through the tree at once.
    if (document.activeElement === document.body)
      root.current?.querySelector<HTMLElement>('[role=treegrid]')?.focus({ preventScroll: true });
  }, []);
  const toggle = (row: number, isClosed = !outline.isClosed(row)): void => {
    if (!outline.canClose(row)) return;
    outline.setClosed(row, isClosed);
    view.current?.refresh();
    onToggle();
  };
  const press = (event: KeyboardEvent): void => {
    const move = moveInTree(event.key, outline, selected, view.current?.pageSize ?? 1);
    if (move === null || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if ('toggle' in move) toggle(move.toggle, move.isClosed);
    else onSelect(move.select);
  };
  const click = (event: MouseEvent): void => {
    const hit = placeOfEvent(event.target);
    if (hit === null) return;
    const row = outline.row(hit.place);
    if (hit.isSign) toggle(row);
    else onSelect(row);
  };
  const doubleClick = (event: MouseEvent): void => {
    const hit = placeOfEvent(event.target);
    if (hit !== null && !hit.isSign) toggle(outline.row(hit.place));
  };
  return (
    <div
      ref={root}
      className={classNames('flex h-full min-w-0 flex-col', isCompact && '[&_[data-note]]:hidden')}
    >
      <Minimap outline={outline} isHidden={isCompact} onSelect={onSelect} onMode={onMode} />
      <div className="flex h-[22px] shrink-0 border-b border-line bg-page" aria-hidden="true">
        <div className="w-[var(--names)] shrink-0 border-r border-line" />
        <canvas data-part="axis" className="h-[22px] w-[var(--bars)]" />
      </div>
      <div
        data-part="scroller"
        role="treegrid"
        aria-label="Spans"
        aria-readonly="true"
        tabIndex={0}
        className="relative min-h-0 grow overflow-x-hidden overflow-y-auto outline-none [scrollbar-gutter:stable] focus-visible:outline-2 focus-visible:-outline-offset-2"
        onKeyDown={press}
        onClick={click}
        onDoubleClick={doubleClick}
      >
        <div data-part="top" aria-hidden="true" className="sticky top-0 z-2 h-0">
          <canvas data-part="top-bars" className={BARS} />
        </div>
        <div data-part="content" role="rowgroup" className="relative">
          <canvas data-part="bars" aria-hidden="true" className={BARS} />
        </div>
      </div>
    </div>
  );
}

const BARS =
  'pointer-events-none absolute top-0 left-[var(--names)] z-1 w-[var(--bars)] border-l border-line';

/** Returns the view that draws into the elements below `root`, and keeps it at what the properties say. */
function useTreeView(
  root: RefObject<HTMLDivElement | null>,
  { outline, selected, isCentred, matches, mode }: TreeProps,
): RefObject<TreeView | null> {
  const view = useRef<TreeView | null>(null);
  const shown = useRef(outline);
  useEffect(() => {
    if (root.current === null) return undefined;
    const made = new TreeView(elementsOf(root.current), shown.current);
    view.current = made;
    return () => {
      made.dispose();
      view.current = null;
    };
  }, [root]);
  useEffect(() => {
    shown.current = outline;
    view.current?.setOutline(outline);
  }, [outline]);
  useEffect(() => view.current?.setMode(mode), [mode]);
  useEffect(() => view.current?.setMatches(matches), [matches]);
  useEffect(() => {
    if (selected >= 0) view.current?.select(selected, { isCentred });
  }, [outline, selected, isCentred]);
  return view;
}

const elementsOf = (root: HTMLElement) => {
  const part = <T extends HTMLElement>(name: string): T => {
    const found = root.querySelector<T>(`[data-part="${name}"]`);
    if (found === null) throw new Error(`The tree has no part "${name}"`);
    return found;
  };
  return {
    root,
    minimap: part<HTMLCanvasElement>('minimap'),
    mark: part('mark'),
    axis: part<HTMLCanvasElement>('axis'),
    scroller: part('scroller'),
    top: part('top'),
    topBars: part<HTMLCanvasElement>('top-bars'),
    content: part('content'),
    bars: part<HTMLCanvasElement>('bars'),
  };
};

/** All spans at once. A click leads to that moment; a part that is dragged over fills the bars. */
function Minimap({
  outline,
  isHidden,
  onSelect,
  onMode,
}: Pick<TreeProps, 'outline' | 'onSelect' | 'onMode'> & { isHidden: boolean }): ReactNode {
  const start = useRef<number | null>(null);
  const shareOf = ({ clientX, currentTarget }: PointerEvent): number => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.min(Math.max((clientX - left) / width, 0), 1);
  };
  const release = (event: PointerEvent): void => {
    if (start.current === null) return;
    const [from, to] = [start.current, shareOf(event)].toSorted((a, b) => a - b) as [number, number];
    start.current = null;
    const { durationMs } = outline.index;
    const isDrag = (to - from) * event.currentTarget.clientWidth >= DRAG;
    if (isDrag) onMode({ from: from * durationMs, to: to * durationMs });
    else onSelect(rowAt(outline, from * durationMs));
  };
  return (
    <div
      aria-hidden="true"
      hidden={isHidden}
      className="relative h-[54px] shrink-0 cursor-crosshair border-b border-line"
      onPointerDown={(event) => {
        start.current = shareOf(event);
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerUp={release}
    >
      <canvas data-part="minimap" className="size-full" />
      <div
        data-part="mark"
        hidden
        className="pointer-events-none absolute inset-y-0 border-2 border-accent"
      />
    </div>
  );
}

/** Returns the shown row that starts nearest to a moment. */
function rowAt(outline: Outline, ms: number): number {
  let nearest = 0;
  for (let place = 1; place < outline.count; place++) {
    const distance = Math.abs(outline.index.start(outline.row(place)) - ms);
    if (distance < Math.abs(outline.index.start(outline.row(nearest)) - ms)) nearest = place;
  }
  return outline.row(nearest);
}
