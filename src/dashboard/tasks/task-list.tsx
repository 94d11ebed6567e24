import type { ReactNode } from 'react';
import type { Task } from '../../api/generated/schema.ts';
import { formatAgo, formatMoment } from '../format/time.ts';
import { TestStateText } from '../tests/state.tsx';
import { useTopicTitles } from '../topics/use-topics.ts';
import { DASH, momentColumn, titleColumn } from '../ui/cells.tsx';
import type { TableColumn } from '../ui/table-column.ts';
import { RecordList } from '../ui/record-list.tsx';
import { RateLine, rateOf } from './rate.tsx';
import { StatusBadge } from './status-badge.tsx';
import { LEVEL_NAMES } from './words.ts';

type ListProps = Parameters<typeof RecordList<Task>>[0];

interface TaskListProps
  extends Pick<ListProps, 'of' | 'state' | 'onChange' | 'onClear' | 'empty'>,
    Partial<Pick<ListProps, 'selected' | 'onSelect'>> {
  /** True where all tasks are of one topic. */
  isOfTopic?: boolean;
}

/** Lists tasks with how well the app does them; a row opens the task. */
export function TaskList({ isOfTopic = false, ...list }: TaskListProps): ReactNode {
  const topics = useTopicTitles();
  return (
    <RecordList
      label="Tasks"
      what="task"
      columns={columnsOf(topics).filter(({ id }) => !isOfTopic || id !== 'topic')}
      href={({ id }) => `/tasks/${id}`}
      {...list}
    />
  );
}

const columnsOf = (topics: ReadonlyMap<string, string>): readonly TableColumn<Task>[] => [
  titleColumn('Task', { isSortable: true }),
  {
    id: 'topic',
    title: 'Topic',
    width: 'w-[12%]',
    cell: ({ topicId }) => (topicId === null ? DASH : (topics.get(topicId) ?? topicId.slice(0, 8))),
  },
  {
    id: 'status',
    title: 'Status',
    width: 'w-[100px]',
    isSortable: true,
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  {
    id: 'passRate',
    title: 'Pass rate, 30 days',
    width: 'w-[18%]',
    cell: (task) => <RateLine of={rateOf(task)} />,
  },
  {
    id: 'stability',
    title: 'Consistency',
    width: 'w-[76px]',
    cell: ({ stability }) => (stability === null ? DASH : LEVEL_NAMES[stability.level]),
  },
  {
    id: 'lastTest',
    title: 'Last test',
    width: 'w-[192px]',
    cell: ({ latestTest }) => (latestTest === null ? DASH : <TestStateText test={latestTest} />),
  },
  {
    id: 'nextRun',
    title: 'Next run',
    width: 'w-[84px]',
    cell: ({ taskSchedule }) => {
      const at = taskSchedule?.nextRunAt ?? null;
      if (at === null) return DASH;
      return (
        <time dateTime={at} title={formatMoment(at)} className="text-dim">
          {formatAgo(at)}
        </time>
      );
    },
  },
  momentColumn('modifiedAt', 'Changed', { isSortable: true }),
];
