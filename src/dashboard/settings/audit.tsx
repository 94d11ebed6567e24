import type { ReactNode } from 'react';
import type { AuditEntry } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { useUrlState } from '../app/url.tsx';
import { Button } from '../ui/button.tsx';
import { DASH, momentColumn } from '../ui/cells.tsx';
import { DataTable } from '../ui/data-table.tsx';
import type { TableColumn } from '../ui/table-column.ts';
import { Pager } from '../ui/pager.tsx';
import { Loaded } from '../ui/panel.tsx';
import { Empty } from '../ui/states.tsx';

const PAGE_SIZE = 50;
const DEFAULTS = { tab: 'application', actor: '', action: '', skip: '0' };

/** Lists who changed what. A name or an action filters by it. */
export function AuditLog(): ReactNode {
  const [{ actor, action, skip }, change] = useUrlState(DEFAULTS);
  const query = {
    limit: PAGE_SIZE,
    skip: Number(skip) || 0,
    ...(actor !== '' && { actorId: [actor] }),
    ...(action !== '' && { action: [action] }),
  };
  const entries = useApi('/v0/audit', { query }, { keepsRows: true });
  const isFiltered = actor !== '' || action !== '';
  return (
    <div>
      <div className="flex min-h-[50px] items-center gap-3 px-4">
        <p className="text-dim">Every change by people and programs, except the traces that they send.</p>
        {isFiltered && (
          <Button className="ml-auto" onClick={() => change({ actor: '', action: '', skip: '0' })}>
            Show all changes
          </Button>
        )}
      </div>
      <Loaded of={entries} isFlush>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <Empty title={isFiltered ? 'No such change' : 'Nothing was changed yet'} />
          ) : (
            <>
              <DataTable
                label="Changes"
                rows={data}
                rowKey={({ id }) => String(id)}
                columns={columns(
                  (id) => change({ actor: id, skip: '0' }),
                  (name) => change({ action: name, skip: '0' }),
                )}
              />
              <Pager {...pagination} onSkip={(next) => change({ skip: String(next) })} />
            </>
          )
        }
      </Loaded>
    </div>
  );
}

const columns = (
  onActor: (id: string) => void,
  onAction: (action: string) => void,
): readonly TableColumn<AuditEntry>[] => [
  momentColumn('createdAt', 'Time'),
  {
    id: 'actor',
    title: 'Who',
    cell: ({ actor }) => (
      <button type="button" className="cursor-pointer hover:underline" onClick={() => onActor(actor.id)}>
        <span className="font-semibold">{actor.name}</span>{' '}
        <span className="text-dim">{actor.type === 'key' ? 'API key' : ''}</span>
      </button>
    ),
  },
  {
    id: 'action',
    title: 'Action',
    cell: ({ action }) => (
      <button type="button" className="cursor-pointer hover:underline" onClick={() => onAction(action)}>
        {action}
      </button>
    ),
  },
  {
    id: 'resource',
    title: 'Id',
    cell: ({ resourceId }) => <code className="font-mono text-label">{resourceId ?? '–'}</code>,
  },
  {
    id: 'detail',
    title: 'Detail',
    cell: ({ detail }) => (detail === null ? DASH : <span className="text-dim">{detail}</span>),
  },
  {
    id: 'request',
    title: 'Request',
    cell: ({ requestId }) => <code className="font-mono text-label text-dim">{requestId}</code>,
  },
];
