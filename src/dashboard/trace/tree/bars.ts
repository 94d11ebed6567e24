import type { SpanIndex } from '../../../span-index/reader.ts';
import { formatDuration } from '../../format/time.ts';
import { ownSegments } from './own-time.ts';
import type { CanvasColours } from './palette.ts';
import { stepOf, type TimeWindow } from './time-window.ts';

export const ROW_HEIGHT = 24;
const BAR_TOP = 7;
const BAR_HEIGHT = 9;
const MIN_BAR = 2;
const LABEL_GAP = 6;
/** Opacity of the part of a bar in which children ran. */
const FAINT = 0.32;
/** Pixels that one mark of the time axis needs. */
const MARK_WIDTH = 82;
/** Rows whose own time is remembered, and labels whose width is. */
const MAX_REMEMBERED = 4_000;

/** Area that bars are drawn into. */
interface Area {
  context: CanvasRenderingContext2D;
  width: number;
  height: number;
}

/** Gives a canvas the size of its element, in the pixels of the screen. */
export function fitCanvas(canvas: HTMLCanvasElement, width: number, height: number): Area {
  const scale = devicePixelRatio;
  const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
  if (canvas.width !== w) canvas.width = w;
  if (canvas.height !== h) canvas.height = h;
  if (canvas.style.height !== `${height}px`) canvas.style.height = `${height}px`;
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser cannot draw on a canvas.');
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  return { context, width, height };
}

/** Draws the bars of spans: faint where their children ran, solid where they themselves did. */
export class BarPainter {
  private readonly index: SpanIndex;
  private readonly own = new Map<number, Float64Array>();
  private readonly widths = new Map<string, number>();
  private font = '';

  constructor(index: SpanIndex) {
    this.index = index;
  }

  /** Draws these rows below each other, over the lines of the time axis. */
  draw(area: Area, window: TimeWindow, rows: readonly number[], palette: CanvasColours): void {
    const { context, width, height } = area;
    context.font = palette.font;
    if (this.font !== palette.font) this.widths.clear();
    this.font = palette.font;
    context.textBaseline = 'middle';
    context.fillStyle = palette.line;
    const step = stepOf(window, width / MARK_WIDTH);
    for (let at = step; at < window.to - window.from; at += step)
      context.fillRect(Math.round(xOf(window, window.from + at, width)), 0, 1, height);
    for (const [at, row] of rows.entries()) this.drawRow(area, window, row, at * ROW_HEIGHT, palette);
  }

  private drawRow(area: Area, window: TimeWindow, row: number, top: number, palette: CanvasColours): void {
    const { index } = this;
    const { context, width } = area;
    const [x0, x1] = [xOf(window, index.start(row), width), xOf(window, index.end(row), width)];
    const left = Math.min(Math.max(x0, 0), width - MIN_BAR);
    const right = Math.max(Math.min(x1, width), left + MIN_BAR);
    const isPlaceholder = index.isPlaceholder(row);
    const isError = index.has(row, 'error');
    const y = top + BAR_TOP;
    if (isPlaceholder) {
      context.strokeStyle = palette.doubt;
      context.setLineDash([4, 3]);
      context.strokeRect(left + 0.5, y + 0.5, Math.max(right - left - 1, 1), BAR_HEIGHT - 1);
      context.setLineDash([]);
    } else {
      context.fillStyle = palette.kind(index.kind(row));
      this.fillBar(context, row, { left, right, y }, (ms) => xOf(window, ms, width));
    }
    if (isError) {
      context.fillStyle = palette.fail;
      context.fillRect(left, y + BAR_HEIGHT + 1, right - left, 2);
    }
    const isOutside = x1 < 0 || x0 > width;
    const label = isOutside
      ? x1 < 0
        ? '‹ earlier'
        : 'later ›'
      : formatDuration(index.end(row) - index.start(row));
    context.fillStyle = isError ? palette.fail : palette.dim;
    const size = this.widthOf(context, label);
    const middle = y + BAR_HEIGHT / 2 + 0.5;
    if (right + LABEL_GAP + size <= width) context.fillText(label, right + LABEL_GAP, middle);
    else if (left - LABEL_GAP - size >= 0) context.fillText(label, left - LABEL_GAP - size, middle);
    else {
      // Both ends are taken: the label stands on the bar, on a piece of the page.
      const at = width - size - LABEL_GAP;
      context.fillStyle = palette.page;
      context.fillRect(at - 3, y - 2, size + 6, BAR_HEIGHT + 4);
      context.fillStyle = isError ? palette.fail : palette.dim;
      context.fillText(label, at, middle);
    }
  }

  private fillBar(
    context: CanvasRenderingContext2D,
    row: number,
    { left, right, y }: { left: number; right: number; y: number },
    x: (ms: number) => number,
  ): void {
    if (!this.index.hasChildren(row)) {
      context.fillRect(left, y, right - left, BAR_HEIGHT);
      return;
    }
    context.globalAlpha = FAINT;
    context.fillRect(left, y, right - left, BAR_HEIGHT);
    context.globalAlpha = 1;
    const segments = this.ownOf(row);
    const tickMs = this.index.header.tick / 1e6;
    let drawnTo = left;
    for (let at = 0; at < segments.length; at += 2) {
      const from = Math.max(x((segments[at] as number) * tickMs), drawnTo);
      const to = Math.min(x((segments[at + 1] as number) * tickMs), right);
      if (from >= right) break;
      if (to - from < 0.5) continue;
      context.fillRect(from, y, to - from, BAR_HEIGHT);
      drawnTo = to;
    }
  }

  private widthOf(context: CanvasRenderingContext2D, label: string): number {
    let width = this.widths.get(label);
    if (width === undefined) {
      if (this.widths.size >= MAX_REMEMBERED) this.widths.clear();
      this.widths.set(label, (width = context.measureText(label).width));
    }
    return width;
  }

  private ownOf(row: number): Float64Array {
    let segments = this.own.get(row);
    if (segments === undefined) {
      if (this.own.size >= MAX_REMEMBERED) this.own.clear();
      this.own.set(row, (segments = ownSegments(this.index, row)));
    }
    return segments;
  }
}

/** Draws the time axis: where its left edge is, then steps from there. */
export function drawAxis(area: Area, window: TimeWindow, palette: CanvasColours): void {
  const { context, width, height } = area;
  context.font = palette.font;
  context.textBaseline = 'middle';
  context.fillStyle = palette.dim;
  const first = window.from === 0 ? '0' : formatDuration(window.from);
  context.fillText(first, 4, height / 2);
  const step = stepOf(window, width / MARK_WIDTH);
  const after = context.measureText(first).width + 12;
  for (let at = step; at < window.to - window.from; at += step) {
    const label = `+${formatStep(at)}`;
    const x = xOf(window, window.from + at, width);
    if (x < after || x + context.measureText(label).width + 4 > width) continue;
    context.fillText(label, x + 4, height / 2);
    context.globalAlpha = 0.5;
    context.fillRect(Math.round(x), height - 5, 1, 5);
    context.globalAlpha = 1;
  }
}

/** Formats a step of the axis without decimals that are all zero. */
const formatStep = (ms: number): string =>
  formatDuration(ms)
    .replace(/\.0+(?= )/, '')
    .replace(/(\.\d*?)0+(?= )/, '$1');

const xOf = ({ from, to }: TimeWindow, ms: number, width: number): number =>
  ((ms - from) / (to - from)) * width;
