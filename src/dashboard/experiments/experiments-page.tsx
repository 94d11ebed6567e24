import { type ReactNode, useState } from 'react';
import type { Experiment } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { pageOf } from '../app/list-state.ts';
import { useUrlState } from '../app/url.tsx';
import { formatWhole } from '../format/number.ts';
import { Badge } from '../ui/badge.tsx';
import { DASH, momentColumn, numberColumn, titleColumn } from '../ui/cells.tsx';
import type { TableColumn } from '../ui/table-column.ts';
import { ListPage } from '../ui/list-page.tsx';
import { Empty } from '../ui/states.tsx';
import { useWriteButtons } from '../ui/write-buttons.tsx';
import { NewExperimentDialog } from './new-experiment-dialog.tsx';
import { EXPERIMENT_STATUS } from './words.ts';

const DEFAULTS = { sort: '-createdAt', skip: '0' };

export function ExperimentsPage(): ReactNode {
  const [state, change] = useUrlState(DEFAULTS);
  const [isCreating, setCreating] = useState(false);
  const list = useApi('/v0/experiments', { query: pageOf<'createdAt'>(state) }, { keepsRows: true });
  const button = useWriteButtons([{ title: 'New experiment', keys: 'n', run: () => setCreating(true) }]);
  return (
    <ListPage
      title="Experiments"
      actions={button}
      filters={null}
      of={list}
      what="experiment"
      columns={COLUMNS}
      href={({ id }) => `/experiments/${id}`}
      state={state}
      onChange={change}
      onClear={undefined}
      empty={
        <Empty title="No experiments yet">
          <p>
            An experiment runs the same tasks with different settings, such as two prompts or two models, and
            says which of them is better, as far as the tests show it.
          </p>
          <div>{button}</div>
        </Empty>
      }
    >
      {isCreating && <NewExperimentDialog onClose={() => setCreating(false)} />}
    </ListPage>
  );
}

const COLUMNS: readonly TableColumn<Experiment>[] = [
  titleColumn('Experiment', { isSortable: true }),
  {
    id: 'status',
    title: 'Status',
    width: 'w-[170px]',
    isSortable: true,
    cell: ({ status }) => {
      const [text, tone] = EXPERIMENT_STATUS[status];
      return <Badge tone={tone}>{text}</Badge>;
    },
  },
  numberColumn('tasks', 'Tasks', 'w-[64px]', ({ taskIds }) => formatWhole(taskIds.length)),
  { id: 'assignee', title: 'Assigned to', width: 'w-[18%]', cell: ({ assignee }) => assignee ?? DASH },
  momentColumn('createdAt', 'Created', { isSortable: true }),
];
