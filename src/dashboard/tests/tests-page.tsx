import type { ReactNode } from 'react';
import type { ListedTest } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { AppLink, useUrlState } from '../app/url.tsx';
import { formatWhole } from '../format/number.ts';
import { Button } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { Pager } from '../ui/pager.tsx';
import { Loaded } from '../ui/panel.tsx';
import { Command, Empty } from '../ui/states.tsx';
import { TestFilters } from './test-filters.tsx';
import { FILTERS, hasFilter, toQuery } from './test-query.ts';
import { TestTable } from './test-table.tsx';
import { isOver } from './words.ts';

const PAGE_SIZE = 50;
/** Milliseconds between two calls while tests of the page are in flight. */
const LIVE_MS = 3_000;
const DEFAULTS = { ...FILTERS, sort: '-createdAt', skip: '0' };

export function TestsPage(): ReactNode {
  const [state, change] = useUrlState(DEFAULTS);
  const list = useTests(state);
  return (
    <Page
      title="Tests"
      bar={
        <div className="flex flex-wrap items-center gap-2">
          <TestFilters filters={state} onChange={(patch) => change({ ...patch, skip: '0' })} />
          {list.data && <Total total={list.data.pagination.total} />}
        </div>
      }
    >
      <Loaded of={list}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <NoTests isFiltered={hasFilter(state)} onClear={() => change({ ...FILTERS, skip: '0' })} />
          ) : (
            <>
              <TestTable tests={data} sort={state.sort} onSort={(sort) => change({ sort, skip: '0' })} />
              <Pager {...pagination} onSkip={(skip) => change({ skip: String(skip) })} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

function useTests({ sort, skip, ...filters }: typeof DEFAULTS) {
  const page = {
    ...toQuery(filters, Date.now()),
    limit: PAGE_SIZE,
    skip: Number(skip) || 0,
    orderBy: sort.replace('-', '') as 'createdAt',
    orderDir: sort.startsWith('-') ? ('desc' as const) : ('asc' as const),
  };
  return useApi(
    ['tests', filters, sort, skip],
    (api, signal) => api.GET('/v0/tests', { params: { query: page }, signal }),
    { refresh: (answer) => refreshOf(answer?.data ?? []) },
  );
}

const refreshOf = (tests: readonly ListedTest[]): number | false => !tests.every(isOver) && LIVE_MS;

const Total = ({ total }: { total: number }): ReactNode => (
  <span className="ml-auto shrink-0 py-1 text-dim">
    {formatWhole(total)} {total === 1 ? 'test' : 'tests'}
  </span>
);

function NoTests({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }): ReactNode {
  if (isFiltered) {
    return (
      <Empty title="No test matches">
        <p>Every filter must be met. Remove one to see more.</p>
        <div>
          <Button onClick={onClear}>Clear the filters</Button>
        </div>
      </Empty>
    );
  }
  return (
    <Empty title="No tests yet">
      <p>
        A test sends an input example of a task to your app and evaluates the trace that comes back. Set up
        the{' '}
        <AppLink href="/webhook" className="text-accent underline">
          webhook
        </AppLink>{' '}
        first; then run all active tasks:
      </p>
      <Command text="touchstone test --tasks all" />
    </Empty>
  );
}
