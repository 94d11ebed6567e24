import type { ReactNode } from 'react';
import type { Run } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { pageOf } from '../app/list-state.ts';
import { useUrlState } from '../app/url.tsx';
import { formatPercent, formatWhole } from '../format/number.ts';
import { RunChoices } from '../tests/test-filters.tsx';
import { testsQueryOf } from '../tests/test-query.ts';
import { useTaskTitles } from '../tests/use-task-titles.ts';
import { RUN_TYPE_NAMES } from '../tests/words.ts';
import { DASH, momentColumn, numberColumn } from '../ui/cells.tsx';
import type { TableColumn } from '../ui/table-column.ts';
import { ListPage } from '../ui/list-page.tsx';
import { CommandText, Empty } from '../ui/states.tsx';
import { OutcomeBar, passedShare } from './headline.tsx';
import { isRunInFlight } from './run-in-flight.ts';

const LIVE_MS = 4_000;
const FILTERS = { task: '', type: '', last: '' };
const DEFAULTS = { ...FILTERS, sort: '-createdAt', skip: '0' };

export function RunsPage(): ReactNode {
  const [state, change] = useUrlState(DEFAULTS);
  const titles = useTaskTitles();
  const list = useRuns(state);
  const filter = (patch: Partial<typeof FILTERS>): void => change({ ...patch, skip: '0' });
  const isFiltered = state.task !== '' || state.type !== '' || state.last !== '';
  return (
    <ListPage
      title="Runs"
      filters={<RunChoices filters={state} onChange={filter} />}
      of={list}
      what="run"
      columns={columnsOf(titles)}
      href={({ id }) => `/runs/${id}`}
      state={state}
      onChange={change}
      onClear={isFiltered ? () => filter(FILTERS) : undefined}
      empty={<NoRuns />}
    />
  );
}

function useRuns({ sort, skip, ...filters }: typeof DEFAULTS) {
  const { taskId, runType, startDate } = testsQueryOf(
    { ...filters, status: '', phase: '', run: '' },
    Date.now(),
  );
  const query = {
    ...(taskId && { taskId }),
    ...(runType && { type: runType }),
    ...(startDate !== undefined && { startDate }),
    ...pageOf<'createdAt'>({ sort, skip }),
  };
  return useApi(
    '/v0/runs',
    { query },
    { refresh: (answer) => (answer?.data ?? []).some(isRunInFlight) && LIVE_MS, keepsRows: true },
  );
}

const columnsOf = (titles: ReadonlyMap<string, string>): readonly TableColumn<Run>[] => [
  momentColumn('createdAt', 'Started', { isSortable: true }),
  {
    id: 'task',
    title: 'Task',
    cell: ({ taskId }) => <span className="font-semibold">{titles.get(taskId) ?? taskId.slice(0, 8)}</span>,
  },
  {
    id: 'type',
    title: 'Type',
    width: 'w-[110px]',
    isSortable: true,
    cell: ({ type }) => RUN_TYPE_NAMES[type],
  },
  {
    id: 'progress',
    title: 'Tests',
    width: 'w-[32%]',
    cell: ({ outcomes }) => <OutcomeBar outcomes={outcomes} isBrief />,
  },
  numberColumn('passed', 'Passed', 'w-[110px]', ({ outcomes: { passed, failed, appError } }) =>
    passed + failed + appError === 0
      ? DASH
      : `${formatWhole(passed)} of ${formatWhole(passed + failed + appError)}`,
  ),
  numberColumn('share', 'Share', 'w-[86px]', ({ outcomes }) => {
    const share = passedShare(outcomes);
    return share === null ? DASH : formatPercent(share);
  }),
];

const NoRuns = (): ReactNode => (
  <Empty title="No runs yet">
    <p>A run holds the tests that one trigger of a task starts. Run all active tasks:</p>
    <CommandText text="touchstone test --tasks all" />
  </Empty>
);
