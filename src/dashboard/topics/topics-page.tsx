import { type ReactNode, useState } from 'react';
import type { Topic } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { pageOf } from '../app/list-state.ts';
import { useUrlState } from '../app/url.tsx';
import { formatWhole } from '../format/number.ts';
import { monthAgo } from '../reports/use-report.ts';
import { useCounts } from '../reports/use-counts.ts';
import { type GroupRate, useTestRates } from '../reports/use-test-rates.ts';
import { RateLine } from '../tasks/rate.tsx';
import { StatusBadge } from '../tasks/status-badge.tsx';
import { StatusChoice } from '../tasks/status-choice.tsx';
import { DASH, momentColumn, numberColumn, titleColumn } from '../ui/cells.tsx';
import type { TableColumn } from '../ui/table-column.ts';
import { TaskTabs } from '../tasks/task-tabs.tsx';
import { ListPage } from '../ui/list-page.tsx';
import { Empty } from '../ui/states.tsx';
import { useWriteButtons } from '../ui/write-buttons.tsx';
import { NewTopicDialog } from './topic-dialog.tsx';

const DEFAULTS = { status: '', sort: 'title', skip: '0' };
const TASKS_PER_TOPIC = { datasource: 'task', column: 'topic' } as const;

export function TopicsPage(): ReactNode {
  const [state, change] = useUrlState(DEFAULTS);
  const [isCreating, setCreating] = useState(false);
  const query = {
    ...pageOf<'title'>(state),
    ...(state.status !== '' && { status: [state.status as Topic['status']] }),
  };
  const list = useApi('/v0/topics', { query }, { keepsRows: true });
  const tasks = useCounts(TASKS_PER_TOPIC);
  const rates = useTestRates({
    by: 'topic',
    filters: [{ column: 'createdAt', operator: 'gte', value: monthAgo() }],
  });
  const button = useWriteButtons([{ title: 'New topic', keys: 'n', run: () => setCreating(true) }]);
  return (
    <ListPage
      title="Topics"
      tabs={<TaskTabs current="topics" />}
      actions={button}
      filters={<StatusChoice value={state.status} onChoose={(status) => change({ status, skip: '0' })} />}
      of={list}
      what="topic"
      columns={columnsOf(tasks, rates)}
      href={({ id }) => `/topics/${id}`}
      state={state}
      onChange={change}
      onClear={state.status === '' ? undefined : () => change({ status: '', skip: '0' })}
      empty={
        <Empty title="No topics yet">
          <p>
            A topic groups tasks and documents about one subject, such as refunds. Pass rates are shown by
            topic, and an evaluator can be linked to all tasks of one.
          </p>
          <div>{button}</div>
        </Empty>
      }
    >
      {isCreating && <NewTopicDialog onClose={() => setCreating(false)} />}
    </ListPage>
  );
}

const columnsOf = (
  tasks: ReadonlyMap<string, number> | undefined,
  rates: ReadonlyMap<string, GroupRate>,
): readonly TableColumn<Topic>[] => [
  titleColumn('Topic', { isSortable: true }),
  {
    id: 'status',
    title: 'Status',
    width: 'w-[100px]',
    isSortable: true,
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  numberColumn('tasks', 'Tasks', 'w-[64px]', ({ id }) =>
    tasks === undefined ? '…' : formatWhole(tasks.get(id) ?? 0),
  ),
  numberColumn('tests', 'Tests', 'w-[64px]', ({ id }) => formatWhole(rates.get(id)?.count ?? 0)),
  {
    id: 'passRate',
    title: 'Pass rate, 30 days',
    width: 'w-[28%]',
    cell: ({ id }) => <RateLine of={rates.get(id)} />,
  },
  { id: 'assignedTo', title: 'Assigned to', width: 'w-[14%]', cell: ({ assignedTo }) => assignedTo ?? DASH },
  momentColumn('modifiedAt', 'Changed', { isSortable: true }),
];
