import type { Issue } from '../../api/generated/schema.ts';
import { formatPercent, formatWhole } from '../format/number.ts';
import { DASH, momentColumn } from '../ui/cells.tsx';
import { IntervalBar } from '../ui/interval-bar.tsx';
import type { TableColumn } from '../ui/table-column.ts';
import { FrequencyLine, LinkedDays } from './frequency.tsx';
import { randomRate } from './random-rate.ts';
import { PrioritySign } from './signs.tsx';
import { ISSUE_SOURCE_NAMES, ISSUE_STATUS_NAMES, PRIORITY_NAMES } from './words.ts';

interface ColumnsOf {
  /** Names by id. */
  topics: ReadonlyMap<string, string>;
  evaluators: ReadonlyMap<string, string>;
  /** Rows that are shown together: their rates share a scale. */
  rows: readonly Issue[];
}

/** Ends of the scale of rates, of which the smallest is used that shows all of them. */
const SCALES = [0.1, 0.3, 0.5, 1];

const scaleOf = (rows: readonly Issue[]): number => {
  const highest = Math.max(0, ...rows.map(({ frequency }) => randomRate(frequency)?.interval.high ?? 0));
  return SCALES.find((scale) => scale >= highest) ?? 1;
};

/** Returns the columns of the list of issues. */
export function issueColumns({ topics, evaluators, rows }: ColumnsOf): readonly TableColumn<Issue>[] {
  const scale = scaleOf(rows);
  const hasRates = rows.some(({ frequency }) => frequency.kind === 'RATE');
  return [
    {
      id: 'number',
      title: 'Issue',
      isSortable: true,
      card: 'title',
      cell: (issue) => (
        <span title={issue.title}>
          {issue.parentId !== null && rows.some(({ id }) => id === issue.parentId) && (
            <span className="pl-3 text-dim">
              <span aria-hidden="true">↳ </span>
            </span>
          )}
          <span className="text-dim">#{issue.number}</span>{' '}
          <span className="font-semibold">{issue.title}</span>{' '}
          <span className="text-dim">{detailOf(issue, topics)}</span>
        </span>
      ),
    },
    {
      id: 'priority',
      title: 'Priority',
      width: 'w-[84px]',
      isSortable: true,
      card: 'meta',
      priority: 1,
      cell: ({ priority }) => (
        <>
          <PrioritySign priority={priority} /> {PRIORITY_NAMES[priority]}
        </>
      ),
    },
    {
      id: 'linkCount',
      title: 'Frequency',
      width: 'w-[160px]',
      isSortable: true,
      card: 'text',
      priority: 0,
      cell: ({ frequency }) => <FrequencyLine frequency={frequency} />,
    },
    ...(hasRates ? [intervalColumn(scale)] : []),
    {
      id: 'daily',
      title: '14 days',
      width: 'w-[110px]',
      card: 'none',
      priority: 5,
      cell: (issue) => <LinkedDays issue={issue} className="h-[18px]" />,
    },
    {
      id: 'source',
      title: 'Source',
      width: 'w-[96px]',
      card: 'meta',
      priority: 6,
      cell: ({ source }) => ISSUE_SOURCE_NAMES[source],
    },
    {
      id: 'evaluator',
      title: 'Evaluator',
      width: 'w-[130px]',
      card: 'none',
      priority: 4,
      cell: ({ evalDefinitionId }) =>
        evalDefinitionId === null ? (
          <span className="text-doubt">none yet</span>
        ) : (
          (evaluators.get(evalDefinitionId) ?? evalDefinitionId.slice(0, 8))
        ),
    },
    {
      id: 'owner',
      title: 'Owner',
      width: 'w-[100px]',
      card: 'none',
      priority: 7,
      cell: ({ ownerName, ownerId }) => ownerName ?? ownerId ?? DASH,
    },
    { ...momentColumn('lastSeenAt', 'Last seen', { isSortable: true }), card: 'meta', priority: 2 },
  ];
}

/** Makes the column that draws rates with their intervals on one scale. */
const intervalColumn = (scale: number): TableColumn<Issue> => ({
  id: 'interval',
  title: `0 – ${formatPercent(scale)}`,
  width: 'w-[120px]',
  card: 'none',
  priority: 3,
  cell: ({ frequency }) => {
    const rate = randomRate(frequency);
    if (rate === undefined) return <span className="text-dim">hand-picked</span>;
    return (
      <span className="block pr-2">
        <IntervalBar {...rate} scale={scale} />
      </span>
    );
  },
});

/** Says in short what else matters about an issue in a list. */
function detailOf(
  { topicId, status, reopenedAt, resolution, mergedInto, parentId, linkCount }: Issue,
  topics: ReadonlyMap<string, string>,
): string {
  return [
    topicId === null ? null : (topics.get(topicId) ?? null),
    status === 'OPEN'
      ? reopenedAt === null
        ? null
        : 'reopened'
      : mergedInto === null
        ? ISSUE_STATUS_NAMES[status].toLowerCase()
        : `merged into #${mergedInto.number}`,
    resolution?.withoutEvidence === true ? 'without evidence' : null,
    parentId === null ? null : 'part of another issue',
    linkCount === 0 ? null : `${formatWhole(linkCount)} linked`,
  ]
    .filter((part) => part !== null)
    .join(' · ');
}
