import type { ReactNode } from 'react';
import type { ListedTest } from '../../api/generated/schema.ts';
import { AppLink } from '../app/url.tsx';
import { formatDuration } from '../format/time.ts';
import { DASH, momentColumn } from '../ui/cells.tsx';
import type { TableColumn } from '../ui/table-column.ts';
import { RecordList } from '../ui/record-list.tsx';
import { TestResult, TestStateText } from './state.tsx';
import { useTaskTitles } from './use-task-titles.ts';
import { hasEnded, RUN_TYPE_NAMES } from './words.ts';

type RecordListOfTests = Parameters<typeof RecordList<ListedTest>>[0];

type TestListProps = Pick<RecordListOfTests, 'of' | 'state' | 'onChange' | 'onClear' | 'empty'>;

/** Lists tests; a row opens the test. */
export function TestList(list: TestListProps): ReactNode {
  const titles = useTaskTitles();
  return (
    <RecordList
      label="Tests"
      what="test"
      columns={columnsOf(titles)}
      href={({ id }) => `/tests/${id}`}
      {...list}
    />
  );
}

const columnsOf = (titles: ReadonlyMap<string, string>): readonly TableColumn<ListedTest>[] => [
  momentColumn('createdAt', 'Started', { isSortable: true }),
  {
    id: 'prompt',
    title: 'Prompt',
    cell: ({ prompt }) => (
      <span className="font-semibold" title={prompt}>
        {prompt === '' ? '(empty)' : prompt}
      </span>
    ),
  },
  { id: 'state', title: 'State', width: 'w-[200px]', cell: (test) => <TestStateText test={test} /> },
  { id: 'verdicts', title: 'Passed', width: 'w-[92px]', cell: (test) => <TestResult test={test} /> },
  {
    id: 'task',
    title: 'Task',
    width: 'w-[20%]',
    cell: ({ taskId }) =>
      titles.get(taskId) ?? <code className="font-mono text-label">{taskId.slice(0, 8)}</code>,
  },
  {
    id: 'example',
    title: 'Example',
    width: 'w-[68px]',
    cell: ({ exampleIndex }) => (exampleIndex === null ? DASH : exampleIndex + 1),
  },
  {
    id: 'run',
    title: 'Run',
    width: 'w-[100px]',
    cell: ({ runId, runType }) => (
      <AppLink href={`/runs/${runId}`} className="relative z-1 text-accent">
        {RUN_TYPE_NAMES[runType]}
      </AppLink>
    ),
  },
  {
    id: 'took',
    title: 'Took',
    width: 'w-[78px]',
    align: 'right',
    cell: (test) =>
      hasEnded(test) ? (
        formatDuration(Date.parse(test.modifiedAt) - Date.parse(test.createdAt))
      ) : (
        <span className="text-dim">…</span>
      ),
  },
];
