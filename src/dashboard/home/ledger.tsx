import type { ReactNode } from 'react';
import { useAllRows } from '../api/use-all-rows.ts';
import { AppLink } from '../app/url.tsx';
import { formatPercent, formatWhole } from '../format/number.ts';
import { classNames } from '../ui/class-names.ts';
import { Loaded, Section } from '../ui/panel.tsx';

const DAY_MS = 24 * 3_600_000;
const HOUR_MS = 3_600_000;
/** Most rows, of an hour and a key each, that are added up. */
const MOST = 1_000;
const PARTS = ['stored', 'duplicate', 'replaced', 'rejected'] as const;

type Sums = Record<(typeof PARTS)[number] | 'received', number>;

/** Shows that nothing was lost: everything received is stored, a duplicate, a replacement, or rejected. */
export function Ledger(): ReactNode {
  const startDate = new Date(Math.floor((Date.now() - DAY_MS) / HOUR_MS) * HOUR_MS).toISOString();
  const ledger = useAllRows('/v0/ingest/ledger', { startDate }, MOST);
  return (
    <Section
      title="Spans received, last 24 hours"
      actions={
        <AppLink href="/health" className="text-accent hover:underline">
          Health
        </AppLink>
      }
    >
      <Loaded of={ledger}>
        {({ data, pagination: { total } }) => {
          const sums = sumsOf(data);
          return (
            <>
              <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1 border-t border-line py-2 text-reading">
                <Term value={sums.received} name="received" />
                <span aria-hidden="true">=</span>
                {PARTS.map((part, index) => (
                  <span key={part} className="contents">
                    {index > 0 && <span aria-hidden="true">+</span>}
                    <Term value={sums[part]} name={part} isBad={part === 'rejected' && sums[part] > 0} />
                  </span>
                ))}
              </p>
              <p className="text-label text-dim">{sentenceOf(sums, total <= data.length)}</p>
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}

const Term = ({
  value,
  name,
  isBad = false,
}: {
  value: number;
  name: string;
  isBad?: boolean;
}): ReactNode => (
  <span className={classNames('whitespace-nowrap', isBad && 'text-fail')}>
    <b className="font-semibold">{formatWhole(value)}</b> {name}
  </span>
);

function sumsOf(rows: readonly Sums[]): Sums {
  const sums: Sums = { received: 0, stored: 0, duplicate: 0, replaced: 0, rejected: 0 };
  for (const row of rows) for (const part of ['received', ...PARTS] as const) sums[part] += row[part];
  return sums;
}

function sentenceOf(sums: Sums, isComplete: boolean): string {
  if (!isComplete) return 'There are more hours and keys than are added up here.';
  if (sums.received === 0) return 'Nothing was received.';
  const difference = sums.received - PARTS.reduce((sum, part) => sum + sums[part], 0);
  if (difference !== 0) return `${formatWhole(difference)} are still being stored.`;
  if (sums.rejected === 0) return 'Nothing was lost, and nothing was rejected.';
  return `${formatPercent(sums.rejected / sums.received, 1)} were rejected. Health shows why, and what to change.`;
}
