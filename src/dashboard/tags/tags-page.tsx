import { type ReactNode, useState } from 'react';
import type { Tag } from '../../api/generated/schema.ts';
import { useScope } from '../api/session.ts';
import { useAction, useApi } from '../api/use-api.ts';
import { pageOf } from '../app/list-state.ts';
import { AppLink, useUrlState } from '../app/url.tsx';
import { formatWhole } from '../format/number.ts';
import { actionsColumn, DASH, momentColumn, RowAction } from '../ui/cells.tsx';
import { Choice } from '../ui/choice.tsx';
import { ConfirmRow } from '../ui/confirm.tsx';
import type { TableColumn } from '../ui/table-column.ts';
import { TaskTabs } from '../tasks/task-tabs.tsx';
import { ListPage } from '../ui/list-page.tsx';
import { Empty } from '../ui/states.tsx';
import { useWriteButtons } from '../ui/write-buttons.tsx';
import { useCounts } from '../reports/use-counts.ts';
import { TagChip } from './tag-chip.tsx';
import { TagDialog } from './tag-dialog.tsx';

const DEFAULTS = { status: '', sort: 'name', skip: '0' };
const TASKS_PER_TAG = { datasource: 'task', column: 'tag' } as const;

export function TagsPage(): ReactNode {
  const [state, change] = useUrlState(DEFAULTS);
  const mayWrite = useScope('write');
  const [edited, setEdited] = useState<Tag | 'new' | null>(null);
  const [deleted, setDeleted] = useState<Tag | null>(null);
  const query = {
    ...pageOf<'name'>(state),
    ...(state.status !== '' && { status: [state.status as Tag['status']] }),
  };
  const list = useApi('/v0/tags', { query }, { keepsRows: true });
  const tasks = useCounts(TASKS_PER_TAG);
  const button = useWriteButtons([{ title: 'New tag', keys: 'n', run: () => setEdited('new') }]);
  return (
    <ListPage
      title="Tags"
      tabs={<TaskTabs current="tags" />}
      actions={button}
      filters={
        <Choice
          label="Status"
          anyText="Active tags"
          value={state.status}
          choices={[['ARCHIVED', 'Archived tags']]}
          onChoose={(status) => change({ status, skip: '0' })}
        />
      }
      of={list}
      what="tag"
      columns={[...columns(tasks), ...(mayWrite ? [tagActions(setEdited, setDeleted)] : [])]}
      state={state}
      onChange={change}
      onClear={state.status === '' ? undefined : () => change({ status: '', skip: '0' })}
      empty={
        <Empty title="No tags yet">
          <p>
            A tag is a label for tasks, such as “smoke” or “billing”. Tasks can be filtered and run by it.
          </p>
          <div>{button}</div>
        </Empty>
      }
    >
      {edited !== null && (
        <TagDialog tag={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
      <DeleteTag tag={deleted} onClose={() => setDeleted(null)} />
    </ListPage>
  );
}

const columns = (tasks: ReadonlyMap<string, number> | undefined): readonly TableColumn<Tag>[] => [
  {
    id: 'name',
    title: 'Name',
    width: 'w-[24%]',
    isSortable: true,
    cell: (tag) => (
      <span className="font-semibold">
        <TagChip tag={tag} />
      </span>
    ),
  },
  { id: 'description', title: 'Description', cell: ({ description }) => description ?? DASH },
  {
    id: 'tasks',
    title: 'Tasks',
    width: 'w-[86px]',
    align: 'right',
    cell: ({ id, name }) => {
      const count = tasks?.get(id) ?? 0;
      if (tasks === undefined || count === 0) return tasks === undefined ? '…' : DASH;
      return (
        <AppLink href={`/tasks?tag=${id}`} className="text-accent underline">
          {formatWhole(count)}
          <span className="sr-only"> tasks with the tag {name}</span>
        </AppLink>
      );
    },
  },
  momentColumn('modifiedAt', 'Changed', { isSortable: true }),
];

const tagActions = (onEdit: (tag: Tag) => void, onDelete: (tag: Tag) => void): TableColumn<Tag> =>
  actionsColumn((tag) => (
    <span className="flex justify-end gap-3">
      <RowAction of={tag.name} onClick={() => onEdit(tag)}>
        Edit
      </RowAction>
      <RowAction isDanger of={tag.name} onClick={() => onDelete(tag)}>
        Delete
      </RowAction>
    </span>
  ));

function DeleteTag({ tag, onClose }: { tag: Tag | null; onClose: () => void }): ReactNode {
  const remove = useAction(['/v0/tags'], (api, id: string) =>
    api.DELETE('/v0/tags/{id}', { params: { path: { id } } }),
  );
  return (
    <ConfirmRow
      row={tag}
      title={({ name }) => `Delete the tag “${name}”?`}
      action="Delete the tag"
      remove={remove}
      done={({ name }) => `Tag “${name}” deleted`}
      onClose={onClose}
    >
      It is removed from all tasks that have it. The tasks themselves stay.
    </ConfirmRow>
  );
}
