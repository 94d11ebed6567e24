import { stickyAncestors } from './ancestors.ts';
import { BarPainter, drawAxis, fitCanvas, ROW_HEIGHT } from './bars.ts';
import { drawMinimap } from './minimap.ts';
import type { Outline } from './outline.ts';
import { type CanvasColours, readPalette, watchTheme } from './palette.ts';
import { RowSlots, type RowState } from './row-slots.ts';
import { completeWindow, fitWindow, type TimeWindow } from './time-window.ts';

/** Elements that the view fills; React makes them and never changes what is in them. */
export interface TreeElements {
  root: HTMLElement;
  minimap: HTMLCanvasElement;
  /** Marks the time that the bars show within the minimap. */
  mark: HTMLElement;
  axis: HTMLCanvasElement;
  scroller: HTMLElement;
  /** Holds the ancestors that stay on top. */
  top: HTMLElement;
  topBars: HTMLCanvasElement;
  content: HTMLElement;
  bars: HTMLCanvasElement;
}

/** Time that the bars show: that of the rows in view, all of it, or a part that the person chose. */
export type TimeMode = 'rows' | 'all' | TimeWindow;

/** Part of the width that names take, and in a narrow tree. */
const NAMES = 0.49;
const NARROW_NAMES = 0.7;
const NARROW = 420;
const OVERSCAN = 8;
const AXIS_HEIGHT = 22;
/** Screens that the canvas of the bars covers. */
const TILE_SCREENS = 3;
/** Milliseconds between two changes of the time that follows the rows. */
const FOLLOW_EVERY = 80;
/** Browsers show no element that is higher than about twice this. */
const MAX_HEIGHT = 8_000_000;

let views = 0;

/**
 * The tree and its bars. Rows are recycled DOM elements, so that text can be selected and read aloud; bars are drawn on one
 * canvas that scrolls with them. Changes wait for the next frame.
 */
export class TreeView {
  private readonly elements: TreeElements;
  private readonly slots: RowSlots;
  private readonly topSlots: RowSlots;
  private readonly painter: BarPainter;
  private palette: CanvasColours;
  private outline: Outline;
  private mode: TimeMode = 'rows';
  private window: TimeWindow;
  private selected = -1;
  private matches: ReadonlySet<number> = new Set();
  private size = { width: 0, height: 0, names: 0 };
  private tile = { first: 0, end: 0 };
  private shift = 0;
  /** Topmost place of the latest tile. */
  private tileAt = 0;
  private frame = 0;
  private isStale = true;
  private followedAt = 0;
  private followTimer: ReturnType<typeof setTimeout> | undefined;
  private minimapTimer: ReturnType<typeof setTimeout> | undefined;
  private readonly ends: (() => void)[] = [];

  constructor(elements: TreeElements, outline: Outline) {
    this.elements = elements;
    this.outline = outline;
    this.painter = new BarPainter(outline.index);
    this.palette = readPalette();
    this.window = completeWindow(outline.index);
    views += 1;
    this.slots = new RowSlots(elements.content, `trace-${views}-row`);
    this.topSlots = new RowSlots(elements.top, `trace-${views}-top`);
    const scrolled = (): void => this.schedule();
    elements.scroller.addEventListener('scroll', scrolled, { passive: true });
    const resized = new ResizeObserver(() => this.measure());
    resized.observe(elements.root);
    this.ends.push(
      () => elements.scroller.removeEventListener('scroll', scrolled),
      () => resized.disconnect(),
      watchTheme(() => {
        this.palette = readPalette();
        this.refresh();
        this.drawMinimapSoon();
      }),
    );
    this.measure();
  }

  dispose(): void {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.followTimer);
    clearTimeout(this.minimapTimer);
    for (const end of this.ends) end();
    this.elements.content.replaceChildren(this.elements.bars);
    this.elements.top.replaceChildren(this.elements.topBars);
  }

  /** Shows other rows of the same trace. The first row in view stays where it is, as far as possible. */
  setOutline(outline: Outline): void {
    const { index, count } = this.outline;
    const before = count > 0 ? this.outline.row(Math.min(this.firstPlace(), count - 1)) : 0;
    // Rows have other numbers once spans have arrived.
    const first = outline.index === index ? before : outline.index.rowOf(index.spanId(before));
    this.outline = outline;
    this.refresh();
    this.scrollToPlace(first === -1 ? 0 : Math.max(outline.placeOf(first), 0));
  }

  setMode(mode: TimeMode): void {
    this.mode = mode;
    this.followedAt = 0;
    this.refresh();
  }

  setMatches(matches: ReadonlySet<number>): void {
    this.matches = matches;
    this.refresh();
  }

  /** Marks a row as selected, and opens what hides it. */
  select(row: number, { isCentred = false }: { isCentred?: boolean } = {}): void {
    this.outline.reveal(row);
    this.selected = row;
    this.refresh();
    this.scrollIntoView(this.outline.placeOf(row), isCentred);
  }

  /** Writes everything in view again in the next frame. */
  refresh(): void {
    this.isStale = true;
    this.schedule();
  }

  /** Returns the number of rows that fit. */
  get pageSize(): number {
    return Math.max(1, Math.floor(this.size.height / ROW_HEIGHT) - 1);
  }

  private measure(): void {
    const { root, scroller } = this.elements;
    const width = scroller.clientWidth;
    const names = Math.round(width * (width < NARROW ? NARROW_NAMES : NAMES));
    this.size = { width, height: scroller.clientHeight, names };
    root.style.setProperty('--names', `${names}px`);
    root.style.setProperty('--bars', `${width - names}px`);
    this.drawMinimapSoon();
    // Shown at once: a frame without rows would be seen.
    this.isStale = true;
    this.render();
  }

  /** The minimap is drawn after the rows have been painted. */
  private drawMinimapSoon(): void {
    clearTimeout(this.minimapTimer);
    this.minimapTimer = setTimeout(
      () => drawMinimap(this.elements.minimap, this.outline.index, this.palette),
      60,
    );
  }

  private schedule(): void {
    if (this.frame === 0) this.frame = requestAnimationFrame(() => this.render());
  }

  /** Height of all rows, and that of the element that stands for them: a browser's limit can make it smaller. */
  private heights(): { rows: number; content: number } {
    const rows = this.outline.count * ROW_HEIGHT;
    return { rows, content: Math.min(rows, MAX_HEIGHT) };
  }

  /** Returns the position within all rows at which the view begins. */
  private position(): number {
    const { rows, content } = this.heights();
    const { scrollTop } = this.elements.scroller;
    if (rows === content) return scrollTop;
    const room = content - this.size.height;
    return room <= 0 ? 0 : (scrollTop / room) * (rows - this.size.height);
  }

  private firstPlace(): number {
    return Math.max(0, Math.floor(this.position() / ROW_HEIGHT));
  }

  private scrollToPlace(place: number): void {
    const { rows, content } = this.heights();
    const wanted = place * ROW_HEIGHT;
    const { height } = this.size;
    this.elements.content.style.height = `${content}px`;
    this.elements.scroller.scrollTop =
      rows === content ? wanted : (wanted / Math.max(rows - height, 1)) * (content - height);
    this.schedule();
  }

  private scrollIntoView(place: number, isCentred: boolean): void {
    if (place < 0) return;
    const first = this.firstPlace();
    // Ancestors on top cover as many rows as the place has ancestors, at most.
    const covered = Math.min(this.outline.level(place), 6);
    const isAbove = place < first + covered;
    const isBelow = place >= first + this.pageSize;
    if (!isAbove && !isBelow) return;
    if (isCentred) this.scrollToPlace(Math.max(0, place - Math.floor(this.pageSize / 2)));
    else this.scrollToPlace(Math.max(0, isAbove ? place - covered : place - this.pageSize + 1));
  }

  private readonly stateOf = (row: number): RowState => ({
    isSelected: row === this.selected,
    isMatch: this.matches.has(row),
  });

  private render(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    const { outline, elements, size } = this;
    if (size.height === 0) return;
    const { rows, content } = this.heights();
    const isScaled = rows !== content;
    const position = this.position();
    const shift = isScaled ? elements.scroller.scrollTop - position : 0;
    const first = Math.max(0, Math.floor(position / ROW_HEIGHT));
    const end = Math.min(outline.count, Math.ceil((position + size.height) / ROW_HEIGHT));
    const isStale = this.isStale || isScaled;
    if (this.isStale) {
      elements.content.style.height = `${content}px`;
      elements.scroller.setAttribute('aria-rowcount', String(outline.count));
    }
    if (shift !== this.shift) elements.content.style.setProperty('--shift', `${shift}px`);
    this.shift = shift;
    this.slots.show(
      outline,
      Math.max(0, first - OVERSCAN),
      Math.min(outline.count, end + OVERSCAN),
      this.stateOf,
      this.isStale,
    );
    const top = stickyAncestors(outline, first);
    const isMoved = this.follow(Math.min(first + top.length, Math.max(end - 1, 0)), end);
    this.drawTop(top, isStale || isMoved);
    const isInside = first >= this.tile.first && end <= this.tile.end;
    if (!isInside || isStale || isMoved) this.drawTile(first, end, shift);
    this.isStale = false;
    this.showActive(first - OVERSCAN, end + OVERSCAN);
  }

  /** Tells assistive technology which row is the current one, while there is an element for it. */
  private showActive(first: number, end: number): void {
    const { scroller } = this.elements;
    const place = this.selected < 0 ? -1 : this.outline.placeOf(this.selected);
    const isShown = place >= first && place < end && this.outline.row(place) === this.selected;
    if (isShown) scroller.setAttribute('aria-activedescendant', this.slots.idOf(place));
    else scroller.removeAttribute('aria-activedescendant');
  }

  /** Moves the time window to the rows in view, not more often than eyes can follow. */
  private follow(first: number, end: number): boolean {
    const wanted =
      this.mode === 'rows'
        ? fitWindow(this.outline, first, end)
        : this.mode === 'all'
          ? completeWindow(this.outline.index)
          : this.mode;
    const { from, to } = this.window;
    if (wanted.from === from && wanted.to === to && !this.isStale) return false;
    const now = performance.now();
    if (now - this.followedAt < FOLLOW_EVERY && !this.isStale) {
      this.followTimer ??= setTimeout(() => {
        this.followTimer = undefined;
        this.schedule();
      }, FOLLOW_EVERY);
      return false;
    }
    this.followedAt = now;
    this.window = wanted;
    const { axis, mark } = this.elements;
    drawAxis(fitCanvas(axis, this.size.width - this.size.names, AXIS_HEIGHT), wanted, this.palette);
    const whole = completeWindow(this.outline.index);
    const share = (ms: number): number =>
      Math.min(Math.max(ms / Math.max(this.outline.index.durationMs, 0.001), 0), 1);
    const isWhole = wanted.from <= 0 && wanted.to >= whole.to;
    mark.hidden = isWhole;
    mark.style.left = `${share(wanted.from) * 100}%`;
    mark.style.width = `max(6px, ${(share(wanted.to) - share(wanted.from)) * 100}%)`;
    return true;
  }

  private drawTop(places: readonly number[], isStale: boolean): void {
    const { topBars } = this.elements;
    const key = places.join(' ');
    if (!isStale && topBars.dataset['places'] === key) return;
    topBars.dataset['places'] = key;
    this.topSlots.showList(this.outline, places, this.stateOf);
    topBars.hidden = places.length === 0;
    const { width, names } = this.size;
    const rows = places.map((place) => this.outline.row(place));
    const area = fitCanvas(topBars, width - names, places.length * ROW_HEIGHT);
    this.painter.draw(area, this.window, rows, this.palette);
  }

  private drawTile(first: number, end: number, shift: number): void {
    const { bars } = this.elements;
    const room = Math.ceil((this.size.height * (TILE_SCREENS - 1)) / ROW_HEIGHT);
    // Most of the spare rows lie ahead: scrolling usually continues in its direction.
    const behind = Math.ceil(room * (first === this.tileAt ? 1 / 2 : first > this.tileAt ? 1 / 8 : 7 / 8));
    this.tileAt = first;
    const from = Math.max(0, first - behind);
    const to = Math.min(this.outline.count, end + room - behind);
    this.tile = { first: from, end: to };
    const rows = Array.from({ length: to - from }, (_, at) => this.outline.row(from + at));
    const area = fitCanvas(bars, this.size.width - this.size.names, Math.max(rows.length, 1) * ROW_HEIGHT);
    bars.style.transform = `translateY(${from * ROW_HEIGHT + shift}px)`;
    this.painter.draw(area, this.window, rows, this.palette);
  }
}
