import type { ListedTrace } from '../../api/generated/schema.ts';
import { formatCount, formatMoney, formatWhole } from '../format/number.ts';
import { formatDuration, formatMoment } from '../format/time.ts';
import { Bar } from '../ui/bar.tsx';
import type { TableColumn } from '../ui/table-column.ts';
import { Verdicts } from './verdicts.tsx';
import type { VerdictCount } from './use-verdicts.ts';

/** Values that a page of traces needs beside its rows. */
export interface ListContext {
  /** Longest duration of the page, in milliseconds. */
  longestMs: number;
  verdicts: ReadonlyMap<string, VerdictCount>;
}

/** A column of the list; `isShown` tells whether it is shown unless the person chooses otherwise. */
interface TraceColumn extends Omit<TableColumn<ListedTrace>, 'cell'> {
  isShown: boolean;
  cell: (
    trace: ListedTrace,
    context: ListContext,
  ) => TableColumn<ListedTrace>['cell'] extends (row: never) => infer R ? R : never;
}

const dash = <span className="text-dim">–</span>;
const text = (value: string | null | undefined) =>
  value === null || value === undefined || value === '' ? dash : value;

export const LIST_COLUMNS: readonly TraceColumn[] = [
  {
    id: 'timestamp',
    title: 'Time',
    card: 'meta',
    isShown: true,
    width: 'w-[112px]',
    isSortable: true,
    cell: ({ timestamp }) => (
      <time dateTime={timestamp} title={timestamp} className="text-dim">
        {formatMoment(timestamp)}
      </time>
    ),
  },
  {
    id: 'name',
    title: 'Name',
    card: 'meta',
    isShown: true,
    width: 'w-[22%]',
    cell: ({ rootName, errorCount }) => (
      <span className="font-semibold" title={rootName}>
        {errorCount > 0 && (
          <span className="text-fail" title={`${errorCount} failed spans`}>
            <span aria-hidden="true">✕</span>
            <span className="sr-only">{errorCount} failed spans:</span>{' '}
          </span>
        )}
        {rootName === '' ? '(no name)' : rootName}
      </span>
    ),
  },
  { id: 'input', title: 'Input', card: 'title', isShown: true, cell: ({ input }) => text(input) },
  { id: 'output', title: 'Output', card: 'text', isShown: true, cell: ({ output }) => text(output) },
  {
    id: 'verdicts',
    title: 'Passed',
    card: 'signs',
    priority: 1,
    isShown: true,
    width: 'w-[92px]',
    cell: ({ id }, { verdicts }) => <Verdicts count={verdicts.get(id)} />,
  },
  {
    id: 'durationMs',
    title: 'Duration',
    card: 'meta',
    priority: 2,
    isShown: true,
    width: 'w-[78px]',
    align: 'right',
    isSortable: true,
    cell: ({ durationMs }) => formatDuration(durationMs),
  },
  {
    id: 'bar',
    title: 'Scale',
    card: 'none',
    priority: 9,
    isShown: true,
    width: 'w-[96px]',
    cell: ({ durationMs }, { longestMs }) => <Bar share={longestMs > 0 ? durationMs / longestMs : 0} />,
  },
  {
    id: 'spans',
    title: 'Spans',
    card: 'none',
    priority: 8,
    isShown: true,
    width: 'w-[72px]',
    align: 'right',
    cell: ({ spanCount }) => formatWhole(spanCount),
  },
  {
    id: 'totalTokens',
    title: 'Tokens',
    card: 'none',
    priority: 7,
    isShown: true,
    width: 'w-[76px]',
    align: 'right',
    isSortable: true,
    cell: ({ usage }) => (usage.totalTokens > 0 ? formatCount(usage.totalTokens) : dash),
  },
  {
    id: 'cost',
    title: 'Cost',
    card: 'meta',
    priority: 3,
    isShown: true,
    width: 'w-[86px]',
    align: 'right',
    isSortable: true,
    cell: ({ cost, costEstimated }) =>
      cost === null ? (
        dash
      ) : (
        <span title={costEstimated ? 'Computed from tokens and prices' : 'As the application reported it'}>
          {formatMoney(cost)}
        </span>
      ),
  },
  { id: 'models', title: 'Models', isShown: false, cell: ({ models }) => text(models.join(', ')) },
  {
    id: 'environment',
    title: 'Environment',
    isShown: false,
    width: 'w-[110px]',
    cell: ({ environment }) => text(environment),
  },
  { id: 'services', title: 'Services', isShown: false, cell: ({ services }) => text(services.join(', ')) },
  { id: 'tags', title: 'Tags', isShown: false, cell: ({ tags }) => text(tags.join(', ')) },
  { id: 'user', title: 'User', isShown: false, cell: ({ userId }) => text(userId) },
  { id: 'session', title: 'Conversation', isShown: false, cell: ({ sessionId }) => text(sessionId) },
  {
    id: 'id',
    title: 'Id',
    isShown: false,
    cell: ({ id }) => <code className="font-mono text-label">{id}</code>,
  },
];

export const DEFAULT_COLUMNS = LIST_COLUMNS.filter(({ isShown }) => isShown)
  .map(({ id }) => id)
  .join(',');
