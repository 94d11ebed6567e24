import { type ReactNode, useState } from 'react';
import type { AnnotationQueue } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { pageOf } from '../app/list-state.ts';
import { AppLink, useUrlState } from '../app/url.tsx';
import { formatWhole } from '../format/number.ts';
import { Bar } from '../ui/bar.tsx';
import { DASH } from '../ui/cells.tsx';
import { ListPage } from '../ui/list-page.tsx';
import { Empty } from '../ui/states.tsx';
import type { TableColumn } from '../ui/table-column.ts';
import { useWriteButtons } from '../ui/write-buttons.tsx';
import { NewQueueDialog } from './new-queue-dialog.tsx';

const DEFAULTS = { sort: '-createdAt', skip: '0' };

/** Lists the queues of reviews, with their progress and what waits for the person. */
export function ReviewPage(): ReactNode {
  const [state, change] = useUrlState(DEFAULTS);
  const [isNew, setNew] = useState(false);
  const queues = useApi(
    '/v0/human-annotation-queues',
    { query: pageOf<'createdAt'>(state) },
    { keepsRows: true },
  );
  const button = useWriteButtons([{ title: 'New queue', keys: 'n', run: () => setNew(true) }]);
  return (
    <ListPage
      title="Review"
      actions={button}
      filters={null}
      of={queues}
      what="queue"
      columns={COLUMNS}
      state={state}
      onChange={change}
      onClear={undefined}
      empty={
        <Empty title="No queues yet">
          <p>
            A queue asks people to judge responses one after another. Verdicts on a random sample show how far
            an evaluator can be trusted.
          </p>
          <div>{button}</div>
        </Empty>
      }
    >
      {isNew && <NewQueueDialog onClose={() => setNew(false)} />}
    </ListPage>
  );
}

const COLUMNS: readonly TableColumn<AnnotationQueue>[] = [
  {
    id: 'title',
    title: 'Queue',
    isSortable: true,
    card: 'title',
    cell: ({ id, title, mine }) => (
      <AppLink href={`/review/${id}`} className="font-semibold">
        {title}
        {mine > 0 && <span className="sr-only">, {formatWhole(mine)} for you</span>}
      </AppLink>
    ),
  },
  {
    id: 'progress',
    title: 'Progress',
    width: 'w-[240px]',
    card: 'text',
    cell: ({ progress: { items, completed, begun } }) => (
      <span className="flex items-center gap-2">
        <span className="w-[70px] shrink-0">
          <Bar share={items === 0 ? 0 : completed / items} />
        </span>
        <span className="truncate text-dim">
          {formatWhole(completed)} of {formatWhole(items)} done
          {begun > 0 && `, ${formatWhole(begun)} begun`}
        </span>
      </span>
    ),
  },
  {
    id: 'mine',
    title: 'Yours',
    width: 'w-[70px]',
    align: 'right',
    card: 'signs',
    cell: ({ mine }) => (mine === 0 ? DASH : <b className="font-semibold">{formatWhole(mine)}</b>),
  },
  {
    id: 'reviews',
    title: 'Reviews',
    width: 'w-[80px]',
    align: 'right',
    card: 'none',
    cell: ({ reviewsPerItem }) => formatWhole(reviewsPerItem),
  },
  {
    id: 'agreement',
    title: 'Agreement α',
    width: 'w-[150px]',
    card: 'none',
    cell: ({ agreement, reviewsPerItem }) =>
      agreement === null ? (
        <span className="text-dim">{reviewsPerItem === 1 ? 'one reviewer an item' : 'too few reviews'}</span>
      ) : (
        <span>
          {agreement.alpha.toFixed(2)}{' '}
          <span className="text-dim">
            ({agreement.low.toFixed(2)} to {agreement.high.toFixed(2)})
          </span>
        </span>
      ),
  },
  {
    id: 'disputed',
    title: 'Disagree',
    width: 'w-[80px]',
    align: 'right',
    card: 'none',
    cell: ({ progress: { disputed } }) => (disputed === 0 ? DASH : formatWhole(disputed)),
  },
  {
    id: 'reviewers',
    title: 'Reviewers',
    width: 'w-[180px]',
    card: 'none',
    cell: ({ reviewers }) =>
      reviewers.length === 0 ? (
        <span className="text-dim">everybody</span>
      ) : (
        reviewers.map(({ id, name }) => name ?? id).join(', ')
      ),
  },
];
