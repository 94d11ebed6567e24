import { type ReactNode, useMemo, useState } from 'react';
import { useShortcuts } from '../app/shortcuts.ts';
import { useUrlState } from '../app/url.tsx';
import { formatMoney, formatWhole } from '../format/number.ts';
import { formatDuration } from '../format/time.ts';
import { factsOf } from '../trace/facts.ts';
import { useSpanIndex } from '../trace/use-span-index.ts';
import { Button } from '../ui/button.tsx';
import { ErrorPanel } from '../ui/error-panel.tsx';
import { Page } from '../ui/page.tsx';
import { LoadingRows } from '../ui/states.tsx';
import { announce } from '../ui/status-line.tsx';
import { align, MAX_PAIRS, type SpanPair } from './align.ts';
import { ChoosePartner } from './choose-partner.tsx';
import { type ComparedTrace, PairPane } from './pair-pane.tsx';
import { useContents } from './use-contents.ts';
import { PairTable, type ShownPair, shownPairs, signed } from './pair-table.tsx';

const DEFAULTS = { a: '', b: '' };
/** Rows that the table shows at first, and with each further step. */
const PAGE = 400;

export function ComparePage(): ReactNode {
  const [{ a, b }, change] = useUrlState(DEFAULTS);
  const first = useSpanIndex(a);
  const second = useSpanIndex(b);
  const error = first.error ?? second.error;
  if (a !== '' && b !== '' && first.data && second.data) {
    return (
      <Compared
        key={`${a} ${b}`}
        a={{ traceId: a, index: first.data }}
        b={{ traceId: b, index: second.data }}
        onSwap={() => change({ a: b, b: a }, { replace: true })}
        onLeave={() => change({ b: '' })}
      />
    );
  }
  return (
    <Page title="Compare traces" back={a === '' ? '/traces' : `/traces/${a}`}>
      <div className="p-4">
        {error !== null ? (
          <ErrorPanel error={error} onRetry={() => void Promise.all([first.refetch(), second.refetch()])} />
        ) : a !== '' && b !== '' ? (
          <LoadingRows />
        ) : (
          <ChoosePartner
            first={a}
            index={first.data}
            onChoose={(id) => change(a === '' ? { a: id } : { b: id })}
          />
        )}
      </div>
    </Page>
  );
}

interface ComparedProps {
  a: ComparedTrace;
  b: ComparedTrace;
  onSwap: () => void;
  onLeave: () => void;
}

function Compared({ a, b, onSwap, onLeave }: ComparedProps): ReactNode {
  const aligned = useMemo(() => align(a.index, b.index), [a.index, b.index]);
  const pairs = useContents(a, b, aligned);
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const shown = useMemo(() => shownPairs(pairs, opened), [pairs, opened]);
  const { differences, selected, limit, select, move, showMore } = useDifferences(pairs, shown);
  const group = 'Compare';
  useShortcuts([
    { keys: 'n', label: 'Next difference', group, run: () => move(1) },
    { keys: 'Shift N', label: 'Previous difference', group, run: () => move(-1) },
    { keys: 's', label: 'Swap both traces', group, run: onSwap },
  ]);
  const pair = pairs[selected];
  return (
    <Page
      title="Compare traces"
      back={`/traces/${a.traceId}`}
      facts={<Sums a={a} b={b} differences={differences.length} />}
      actions={
        <>
          <Button keys="n" onClick={() => move(1)}>
            Next difference
          </Button>
          <Button keys="s" onClick={onSwap}>
            Swap
          </Button>
          <Button onClick={onLeave}>Another trace</Button>
        </>
      }
    >
      <div className="grid h-full grid-cols-[minmax(0,1fr)_minmax(320px,38%)] grid-rows-[minmax(0,1fr)] max-[1023px]:grid-cols-1 max-[1023px]:grid-rows-[minmax(0,1fr)_minmax(0,1fr)]">
        <div className="min-h-0 overflow-auto" tabIndex={0} role="region" aria-label="Aligned spans">
          <PairTable
            a={a.index}
            b={b.index}
            shown={shown.slice(0, limit)}
            selected={selected}
            onSelect={select}
            onOpen={(place) => setOpened(new Set([...opened, place]))}
          />
          {shown.length > limit && (
            <div className="p-3">
              <Button onClick={showMore}>Show more of {formatWhole(shown.length)} rows</Button>
            </div>
          )}
          {pairs.length >= MAX_PAIRS && (
            <p className="px-4 py-2 text-doubt">
              ? Only the first {formatWhole(MAX_PAIRS)} spans were compared.
            </p>
          )}
        </div>
        {pair && <PairPane a={a} b={b} pair={pair} />}
      </div>
    </Page>
  );
}

/** Holds the selected pair and the number of rows that are shown, and moves from one difference to the next. */
function useDifferences(pairs: readonly SpanPair[], shown: readonly ShownPair[]) {
  const differences = useMemo(() => differencesOf(pairs), [pairs]);
  const [limit, setLimit] = useState(PAGE);
  const [chosen, select] = useState<number | null>(null);
  const selected = chosen ?? differences[0] ?? 0;
  const move = (by: 1 | -1): void => {
    const next =
      by === 1
        ? differences.find((place) => place > selected)
        : differences.findLast((place) => place < selected);
    if (next === undefined) {
      announce(by === 1 ? 'This is the last difference' : 'This is the first difference');
      return;
    }
    select(next);
    setLimit((rows) => Math.max(rows, shown.findIndex(({ place }) => place === next) + PAGE / 2));
    requestAnimationFrame(() =>
      document.querySelector(`[data-place="${next}"]`)?.scrollIntoView({ block: 'nearest' }),
    );
  };
  return { differences, selected, limit, select, move, showMore: () => setLimit(limit + PAGE) };
}

/** Returns the places of the pairs that differ by themselves: not only because of something below them. */
function differencesOf(pairs: readonly SpanPair[]): number[] {
  const places: number[] = [];
  for (const [place, pair] of pairs.entries()) {
    if (pair.isEqual) continue;
    const isOneSided = pair.a === -1 || pair.b === -1;
    const hasDifferenceBelow = pairs
      .slice(place + 1, Math.min(pair.end, place + 2_000))
      .some(({ isEqual }) => !isEqual);
    if (isOneSided || !hasDifferenceBelow) places.push(place);
  }
  return places;
}

/** The sums of both traces, and how they differ. */
function Sums({ a, b, differences }: { a: ComparedTrace; b: ComparedTrace; differences: number }): ReactNode {
  const [first, second] = useMemo(() => [factsOf(a.index), factsOf(b.index)], [a.index, b.index]);
  const time = b.index.durationMs - a.index.durationMs;
  const cost = (second.cost ?? 0) - (first.cost ?? 0);
  return (
    <span className="flex flex-wrap gap-x-4 text-dim">
      <span>
        A <code className="font-mono text-label text-ink">{a.traceId.slice(0, 8)}</code> · B{' '}
        <code className="font-mono text-label text-ink">{b.traceId.slice(0, 8)}</code>
      </span>
      <span>
        <b className="font-semibold text-ink">{formatWhole(differences)}</b>{' '}
        {differences === 1 ? 'difference' : 'differences'}
      </span>
      <span>{signed(time, formatDuration)} time</span>
      <span>{signed(second.tokens - first.tokens, formatWhole)} tokens</span>
      {cost !== 0 && <span>{signed(cost, formatMoney)}</span>}
    </span>
  );
}
