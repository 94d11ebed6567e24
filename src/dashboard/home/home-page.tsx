import type { ReactNode } from 'react';
import { Page } from '../ui/page.tsx';
import { Checklist } from './checklist.tsx';
import { Failures } from './failures.tsx';
import { LatestRuns } from './latest-runs.tsx';
import { Ledger } from './ledger.tsx';
import { NeedsAttention } from './needs-attention.tsx';
import { NextRuns } from './next-runs.tsx';
import { PassRates } from './pass-rates.tsx';
import { SpendByDay } from './spend.tsx';

/** Classes of a column. A narrow window has one, which begins with what needs attention. */
const COLUMN = 'grid content-start gap-6 max-[1099px]:contents';

/** Shows what changed this week, and what waits for someone. */
export function HomePage(): ReactNode {
  return (
    <Page title="Home">
      <div className="grid max-w-[1280px] gap-x-8 gap-y-6 p-4 min-[1100px]:grid-cols-[minmax(0,1.7fr)_minmax(0,1fr)]">
        <div className={COLUMN}>
          <Checklist />
          <PassRates />
          <LatestRuns />
          <Failures />
          <Ledger />
        </div>
        <div className={COLUMN}>
          <div className="max-[1099px]:-order-1">
            <NeedsAttention />
          </div>
          <NextRuns />
          <SpendByDay />
        </div>
      </div>
    </Page>
  );
}
