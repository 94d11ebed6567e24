import type { SpanIndex } from '../../../span-index/reader.ts';
import type { CanvasColours } from './palette.ts';

/** Levels that the minimap shows; deeper spans are drawn at the last one. */
const LEVELS = 16;
const ERROR = 255;

/** Draws all spans of a trace into `canvas`: time from left to right, levels from top to bottom, failed ones over all others. */
export function drawMinimap(canvas: HTMLCanvasElement, index: SpanIndex, palette: CanvasColours): void {
  const width = Math.max(1, Math.round(canvas.clientWidth * devicePixelRatio));
  const height = Math.max(LEVELS, Math.round(canvas.clientHeight * devicePixelRatio));
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (context === null) return;
  const colours = index.header.kinds.map((kind) => pixelOf(palette.kind(kind)));
  const fail = pixelOf(palette.fail);
  const cells = fillCells(index, width);
  const image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const levels = Math.max(levelsOf(index), 6);
  const thickness = Math.max(1, Math.floor(height / levels));
  for (let level = 0; level < levels; level++) {
    const top = level * thickness;
    for (let x = 0; x < width; x++) {
      const cell = cells[level * width + x] as number;
      if (cell === 0) continue;
      const colour = cell === ERROR ? fail : (colours[cell - 1] as number);
      const bottom = Math.min(top + Math.max(1, thickness - 1), height);
      for (let y = top; y < bottom; y++) pixels[y * width + x] = colour;
    }
  }
  context.putImageData(image, 0, 0);
}

/** Returns for each pixel of each level 1 + the kind of a span there, or `ERROR`; 0 where there is none. */
function fillCells(index: SpanIndex, width: number): Uint8Array {
  const cells = new Uint8Array(width * LEVELS);
  const scale = (width * index.header.tick) / 1e6 / Math.max(index.durationMs, 0.001);
  const fill = (row: number, value: number): void => {
    const start = index.startTicks[row] as number;
    const level = Math.min(index.depth(row), LEVELS - 1) * width;
    const from = Math.min(Math.floor(start * scale), width - 1);
    const to = Math.min(Math.ceil((start + (index.durationTicks[row] as number)) * scale), width);
    cells.fill(value, level + from, level + Math.max(to, from + 1));
  };
  for (let row = 0; row < index.rows; row++) fill(row, 1 + (index.kinds[row] as number));
  for (let row = 0; row < index.rows; row++)
    if (index.has(row, 'error') && !index.hasChildren(row)) fill(row, ERROR);
  return cells;
}

function levelsOf(index: SpanIndex): number {
  let deepest = 0;
  for (let row = 0; row < index.rows; row++) deepest = Math.max(deepest, index.depth(row));
  return Math.min(deepest + 1, LEVELS);
}

/** Returns a colour of the form #rrggbb as a pixel of an image. */
function pixelOf(colour: string): number {
  const hex = colour.length === 4 ? colour.replaceAll(/[0-9a-f]/gi, '$&$&') : colour;
  const value = Number.parseInt(hex.slice(1), 16);
  const [red, green, blue] = [(value >> 16) & 255, (value >> 8) & 255, value & 255];
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}
