import { type ReactNode, useState } from 'react';
import type { Task, TaskSchedule } from '../../api/generated/schema.ts';
import { useScope } from '../api/session.ts';
import { useAllRows } from '../api/use-all-rows.ts';
import { AppLink, useUrlState } from '../app/url.tsx';
import { formatWhole } from '../format/number.ts';
import { formatAgo } from '../format/time.ts';
import { StatusBadge } from '../tasks/status-badge.tsx';
import { TestStateText } from '../tests/state.tsx';
import { Badge } from '../ui/badge.tsx';
import { actionsColumn, DASH, Moment, RowAction, titleColumn } from '../ui/cells.tsx';
import { Choice } from '../ui/choice.tsx';
import { DataTable } from '../ui/data-table.tsx';
import type { TableColumn } from '../ui/table-column.ts';
import { TaskTabs } from '../tasks/task-tabs.tsx';
import { Page } from '../ui/page.tsx';
import { Pager } from '../ui/pager.tsx';
import { Loaded } from '../ui/panel.tsx';
import { Empty } from '../ui/states.tsx';
import { ScheduleDialog } from './schedule-dialog.tsx';
import { scheduleText } from './words.ts';

/** Tasks of a page, which is ordered by the next run. */
const SHOWN = 500;
const DEFAULTS = { rhythm: '', skip: '0' };
const ALL: TaskSchedule['criticality'][] = ['HIGH', 'MEDIUM', 'LOW'];
const RHYTHMS = [
  ['HIGH', 'daily'],
  ['MEDIUM', 'weekly'],
  ['LOW', 'every two weeks'],
] as const;

type Scheduled = Task & { taskSchedule: TaskSchedule };

/** Lists the tasks that run by themselves, the next one first. */
export function SchedulesPage(): ReactNode {
  const [{ rhythm, skip }, change] = useUrlState(DEFAULTS);
  const mayWrite = useScope('write');
  const [edited, setEdited] = useState<Task | null>(null);
  const list = useScheduled(rhythm === '' ? ALL : [rhythm as 'HIGH'], Number(skip) || 0);
  return (
    <Page
      title="Schedules"
      tabs={<TaskTabs current="schedules" />}
      bar={
        <div className="flex flex-wrap items-center gap-2">
          <Choice
            label="Rhythm"
            value={rhythm}
            choices={RHYTHMS}
            onChoose={(next) => change({ rhythm: next, skip: '0' })}
          />
          {list.data && (
            <span className="ml-auto text-dim">
              {formatWhole(list.data.pagination.total)}{' '}
              {list.data.pagination.total === 1 ? 'schedule' : 'schedules'}
              {list.data.pagination.total > SHOWN && `; ${SHOWN} a page, the newest tasks first`}
            </span>
          )}
        </div>
      }
    >
      <Loaded of={list} isFlush>
        {({ data, pagination: { total } }) =>
          data.length === 0 ? (
            <NoSchedules isFiltered={rhythm !== ''} />
          ) : (
            <>
              <DataTable
                label="Schedules"
                rows={data.filter(isScheduled).toSorted(byNextRun)}
                columns={[...COLUMNS, ...(mayWrite ? [editColumn(setEdited)] : [])]}
                rowKey={({ id }) => id}
                href={({ id }) => `/tasks/${id}`}
              />
              <Pager
                skip={Number(skip) || 0}
                limit={SHOWN}
                total={total}
                onSkip={(next) => change({ skip: String(next) })}
              />
            </>
          )
        }
      </Loaded>
      {edited !== null && <ScheduleDialog task={edited} onClose={() => setEdited(null)} />}
    </Page>
  );
}

/** Returns a page of the tasks with a schedule of one of these rhythms. */
const useScheduled = (scheduleCriticality: TaskSchedule['criticality'][], skip: number) =>
  useAllRows('/v0/tasks', { scheduleCriticality, skip }, SHOWN);

const editColumn = (onEdit: (task: Task) => void): TableColumn<Scheduled> =>
  actionsColumn((task) => (
    <RowAction of={task.title} onClick={() => onEdit(task)}>
      Edit
    </RowAction>
  ));

const NoSchedules = ({ isFiltered }: { isFiltered: boolean }): ReactNode => (
  <Empty title={isFiltered ? 'No task has this rhythm' : 'No schedules yet'}>
    <p>
      A schedule runs a task by itself: every day, every week or every two weeks. Open a task in{' '}
      <AppLink href="/tasks" className="text-accent underline">
        Tasks
      </AppLink>{' '}
      and choose “Set a schedule”.
    </p>
  </Empty>
);

const isScheduled = (task: Task): task is Scheduled => task.taskSchedule !== null;

/** Orders tasks by their next run; those that do not run come last. */
const byNextRun = (a: Scheduled, b: Scheduled): number =>
  (a.taskSchedule.nextRunAt ?? '9').localeCompare(b.taskSchedule.nextRunAt ?? '9');

const COLUMNS: readonly TableColumn<Scheduled>[] = [
  titleColumn('Task'),
  { id: 'rhythm', title: 'Runs', width: 'w-[26%]', cell: ({ taskSchedule }) => scheduleText(taskSchedule) },
  {
    id: 'status',
    title: 'State',
    width: 'w-[104px]',
    cell: ({ status, taskSchedule: { enabled } }) =>
      enabled ? <StatusBadge status={status} /> : <Badge tone="doubt">‖ Paused</Badge>,
  },
  {
    id: 'next',
    title: 'Next run',
    width: 'w-[84px]',
    cell: ({ taskSchedule: { nextRunAt } }) => (nextRunAt === null ? DASH : formatAgo(nextRunAt)),
  },
  {
    id: 'at',
    title: 'At',
    width: 'w-[112px]',
    cell: ({ taskSchedule: { nextRunAt } }) => (nextRunAt === null ? DASH : <Moment at={nextRunAt} />),
  },
  {
    id: 'last',
    title: 'Last run',
    width: 'w-[112px]',
    cell: ({ taskSchedule: { lastRunAt } }) => (lastRunAt === null ? DASH : <Moment at={lastRunAt} />),
  },
  {
    id: 'lastTest',
    title: 'Last test',
    width: 'w-[180px]',
    cell: ({ latestTest }) => (latestTest === null ? DASH : <TestStateText test={latestTest} />),
  },
];
