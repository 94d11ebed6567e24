import type { SpanIndex } from '../../../span-index/reader.ts';
import { isModelStep } from '../kinds.ts';

/** Traces with more spans open with everything below level 2 closed. */
const LARGE = 5_000;
/** Chains of plumbing with at least this many spans, each the only child of the one before, open folded. */
const LONG_CHAIN = 3;

interface OutlineOptions {
  hasLens?: boolean;
  hidesDeliveries?: boolean;
  before?: Outline;
}

/**
 * The rows of a tree that are shown: those whose ancestors are all open. With the lens, only model steps, each below the
 * nearest model step above it. Places are positions among the shown rows; rows are those of the span index.
 */
export class Outline {
  readonly index: SpanIndex;
  readonly hasLens: boolean;
  /** True if the service's own spans are left out; the spans below them take their level. */
  readonly hidesDeliveries: boolean;
  /** Number of shown rows. */
  count = 0;
  private readonly rows: Uint32Array;
  private readonly levels: Uint32Array;
  private readonly closed: Uint8Array;
  private readonly isLarge: boolean;

  /** Rows of `before`, an outline of the same trace when it had fewer spans, stay open or closed. */
  constructor(index: SpanIndex, { hasLens = false, hidesDeliveries = false, before }: OutlineOptions = {}) {
    this.index = index;
    this.hasLens = hasLens;
    this.hidesDeliveries = hidesDeliveries;
    this.rows = new Uint32Array(index.rows);
    this.levels = new Uint32Array(index.rows);
    this.isLarge = before?.isLarge ?? index.rows > LARGE;
    this.closed = initiallyClosed(index, hasLens, this.isLarge);
    if (before) this.takeClosed(before);
    this.update();
  }

  row(place: number): number {
    return this.rows[place] as number;
  }

  /** Returns how many shown ancestors the row at a place has. */
  level(place: number): number {
    return this.levels[place] as number;
  }

  isClosed(row: number): boolean {
    return this.closed[row] === 1;
  }

  /** Reports whether a row can be opened and closed. */
  canClose(row: number): boolean {
    if (!this.isFiltered) return this.index.hasChildren(row);
    const end = this.index.subtreeEnd(row);
    for (let below = row + 1; below < end; below++) if (this.isKept(below)) return true;
    return false;
  }

  /** Returns the place of a row, or of its nearest shown ancestor; -1 when there is none. */
  placeOf(row: number): number {
    let [low, high] = [0, this.count - 1];
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const found = this.rows[middle] as number;
      if (found === row) return middle;
      if (found < row) low = middle + 1;
      else high = middle - 1;
    }
    const parent = this.index.parent(row);
    return parent === -1 ? -1 : this.placeOf(parent);
  }

  /** Returns the place of the parent among the shown rows; -1 at the top level. */
  parentPlace(place: number): number {
    const parent = this.index.parent(this.row(place));
    return parent === -1 ? -1 : this.placeOf(parent);
  }

  /** Returns the places of all ancestors of a place, the top level first. */
  ancestors(place: number): number[] {
    const found: number[] = [];
    for (let at = this.parentPlace(place); at >= 0; at = this.parentPlace(at)) found.unshift(at);
    return found;
  }

  setClosed(row: number, isClosed: boolean): void {
    this.closed[row] = isClosed ? 1 : 0;
    this.update();
  }

  /** Opens everything above a row, so that it is shown. */
  reveal(row: number): void {
    let isChanged = false;
    for (let above = this.index.parent(row); above >= 0; above = this.index.parent(above)) {
      if (this.closed[above] === 0) continue;
      this.closed[above] = 0;
      isChanged = true;
    }
    if (isChanged) this.update();
  }

  /** Shows this many levels, and closes everything below. */
  showLevels(levels: number): void {
    for (let row = 0; row < this.index.rows; row++)
      this.closed[row] = this.index.depth(row) >= levels - 1 && this.index.hasChildren(row) ? 1 : 0;
    this.update();
  }

  private takeClosed({ index: known, closed }: Outline): void {
    const rows = new Map<string, number>();
    for (let row = 0; row < known.rows; row++) rows.set(known.spanId(row), row);
    for (let row = 0; row < this.index.rows; row++) {
      const at = rows.get(this.index.spanId(row));
      if (at !== undefined) this.closed[row] = closed[at] as number;
    }
  }

  /** True if rows between shown ones can be left out. */
  private get isFiltered(): boolean {
    return this.hasLens || this.hidesDeliveries;
  }

  private isKept(row: number): boolean {
    if (this.hidesDeliveries && this.index.has(row, 'delivery')) return false;
    return !this.hasLens || isModelStep(this.index.kind(row)) || this.index.has(row, 'error');
  }

  /** Finds the shown rows again. */
  private update(): void {
    const { index, rows, levels, closed } = this;
    const path: number[] = [];
    let count = 0;
    let row = 0;
    while (row < index.rows) {
      const isClosed = closed[row] === 1;
      if (this.isKept(row)) {
        if (this.isFiltered) {
          while (path.length > 0 && index.subtreeEnd(path.at(-1) as number) <= row) path.pop();
          levels[count] = path.length;
          path.push(row);
        } else {
          levels[count] = index.depths[row] as number;
        }
        rows[count] = row;
        count += 1;
      }
      row = isClosed && (this.isKept(row) || !this.isFiltered) ? index.subtreeEnd(row) : row + 1;
    }
    this.count = count;
  }
}

function initiallyClosed(index: SpanIndex, hasLens: boolean, isLarge: boolean): Uint8Array {
  const closed = new Uint8Array(index.rows);
  for (let row = 0; row < index.rows; row++) {
    if (!index.hasChildren(row)) continue;
    const isDeep = isLarge && index.depth(row) >= 1;
    if (isDeep || (!hasLens && isHeadOfChain(index, row))) closed[row] = 1;
  }
  return closed;
}

/** Reports whether everything below a row is one long chain of plumbing without an error. */
function isHeadOfChain(index: SpanIndex, row: number): boolean {
  const end = index.subtreeEnd(row);
  if (end - row < LONG_CHAIN) return false;
  for (let at = row; at < end; at++) {
    const isInChain = index.depth(at) === index.depth(row) + at - row;
    if (!isInChain || index.kind(at) !== 'SPAN' || index.has(at, 'error') || index.isPlaceholder(at))
      return false;
  }
  return row !== 0;
}
