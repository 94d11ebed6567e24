import type { ReactNode } from 'react';
import { useScope } from '../api/session.ts';
import { useUrlState } from '../app/url.tsx';
import { PERIODS } from '../tests/test-query.ts';
import { Choice } from '../ui/choice.tsx';
import { Page } from '../ui/page.tsx';
import { Loaded, Section } from '../ui/panel.tsx';
import { Empty } from '../ui/states.tsx';
import { ApplicationChecks } from './application.tsx';
import { Equation } from './equation.tsx';
import { LedgerTable } from './ledger-table.tsx';
import { LookupForm } from './lookup.tsx';
import { Rejections } from './rejections.tsx';
import { ServerHealth } from './server.tsx';
import { SpendByEvaluator } from './spend.tsx';
import { useLedger } from './use-ledger.ts';

const DEFAULTS = { last: '24h', key: '', find: '', skip: '0' };

export function HealthPage(): ReactNode {
  const [state, change] = useUrlState(DEFAULTS);
  const { last, key, find, skip } = state;
  const ledger = useLedger(last, key);
  const canSeeServer = useScope('admin');
  const keyIds = [...new Set((ledger.data?.data ?? []).map(({ keyId }) => keyId))].toSorted();
  return (
    <Page title="Health" bar={<LedgerFilters last={last} apiKey={key} keyIds={keyIds} onChange={change} />}>
      <div className="grid gap-6 p-4">
        <ApplicationChecks />
        <Loaded of={ledger}>
          {(answer) =>
            answer.data.length === 0 ? (
              <Empty title="Nothing was received in this period">
                <p>
                  Choose a longer period. If your app sends spans, check the address and the key of its
                  exporter: requests with a wrong key belong to no application.
                </p>
              </Empty>
            ) : (
              <Equation rows={answer.data} isComplete={answer.data.length >= answer.pagination.total} />
            )
          }
        </Loaded>
        <div className="grid grid-cols-2 gap-6 max-[1100px]:grid-cols-1">
          <LookupForm find={find} onFind={(next) => change({ find: next })} />
          <SpendByEvaluator last={last} />
        </div>
        <Rejections />
        {canSeeServer && <ServerHealth />}
        {ledger.data && ledger.data.data.length > 0 && (
          <Section title="By hour and key">
            <LedgerTable
              rows={ledger.data.data}
              skip={Number(skip) || 0}
              onSkip={(next) => change({ skip: String(next) })}
            />
          </Section>
        )}
      </div>
    </Page>
  );
}

interface LedgerFiltersProps {
  last: string;
  apiKey: string;
  /** Ids of the keys that the ledger names. */
  keyIds: readonly string[];
  onChange: (patch: Partial<typeof DEFAULTS>) => void;
}

function LedgerFilters({ last, apiKey, keyIds, onChange }: LedgerFiltersProps): ReactNode {
  const isListed = keyIds.includes(apiKey) || apiKey === '';
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Choice
        label="Period"
        value={last === 'all' ? '' : last}
        anyText="All time"
        choices={Object.entries(PERIODS).map(([value, { name }]) => [value, name] as const)}
        onChoose={(next) => onChange({ last: next === '' ? 'all' : next, skip: '0' })}
      />
      <Choice
        label="API key"
        value={apiKey}
        choices={(isListed ? keyIds : [apiKey, ...keyIds]).map((id) => [id, id] as const)}
        onChoose={(next) => onChange({ key: next, skip: '0' })}
      />
    </div>
  );
}
