import type { ReactNode } from 'react';
import { formatWhole } from '../format/number.ts';
import { Badge } from '../ui/badge.tsx';
import { ledgerSumOf } from './ledger-sum.ts';
import type { LedgerRow } from './use-ledger.ts';

interface EquationProps {
  rows: readonly LedgerRow[];
  /** False if there are older rows that were not loaded. */
  isComplete: boolean;
}

/** Shows that everything that was received is accounted for. */
export function Equation({ rows, isComplete }: EquationProps): ReactNode {
  const sum = ledgerSumOf(rows);
  const missing = sum.received - sum.stored - sum.duplicate - sum.replaced - sum.rejected;
  return (
    <section aria-label="Equation" className="rounded-md border border-line px-4 py-3">
      <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
        <Term value={sum.received} name="spans received" />
        <Sign text="=" />
        <Term value={sum.stored} name="stored" />
        <Sign text="+" />
        <Term value={sum.duplicate} name="duplicate" title="The same span again, such as after a retry" />
        <Sign text="+" />
        <Term value={sum.replaced} name="replaced" title="A later version of a span took its place" />
        <Sign text="+" />
        <Term value={sum.rejected} name="rejected" isBad={sum.rejected > 0} />
        <span className="ml-auto">
          {missing === 0 ? (
            <Badge tone="pass">✓ Nothing was lost</Badge>
          ) : (
            <Badge tone="fail">✕ {formatWhole(Math.abs(missing))} unaccounted for</Badge>
          )}
        </span>
      </div>
      <p className="mt-2 text-dim">
        In {formatWhole(sum.requests)} {sum.requests === 1 ? 'request' : 'requests'}.{' '}
        {sum.notices.map(([name, count]) => `${formatWhole(count)} ${noticeText(name)}. `)}
        {!isComplete && 'Older hours are not counted: choose a shorter period.'}
      </p>
    </section>
  );
}

interface TermProps {
  value: number;
  name: string;
  title?: string;
  isBad?: boolean;
}

const Term = ({ value, name, title, isBad = false }: TermProps): ReactNode => (
  <div title={title}>
    <p className={`text-headline font-semibold ${isBad ? 'text-fail' : ''}`}>{formatWhole(value)}</p>
    <p className="text-label text-dim">{name}</p>
  </div>
);

const Sign = ({ text }: { text: string }): ReactNode => (
  <span className="pb-5 text-title text-dim">{text}</span>
);

const NOTICES: Readonly<Record<string, string>> = {
  invalid_test_id: 'spans had a service.test.id that is no UUID',
  wrong_time_unit: 'spans had times that are not in nanoseconds, so that they are shown in 1970',
  dropped_metrics: 'metrics were dropped, as only spans and log records are stored',
};

/** Describes what else the ledger counts, by the name of its notice. */
function noticeText(name: string): string {
  if (name.startsWith('refused_'))
    return `requests were rejected completely (${name.slice('refused_'.length)})`;
  return NOTICES[name] ?? `× ${name.replaceAll('_', ' ')}`;
}
