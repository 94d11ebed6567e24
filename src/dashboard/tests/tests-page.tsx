import type { ReactNode } from 'react';
import type { ListedTest } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { pageOf } from '../app/list-state.ts';
import { AppLink, useUrlState } from '../app/url.tsx';
import { Page } from '../ui/page.tsx';
import { Total } from '../ui/record-list.tsx';
import { CommandText, Empty } from '../ui/states.tsx';
import { ViewsMenu } from '../views/views-menu.tsx';
import { FaultyFilter } from '../filter/faulty-filter.tsx';
import { FilterLine } from '../filter/filter-line.tsx';
import { shownList, useFiltered } from '../filter/use-filtered.ts';
import { TestFilters } from './test-filters.tsx';
import { FILTERS, hasFilter, testsQueryOf } from './test-query.ts';
import { TestList } from './test-table.tsx';
import { hasEnded } from './words.ts';

/** Milliseconds between two calls while tests of the page are in flight. */
const LIVE_MS = 3_000;
const DEFAULTS = { ...FILTERS, q: '', sort: '-createdAt', skip: '0' };

export function TestsPage(): ReactNode {
  const [state, change] = useUrlState(DEFAULTS);
  const { list, applied, faults } = useFiltered('tests', state.q, (line, isEnabled) =>
    useTests({ ...state, q: line }, isEnabled),
  );
  const setLine = (q: string): void => change({ q, skip: '0' });
  return (
    <Page
      title="Tests"
      actions={<ViewsMenu screen="tests" state={state} defaults={DEFAULTS} onOpen={change} />}
      bar={
        <div className="flex flex-wrap items-start gap-2">
          <div className="w-full min-w-0">
            <FilterLine
              screen="tests"
              line={state.q}
              onChange={setLine}
              faults={faults}
              keepsList={applied !== null}
            />
          </div>
          <TestFilters filters={state} onChange={(patch) => change({ ...patch, skip: '0' })} />
          <Total of={list} what="test" />
        </div>
      }
    >
      {applied === null && <FaultyFilter onClear={() => setLine('')} />}
      <TestList
        of={shownList(list, faults.length > 0)}
        state={state}
        onChange={change}
        onClear={
          hasFilter(state) || state.q !== '' ? () => change({ ...FILTERS, q: '', skip: '0' }) : undefined
        }
        empty={<NoTests />}
      />
    </Page>
  );
}

function useTests({ q, sort, skip, ...filters }: typeof DEFAULTS, enabled: boolean) {
  const query = {
    ...testsQueryOf(filters, Date.now()),
    ...(q !== '' && { q }),
    ...pageOf<'createdAt'>({ sort, skip }),
  };
  return useApi(
    '/v0/tests',
    { query },
    { refresh: (answer) => refreshOf(answer?.data ?? []), keepsRows: true, enabled },
  );
}

const refreshOf = (tests: readonly ListedTest[]): number | false => !tests.every(hasEnded) && LIVE_MS;

const NoTests = (): ReactNode => (
  <Empty title="No tests yet">
    <p>
      A test sends an example of a task to your app and evaluates the trace that comes back. Set up the{' '}
      <AppLink href="/webhook" className="text-accent underline">
        webhook
      </AppLink>{' '}
      first; then run all active tasks:
    </p>
    <CommandText text="touchstone test --tasks all" />
  </Empty>
);
