import type { ReactNode } from 'react';
import type { Run } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { useUrlState } from '../app/url.tsx';
import { formatPercent, formatWhole } from '../format/number.ts';
import { formatMoment } from '../format/time.ts';
import { PERIODS, toQuery } from '../tests/test-query.ts';
import { useTaskTitles } from '../tests/use-task-titles.ts';
import { RUN_TYPE_NAMES } from '../tests/words.ts';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/choice.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Page } from '../ui/page.tsx';
import { Pager } from '../ui/pager.tsx';
import { Loaded } from '../ui/panel.tsx';
import { Command, Empty } from '../ui/states.tsx';
import { isRunInFlight, RunProgress } from './run-progress.tsx';

const PAGE_SIZE = 50;
const LIVE_MS = 4_000;
const FILTERS = { task: '', type: '', last: '' };
const DEFAULTS = { ...FILTERS, sort: '-createdAt', skip: '0' };

export function RunsPage(): ReactNode {
  const [state, change] = useUrlState(DEFAULTS);
  const titles = useTaskTitles();
  const list = useRuns(state);
  const { sort } = state;
  const filter = (patch: Partial<typeof FILTERS>): void => change({ ...patch, skip: '0' });
  return (
    <Page
      title="Runs"
      bar={
        <div className="flex flex-wrap items-center gap-2">
          <RunFilters state={state} titles={titles} onChange={filter} />
          {list.data && (
            <span className="ml-auto text-dim">
              {formatWhole(list.data.pagination.total)} {list.data.pagination.total === 1 ? 'run' : 'runs'}
            </span>
          )}
        </div>
      }
    >
      <Loaded of={list}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <NoRuns
              isFiltered={state.task !== '' || state.type !== '' || state.last !== ''}
              onClear={() => filter(FILTERS)}
            />
          ) : (
            <>
              <DataTable
                label="Runs"
                rows={data}
                columns={columnsOf(titles)}
                rowKey={({ id }) => id}
                href={({ id }) => `/runs/${id}`}
                sort={{ by: sort.replace('-', ''), direction: sort.startsWith('-') ? 'desc' : 'asc' }}
                onSort={({ by, direction }) =>
                  change({ sort: `${direction === 'desc' ? '-' : ''}${by}`, skip: '0' })
                }
              />
              <Pager {...pagination} onSkip={(skip) => change({ skip: String(skip) })} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

interface RunFiltersProps {
  state: typeof FILTERS;
  titles: ReadonlyMap<string, string>;
  onChange: (patch: Partial<typeof FILTERS>) => void;
}

const RunFilters = ({ state: { task, type, last }, titles, onChange }: RunFiltersProps): ReactNode => (
  <>
    <Choice label="Task" value={task} choices={[...titles]} onChoose={(next) => onChange({ task: next })} />
    <Choice
      label="Run type"
      value={type}
      choices={Object.entries(RUN_TYPE_NAMES)}
      onChoose={(next) => onChange({ type: next })}
    />
    <Choice
      label="Started"
      value={last}
      choices={Object.entries(PERIODS).map(([value, { name }]) => [value, name] as const)}
      onChoose={(next) => onChange({ last: next })}
    />
  </>
);

function useRuns({ sort, skip, ...filters }: typeof DEFAULTS) {
  const { taskId, runType, startDate } = toQuery({ ...filters, status: '', phase: '', run: '' }, Date.now());
  const query = {
    ...(taskId && { taskId }),
    ...(runType && { type: runType }),
    ...(startDate !== undefined && { startDate }),
    limit: PAGE_SIZE,
    skip: Number(skip) || 0,
    orderBy: sort.replace('-', '') as 'createdAt',
    orderDir: sort.startsWith('-') ? ('desc' as const) : ('asc' as const),
  };
  return useApi(
    ['runs', filters, sort, skip],
    (api, signal) => api.GET('/v0/runs', { params: { query }, signal }),
    { refresh: (answer) => (answer?.data ?? []).some(isRunInFlight) && LIVE_MS },
  );
}

const dash = <span className="text-dim">–</span>;

const columnsOf = (titles: ReadonlyMap<string, string>): readonly Column<Run>[] => [
  {
    id: 'createdAt',
    title: 'Started',
    width: 'w-[112px]',
    isSortable: true,
    cell: ({ createdAt }) => (
      <time dateTime={createdAt} title={createdAt} className="text-dim">
        {formatMoment(createdAt)}
      </time>
    ),
  },
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
    cell: ({ tests }) => <RunProgress tests={tests} isBrief />,
  },
  {
    id: 'passed',
    title: 'Evals passed',
    width: 'w-[110px]',
    align: 'right',
    cell: ({ result: { passed, total } }) =>
      total === 0 ? dash : `${formatWhole(passed)} of ${formatWhole(total)}`,
  },
  {
    id: 'passRate',
    title: 'Pass rate',
    width: 'w-[86px]',
    align: 'right',
    cell: ({ result: { passRate } }) => (passRate === null ? dash : formatPercent(passRate / 100)),
  },
];

function NoRuns({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }): ReactNode {
  if (isFiltered) {
    return (
      <Empty title="No run matches">
        <p>Every filter must be met. Remove one to see more.</p>
        <div>
          <Button onClick={onClear}>Clear the filters</Button>
        </div>
      </Empty>
    );
  }
  return (
    <Empty title="No runs yet">
      <p>A run holds the tests that one trigger of a task starts. Run all active tasks:</p>
      <Command text="touchstone test --tasks all" />
    </Empty>
  );
}
