import type { ReactNode } from 'react';
import type { AuditEntry, Task } from '../../api/generated/schema.ts';
import { useScope } from '../api/session.ts';
import { useApi } from '../api/use-api.ts';
import { AppLink, useUrlState } from '../app/url.tsx';
import { exampleHref } from '../examples/example-link.ts';
import { DASH, momentColumn } from '../ui/cells.tsx';
import { DataTable } from '../ui/data-table.tsx';
import type { TableColumn } from '../ui/table-column.ts';
import { Pager } from '../ui/pager.tsx';
import { Loaded } from '../ui/panel.tsx';
import { Empty } from '../ui/states.tsx';

const PAGE_SIZE = 50;
const DEFAULTS = { tab: 'history', skip: '0' };

/** Shows who changed a task and its examples, newest first. */
export function HistoryTab({ task }: { task: Task }): ReactNode {
  const isAdmin = useScope('admin');
  const [{ skip }, change] = useUrlState(DEFAULTS);
  const query = { resourceId: task.id, limit: PAGE_SIZE, skip: Number(skip) || 0 };
  const entries = useApi('/v0/audit', { query }, { enabled: isAdmin, keepsRows: true });
  if (!isAdmin)
    return (
      <Empty title="History: for administrators">
        <p>Who changed what is shown to administrators of the application.</p>
      </Empty>
    );
  return (
    <Loaded of={entries} isFlush>
      {({ data, pagination }) => (
        <>
          <p className="px-4 py-3 text-dim">
            Changes of this task and its examples. Changes of several tasks at once, such as tags, are in
            Settings, Audit.
          </p>
          {data.length === 0 ? (
            <Empty title="No change is recorded">
              <p>The task was made by the server, or its entries are no longer kept.</p>
            </Empty>
          ) : (
            <DataTable
              label="Changes"
              rows={data}
              rowKey={({ id }) => String(id)}
              columns={columnsOf(task.id)}
            />
          )}
          <Pager {...pagination} onSkip={(next) => change({ skip: String(next) })} />
        </>
      )}
    </Loaded>
  );
}

const columnsOf = (taskId: string): readonly TableColumn<AuditEntry>[] => [
  momentColumn('createdAt', 'Time'),
  {
    id: 'actor',
    title: 'Who',
    width: 'w-[200px]',
    cell: ({ actor }) => (
      <>
        <span className="font-semibold">{actor.name}</span>{' '}
        <span className="text-dim">{actor.type === 'key' ? 'API key' : ''}</span>
      </>
    ),
  },
  { id: 'action', title: 'What', width: 'w-[220px]', cell: ({ action }) => wordsOf(action) },
  {
    id: 'example',
    title: 'Example',
    cell: ({ resourceId }) => {
      const example = resourceId?.split('/')[1];
      return example === undefined ? (
        DASH
      ) : (
        <AppLink href={exampleHref(taskId, example)} className="text-accent hover:underline">
          {example.slice(0, 8)}
        </AppLink>
      );
    },
  },
  {
    id: 'request',
    title: 'Request id',
    cell: ({ requestId }) => <code className="font-mono text-label text-dim">{requestId}</code>,
  },
];

/** Writes the name of an operation as words: `updateTask` is “Update task”. */
const wordsOf = (action: string): string => {
  const words = action.replace(/^put/, 'set').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
};
