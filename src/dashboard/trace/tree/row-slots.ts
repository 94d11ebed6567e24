import type { SpanIndex } from '../../../span-index/reader.ts';
import { formatCount } from '../../format/number.ts';
import { formatDuration } from '../../format/time.ts';
import { classNames } from '../../ui/class-names.ts';
import { lookOf } from '../kinds.ts';
import { ROW_HEIGHT } from './bars.ts';
import type { Outline } from './outline.ts';

/** Pixels that each level moves to the right; deep levels stop moving. */
const INDENT = 14;
const MAX_INDENT = 20 * INDENT;

/** Appearance of a row besides its span. */
export interface RowState {
  isSelected: boolean;
  isMatch: boolean;
}

/** Elements of one row, which show one span after another. */
class RowSlot {
  readonly element = document.createElement('div');
  /** Place that it shows; -1 = none. */
  place = -1;
  private readonly name = document.createElement('div');
  private readonly sign = document.createElement('span');
  private readonly letter = document.createElement('span');
  private readonly label = document.createElement('span');
  private readonly note = document.createElement('span');
  private readonly time = document.createElement('div');

  constructor(id: string) {
    this.element.id = id;
    this.element.setAttribute('role', 'row');
    this.name.setAttribute('role', 'gridcell');
    this.time.setAttribute('role', 'gridcell');
    this.sign.setAttribute('aria-hidden', 'true');
    this.letter.setAttribute('aria-hidden', 'true');
    this.sign.dataset['sign'] = '';
    this.note.dataset['note'] = '';
    this.name.className = 'flex h-full w-[var(--names)] items-center gap-1.5 overflow-hidden pr-2';
    this.sign.className = 'w-4 shrink-0 cursor-pointer text-center text-[9px] text-dim';
    this.note.className = 'ml-auto shrink-0 text-axis text-dim';
    this.name.append(this.sign, this.letter, this.label, this.note);
    this.element.append(this.name, this.time);
  }

  show(outline: Outline, place: number, state: RowState, top = place * ROW_HEIGHT): void {
    const { index } = outline;
    const row = outline.row(place);
    const level = outline.level(place);
    const isError = index.has(row, 'error');
    const isPlaceholder = index.isPlaceholder(row);
    const look = lookOf(index.kind(row));
    this.place = place;
    const { element } = this;
    element.className = classNames(
      'absolute inset-x-0 top-0 h-6 cursor-default',
      state.isSelected ? 'bg-selection' : 'bg-page hover:bg-panel',
    );
    element.style.transform = `translateY(calc(${top}px + var(--shift, 0px)))`;
    element.setAttribute('aria-level', String(level + 1));
    element.setAttribute('aria-rowindex', String(place + 1));
    element.setAttribute('aria-selected', String(state.isSelected));
    const canClose = outline.canClose(row);
    const isClosed = outline.isClosed(row);
    if (canClose) element.setAttribute('aria-expanded', String(!isClosed));
    else element.removeAttribute('aria-expanded');
    this.name.style.paddingLeft = `${8 + Math.min(level * INDENT, MAX_INDENT)}px`;
    this.sign.textContent = canClose ? (isClosed ? '▶' : '▼') : '';
    this.letter.textContent = isPlaceholder ? '?' : look.letter;
    this.letter.className = classNames(
      'inline-flex size-4 shrink-0 items-center justify-center rounded-sm border text-[10px] leading-none font-semibold',
      isPlaceholder ? 'border-dashed border-doubt text-doubt' : `border-current ${look.text}`,
    );
    this.label.textContent = isPlaceholder ? 'Parent not received' : nameOf(index, row);
    this.label.className = classNames(
      'truncate',
      isPlaceholder && 'text-doubt italic',
      isError && 'text-fail',
      state.isMatch && 'font-semibold underline decoration-2 underline-offset-2',
    );
    this.note.textContent = noteOf(outline, row, canClose && isClosed);
    this.time.setAttribute('aria-label', timeOf(index, row));
  }
}

/** Names of spans can be empty. */
const nameOf = (index: SpanIndex, row: number): string => index.name(row) || '(no name)';

/** Returns the short note at the end of a name: how much is hidden below, or what a model call used. */
function noteOf({ index }: Outline, row: number, isClosed: boolean): string {
  const hidden = isClosed ? `${formatCount(index.subtreeEnd(row) - row - 1)} below` : '';
  const tokens = index.tokens(row);
  const used = tokens > 0 ? `${formatCount(tokens)} tokens` : '';
  return [used, hidden].filter(Boolean).join(' · ');
}

function timeOf(index: SpanIndex, row: number): string {
  const kind = index.isPlaceholder(row) ? 'not received' : index.kind(row);
  const failed = index.has(row, 'error') ? ', failed' : '';
  const length = formatDuration(index.end(row) - index.start(row));
  return `${kind}${failed}, ${length}, starts at ${formatDuration(index.start(row))}`;
}

/** The rows in view. Each place has a fixed slot, so that scrolling changes only rows that come into view. */
export class RowSlots {
  private readonly slots: RowSlot[] = [];
  private readonly parent: HTMLElement;
  private readonly prefix: string;

  constructor(parent: HTMLElement, prefix: string) {
    this.parent = parent;
    this.prefix = prefix;
  }

  /** Returns the id of the element that shows a place. */
  idOf(place: number): string {
    return `${this.prefix}-${place % Math.max(this.slots.length, 1)}`;
  }

  /** Shows the places from `first` to `end`. With `isStale`, those that were shown before are written again too. */
  show(
    outline: Outline,
    first: number,
    end: number,
    stateOf: (row: number) => RowState,
    isStale: boolean,
  ): void {
    this.grow(end - first);
    for (let place = first; place < end; place++) {
      const slot = this.slots[place % this.slots.length] as RowSlot;
      if (slot.place === place && !isStale) continue;
      slot.show(outline, place, stateOf(outline.row(place)));
      slot.element.hidden = false;
    }
    for (const slot of this.slots) {
      if (slot.place >= first && slot.place < end) continue;
      slot.place = -1;
      slot.element.hidden = true;
    }
  }

  /** Shows exactly these places below each other. */
  showList(outline: Outline, places: readonly number[], stateOf: (row: number) => RowState): void {
    this.grow(places.length);
    for (const [at, slot] of this.slots.entries()) {
      const place = places[at];
      slot.element.hidden = place === undefined;
      if (place !== undefined) slot.show(outline, place, stateOf(outline.row(place)), at * ROW_HEIGHT);
    }
  }

  /** Adds slots for this many rows. All rows are then written again, because their slots change. */
  private grow(rows: number): void {
    if (rows <= this.slots.length) return;
    for (const slot of this.slots) slot.place = -1;
    while (this.slots.length < rows) {
      const slot = new RowSlot(`${this.prefix}-${this.slots.length}`);
      this.slots.push(slot);
      this.parent.append(slot.element);
    }
  }
}

/** Returns the place of the row that an event happened in; null elsewhere. */
export function placeOfEvent(target: EventTarget | null): { place: number; isSign: boolean } | null {
  if (!(target instanceof Element)) return null;
  const row = target.closest('[role="row"]');
  if (row === null) return null;
  return {
    place: Number(row.getAttribute('aria-rowindex')) - 1,
    isSign: target.closest('[data-sign]') !== null,
  };
}
