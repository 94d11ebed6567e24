import type { ReactNode } from 'react';
import type { SpanIndex } from '../../span-index/reader.ts';
import { formatMoney, formatWhole } from '../format/number.ts';
import { formatDuration } from '../format/time.ts';
import { classNames } from '../ui/class-names.ts';
import { lookOf } from '../trace/kinds.ts';
import type { SpanPair } from './align.ts';

/** A pair that is shown, and how many equal ones below it are folded. */
export interface ShownPair {
  pair: SpanPair;
  place: number;
  folded: number;
}

/** Returns the pairs that are shown: equal parts are folded to their first span, unless they were opened. */
export function shownPairs(pairs: readonly SpanPair[], opened: ReadonlySet<number>): ShownPair[] {
  const shown: ShownPair[] = [];
  let place = 0;
  while (place < pairs.length) {
    const pair = pairs[place] as SpanPair;
    const isFolded = pair.isEqual && pair.end > place + 1 && !opened.has(place);
    shown.push({ pair, place, folded: isFolded ? pair.end - place - 1 : 0 });
    place = isFolded ? pair.end : place + 1;
  }
  return shown;
}

interface PairTableProps {
  a: SpanIndex;
  b: SpanIndex;
  shown: readonly ShownPair[];
  /** Place of the selected pair. */
  selected: number;
  onSelect: (place: number) => void;
  onOpen: (place: number) => void;
}

/** Both traces as one tree, with what they took and used, and the differences. */
export function PairTable({ a, b, shown, selected, onSelect, onOpen }: PairTableProps): ReactNode {
  return (
    <table aria-label="Spans of both traces" className="w-full min-w-[600px] table-fixed border-collapse">
      <thead>
        <tr>
          {HEADS.map(([title, width]) => (
            <th
              key={title}
              scope="col"
              className={classNames(
                'sticky top-0 z-1 h-7 border-b border-line bg-page px-2 text-label font-normal text-dim first:pl-4',
                width === '' ? 'text-left' : `${width} text-right`,
              )}
            >
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {shown.map((one) => (
          <Row
            key={one.place}
            a={a}
            b={b}
            one={one}
            isSelected={one.place === selected}
            onSelect={onSelect}
            onOpen={onOpen}
          />
        ))}
      </tbody>
    </table>
  );
}

const HEADS = [
  ['Span', ''],
  ['A', 'w-[84px]'],
  ['B', 'w-[84px]'],
  ['Δ time', 'w-[92px]'],
  ['Δ tokens', 'w-[84px]'],
  ['Δ cost', 'w-[92px]'],
] as const;
const SIGNS = { both: ' ', a: '−', b: '+' };
const BACKGROUNDS = { both: 'hover:bg-panel', a: 'bg-panel text-dim', b: 'bg-selection' };
const CELL = 'h-6 truncate px-2 text-right';

interface RowProps extends Pick<PairTableProps, 'a' | 'b' | 'onSelect' | 'onOpen'> {
  one: ShownPair;
  isSelected: boolean;
}

function Row({ a, b, one, isSelected, onSelect, onOpen }: RowProps): ReactNode {
  const { pair, place } = one;
  const timeA = pair.a === -1 ? null : a.end(pair.a) - a.start(pair.a);
  const timeB = pair.b === -1 ? null : b.end(pair.b) - b.start(pair.b);
  const tokens = (pair.b === -1 ? 0 : b.tokens(pair.b)) - (pair.a === -1 ? 0 : a.tokens(pair.a));
  const cost = (pair.b === -1 ? 0 : (b.cost(pair.b) ?? 0)) - (pair.a === -1 ? 0 : (a.cost(pair.a) ?? 0));
  return (
    <tr
      data-place={place}
      aria-current={isSelected}
      className={isSelected ? 'bg-selection' : BACKGROUNDS[whereOf(pair)]}
    >
      <td className="h-6 truncate pl-4">
        <SpanName a={a} b={b} one={one} onSelect={onSelect} onOpen={onOpen} />
      </td>
      <td className={CELL}>{timeA === null ? '–' : formatDuration(timeA)}</td>
      <td className={CELL}>{timeB === null ? '–' : formatDuration(timeB)}</td>
      <td className={CELL}>{timeA !== null && timeB !== null && signed(timeB - timeA, formatDuration)}</td>
      <td className={CELL}>{tokens !== 0 && signed(tokens, formatWhole)}</td>
      <td className={CELL}>{Math.abs(cost) > 1e-9 && signed(cost, formatMoney)}</td>
    </tr>
  );
}

/** Returns which of the traces have the span. */
const whereOf = ({ a, b }: SpanPair): 'a' | 'b' | 'both' => (a === -1 ? 'b' : b === -1 ? 'a' : 'both');

function SpanName({ a, b, one, onSelect, onOpen }: Omit<RowProps, 'isSelected'>): ReactNode {
  const { pair, place, folded } = one;
  const where = whereOf(pair);
  const [index, row] = where === 'b' ? [b, pair.b] : [a, pair.a];
  const look = lookOf(index.kind(row));
  const isError = (pair.a !== -1 && a.has(pair.a, 'error')) || (pair.b !== -1 && b.has(pair.b, 'error'));
  return (
    <span
      className="inline-flex max-w-full items-center gap-1.5 align-middle"
      style={{ paddingLeft: Math.min(pair.level, 20) * 14 }}
    >
      <span className="w-3 shrink-0 text-center font-semibold" aria-hidden="true">
        {SIGNS[where]}
      </span>
      <b className={classNames('shrink-0 text-label font-semibold', look.text)} aria-hidden="true">
        {look.letter}
      </b>
      <button
        type="button"
        className={classNames(
          'cursor-pointer truncate text-left',
          isError && 'text-fail',
          pair.isEqual && 'text-dim',
        )}
        onClick={() => onSelect(place)}
      >
        {index.isPlaceholder(row) ? 'Parent not received' : index.name(row) || '(no name)'}
        {where !== 'both' && <span className="sr-only"> (only in {where.toUpperCase()})</span>}
      </button>
      {folded > 0 && (
        <button
          type="button"
          className="shrink-0 cursor-pointer text-label text-accent"
          onClick={() => onOpen(place)}
        >
          {formatWhole(folded)} equal below
        </button>
      )}
    </span>
  );
}

/** Formats a difference with its sign. */
export const signed = (value: number, format: (size: number) => string): string =>
  value === 0 ? '±0' : `${value > 0 ? '+' : '−'}${format(Math.abs(value))}`;
