import type { ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { AppLink } from '../app/url.tsx';
import { formatPercent, formatWhole } from '../format/number.ts';
import { classNames } from '../ui/class-names.ts';
import { Loaded, Section } from '../ui/panel.tsx';

const DAY_MS = 24 * 3_600_000;
const HOUR_MS = 3_600_000;
const PAGE = 100;
/** Pages of hours and keys that are added up. */
const MAX_PAGES = 10;
const PARTS = ['stored', 'duplicate', 'replaced', 'rejected'] as const;

type Sums = Record<(typeof PARTS)[number] | 'received', number>;

/** Shows that nothing was lost: everything received is stored, a duplicate, a replacement, or rejected. */
export function Ledger(): ReactNode {
  const startDate = new Date(Math.floor((Date.now() - DAY_MS) / HOUR_MS) * HOUR_MS).toISOString();
  const ledger = useApi(['ledger', { startDate }], async (api, signal) => {
    const sums: Sums = { received: 0, stored: 0, duplicate: 0, replaced: 0, rejected: 0 };
    for (let page = 0; ; page += 1) {
      const query = { startDate, limit: PAGE, skip: page * PAGE };
      const answer = await api.GET('/v0/ingest/ledger', { params: { query }, signal });
      if (!answer.data) return answer;
      for (const hour of answer.data.data)
        for (const part of ['received', ...PARTS] as const) sums[part] += hour[part];
      const isLast = answer.data.pagination.total <= (page + 1) * PAGE;
      if (isLast || page + 1 === MAX_PAGES)
        return { data: { sums, isComplete: isLast }, response: answer.response };
    }
  });
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
        {({ sums, isComplete }) => (
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
            <p className="text-label text-dim">{sentenceOf(sums, isComplete)}</p>
          </>
        )}
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

function sentenceOf(sums: Sums, isComplete: boolean): string {
  if (!isComplete) return 'There are more hours and keys than are added up here.';
  if (sums.received === 0) return 'Nothing was received.';
  const difference = sums.received - PARTS.reduce((sum, part) => sum + sums[part], 0);
  if (difference !== 0) return `${formatWhole(difference)} are still being stored.`;
  if (sums.rejected === 0) return 'Nothing was lost, and nothing was rejected.';
  return `${formatPercent(sums.rejected / sums.received, 1)} were rejected. Health shows why, and what to change.`;
}
