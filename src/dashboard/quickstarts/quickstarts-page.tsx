import { type ReactNode, useState } from 'react';
import type { ListedQuickstart } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { pageOf } from '../app/list-state.ts';
import { useUrlState } from '../app/url.tsx';
import { TaskTabs } from '../tasks/task-tabs.tsx';
import { Badge } from '../ui/badge.tsx';
import { DASH, momentColumn } from '../ui/cells.tsx';
import { ListPage } from '../ui/list-page.tsx';
import { Empty } from '../ui/states.tsx';
import type { TableColumn } from '../ui/table-column.ts';
import { useWriteButtons } from '../ui/write-buttons.tsx';
import { NewQuickstartDialog } from './new-quickstart-dialog.tsx';
import { STATUS_WORDS, stepOfStatus } from './steps.ts';

const DEFAULTS = { sort: '-createdAt', skip: '0' };

/** Lists what was begun with files of conversations, knowledge and policies. */
export function QuickstartsPage(): ReactNode {
  const [state, change] = useUrlState(DEFAULTS);
  const [isCreating, setCreating] = useState(false);
  const list = useApi('/v0/quickstarts', { query: pageOf<'createdAt'>(state) }, { keepsRows: true });
  const button = useWriteButtons([{ title: 'New quickstart', keys: 'n', run: () => setCreating(true) }]);
  return (
    <ListPage
      title="Quickstarts"
      tabs={<TaskTabs current="quickstarts" />}
      actions={button}
      filters={null}
      of={list}
      what="quickstart"
      columns={COLUMNS}
      href={({ id, status }) => `/quickstarts/${id}/${stepOfStatus(status)}`}
      state={state}
      onChange={change}
      onClear={undefined}
      empty={
        <Empty title="No quickstarts yet">
          <p>
            A quickstart makes tasks of a CSV file with the conversations of your team, and documents of files
            with knowledge and policies. You review what it made, and then run the first tests.
          </p>
          <div>{button}</div>
        </Empty>
      }
    >
      {isCreating && <NewQuickstartDialog onClose={() => setCreating(false)} />}
    </ListPage>
  );
}

const COLUMNS: readonly TableColumn<ListedQuickstart>[] = [
  { id: 'name', title: 'Quickstart', isSortable: true, card: 'title', cell: ({ name }) => name },
  {
    id: 'status',
    title: 'Status',
    width: 'w-[220px]',
    isSortable: true,
    card: 'signs',
    cell: ({ status }) => (
      <Badge tone={status === 'COMPLETE' ? 'pass' : status === 'FAILED' ? 'fail' : 'plain'}>
        {STATUS_WORDS[status]}
      </Badge>
    ),
  },
  {
    id: 'files',
    title: 'Files',
    width: 'w-[30%]',
    card: 'text',
    cell: ({ uploads }) => (uploads.length === 0 ? DASH : uploads.map(({ fileName }) => fileName).join(', ')),
  },
  momentColumn('createdAt', 'Created', { isSortable: true }),
];
