import type { ReactNode } from 'react';
import type { ListedTest } from '../../api/generated/schema.ts';
import { AppLink } from '../app/url.tsx';
import { formatDuration, formatMoment } from '../format/time.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { TestResult, TestState } from './state.tsx';
import { useTaskTitles } from './use-task-titles.ts';
import { isOver, RUN_TYPE_NAMES } from './words.ts';

interface TestTableProps {
  tests: readonly ListedTest[];
  /** Column, with a minus in front for the last first; without it, the table cannot be sorted. */
  sort?: string;
  onSort?: (sort: string) => void;
  /** True where all tests are of one run. */
  isOfRun?: boolean;
}

/** Lists tests; a row opens the test. */
export function TestTable({ tests, sort = '', onSort, isOfRun = false }: TestTableProps): ReactNode {
  const titles = useTaskTitles();
  const hidden = isOfRun ? ['task', 'run'] : [];
  return (
    <DataTable
      label="Tests"
      rows={tests}
      columns={columnsOf(titles).filter(({ id }) => !hidden.includes(id))}
      rowKey={({ id }) => id}
      href={({ id }) => `/tests/${id}`}
      sort={{ by: sort.replace('-', ''), direction: sort.startsWith('-') ? 'desc' : 'asc' }}
      {...(onSort && {
        onSort: ({ by, direction }) => onSort(`${direction === 'desc' ? '-' : ''}${by}`),
      })}
    />
  );
}

const columnsOf = (titles: ReadonlyMap<string, string>): readonly Column<ListedTest>[] => [
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
    id: 'prompt',
    title: 'Prompt',
    cell: ({ prompt }) => (
      <span className="font-semibold" title={prompt}>
        {prompt === '' ? '(empty)' : prompt}
      </span>
    ),
  },
  { id: 'state', title: 'State', width: 'w-[200px]', cell: (test) => <TestState test={test} /> },
  { id: 'verdicts', title: 'Verdicts', width: 'w-[92px]', cell: (test) => <TestResult test={test} /> },
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
    cell: ({ exampleIndex }) =>
      exampleIndex === null ? <span className="text-dim">–</span> : exampleIndex + 1,
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
      isOver(test) ? (
        formatDuration(Date.parse(test.modifiedAt) - Date.parse(test.createdAt))
      ) : (
        <span className="text-dim">…</span>
      ),
  },
];
