import { type ReactNode, useState } from 'react';
import type { Tag } from '../../api/generated/schema.ts';
import { useScope } from '../api/session.ts';
import { useAction, useApi } from '../api/use-api.ts';
import { pageOf } from '../app/list-state.ts';
import { useShortcuts } from '../app/shortcuts.ts';
import { AppLink, useUrlState } from '../app/url.tsx';
import { formatWhole } from '../format/number.ts';
import { Button } from '../ui/button.tsx';
import { actionsColumn, DASH, momentColumn, RowAction } from '../ui/cells.tsx';
import { Choice } from '../ui/choice.tsx';
import { Confirm } from '../ui/confirm.tsx';
import type { Column } from '../ui/data-table.tsx';
import { Page } from '../ui/page.tsx';
import { RecordList, Total } from '../ui/record-list.tsx';
import { Empty } from '../ui/states.tsx';
import { announce } from '../ui/status-line.tsx';
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
  const list = useApi(['tags', query], (api, signal) => api.GET('/v0/tags', { params: { query }, signal }));
  const tasks = useCounts(TASKS_PER_TAG);
  const create = (): void => setEdited('new');
  useShortcuts(mayWrite ? [{ keys: 'n', label: 'New tag', group: 'This page', run: create }] : []);
  const button = mayWrite && (
    <Button look="primary" keys="n" onClick={create}>
      New tag
    </Button>
  );
  return (
    <Page
      title="Tags"
      actions={button}
      bar={
        <div className="flex flex-wrap items-center gap-2">
          <Choice
            label="Status"
            anyText="Active tags"
            value={state.status}
            choices={[['ARCHIVED', 'Archived tags']]}
            onChoose={(status) => change({ status, skip: '0' })}
          />
          <Total of={list} what="tag" />
        </div>
      }
    >
      <RecordList
        of={list}
        label="Tags"
        what="tag"
        columns={[
          ...columns(tasks),
          ...(mayWrite
            ? [
                actionsColumn((tag: Tag) => (
                  <span className="flex justify-end gap-3">
                    <RowAction of={tag.name} onClick={() => setEdited(tag)}>
                      Edit
                    </RowAction>
                    <RowAction isDanger of={tag.name} onClick={() => setDeleted(tag)}>
                      Delete
                    </RowAction>
                  </span>
                )),
              ]
            : []),
        ]}
        rowKey={({ id }) => id}
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
      />
      {edited !== null && (
        <TagDialog tag={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
      <DeleteTag tag={deleted} onClose={() => setDeleted(null)} />
    </Page>
  );
}

const columns = (tasks: ReadonlyMap<string, number> | undefined): readonly Column<Tag>[] => [
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

function DeleteTag({ tag, onClose }: { tag: Tag | null; onClose: () => void }): ReactNode {
  const remove = useAction(['tags'], (api, id: string) =>
    api.DELETE('/v0/tags/{id}', { params: { path: { id } } }),
  );
  const close = (): void => {
    remove.reset();
    onClose();
  };
  return (
    <Confirm
      isOpen={tag !== null}
      title={`Delete the tag “${tag?.name}”?`}
      action="Delete the tag"
      isBusy={remove.isPending}
      error={remove.error}
      onClose={close}
      onConfirm={() =>
        tag &&
        remove.mutate(tag.id, {
          onSuccess: () => {
            announce(`Tag “${tag.name}” deleted`);
            close();
          },
        })
      }
    >
      It is removed from all tasks that have it. The tasks themselves stay.
    </Confirm>
  );
}
