import type { ReactNode } from 'react';
import type { RunSet } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { pageOf } from '../app/list-state.ts';
import { useUrlState } from '../app/url.tsx';
import { formatPercent, formatWhole } from '../format/number.ts';
import { DASH, momentColumn, numberColumn } from '../ui/cells.tsx';
import { Choice, choicesOf } from '../ui/choice.tsx';
import { ListPage } from '../ui/list-page.tsx';
import { SearchBox } from '../ui/search-box.tsx';
import { CommandText, Empty } from '../ui/states.tsx';
import type { TableColumn } from '../ui/table-column.ts';
import { RunSetBadge } from './decision-badge.tsx';

const LIVE_MS = 4_000;
const FILTERS = { status: '', branch: '', commit: '' };
const DEFAULTS = { ...FILTERS, sort: '-createdAt', skip: '0' };
const STATUS_NAMES = {
  RUNNING: 'Running',
  COMPLETED: 'Completed',
  FAILED: 'Failed to run',
  CANCELLED: 'Cancelled',
} as const;

export function RunSetsPage(): ReactNode {
  const [state, change] = useUrlState(DEFAULTS);
  const { status, branch, commit } = state;
  const filter = (patch: Partial<typeof FILTERS>): void => change({ ...patch, skip: '0' });
  const query = {
    ...(status !== '' && { status: [status as RunSet['status']] }),
    ...(branch !== '' && { branch: [branch] }),
    ...(commit !== '' && { commit: [commit] }),
    ...pageOf<'createdAt'>(state),
  };
  const isLive = (sets: readonly RunSet[]): boolean => sets.some((one) => one.status === 'RUNNING');
  const list = useApi(
    '/v0/run-sets',
    { query },
    { refresh: (answer) => isLive(answer?.data ?? []) && LIVE_MS, keepsRows: true },
  );
  const isFiltered = status !== '' || branch !== '' || commit !== '';
  return (
    <ListPage
      title="Run sets"
      filters={
        <>
          <SearchBox label="Branch" value={branch} onChange={(text) => filter({ branch: text })} />
          <Choice
            label="State"
            choices={Object.entries(STATUS_NAMES)}
            {...choicesOf({ status, branch, commit }, filter)('status')}
          />
        </>
      }
      of={list}
      what="run set"
      columns={COLUMNS}
      href={({ id }) => `/run-sets/${id}`}
      state={state}
      onChange={change}
      onClear={isFiltered ? () => filter(FILTERS) : undefined}
      empty={<NoRunSets />}
    />
  );
}

const COLUMNS: readonly TableColumn<RunSet>[] = [
  momentColumn('createdAt', 'Started', { isSortable: true }),
  {
    id: 'title',
    title: 'Build',
    cell: ({ id, title, commit }) => (
      <span className="font-semibold">{title ?? commit?.slice(0, 12) ?? id.slice(0, 8)}</span>
    ),
  },
  { id: 'branch', title: 'Branch', width: 'w-[22%]', cell: ({ branch }) => branch ?? DASH },
  {
    id: 'decision',
    title: 'Decision',
    width: 'w-[150px]',
    cell: (set) => <RunSetBadge set={set} />,
  },
  numberColumn('tests', 'Tests', 'w-[86px]', ({ tests }) => formatWhole(tests.total)),
  numberColumn('rate', 'Pass rate', 'w-[96px]', ({ result: { passRate } }) =>
    passRate === null ? DASH : formatPercent(passRate / 100),
  ),
];

const NoRunSets = (): ReactNode => (
  <Empty title="No run sets yet">
    <p>A run set is everything that one build tests. Test all active tasks, and decide:</p>
    <CommandText text="touchstone test --tasks all --branch main" />
  </Empty>
);
