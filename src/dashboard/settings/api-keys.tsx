import { type ReactNode, useState } from 'react';
import type { CreatedApiKey, ListedApiKey } from '../../api/generated/schema.ts';
import { useAction, useApi } from '../api/use-api.ts';
import { Button } from '../ui/button.tsx';
import { actionsColumn, momentColumn, RowAction } from '../ui/cells.tsx';
import { ConfirmRow } from '../ui/confirm.tsx';
import { DataTable } from '../ui/data-table.tsx';
import type { TableColumn } from '../ui/table-column.ts';
import { Loaded } from '../ui/panel.tsx';
import { Empty } from '../ui/states.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { NewSecret } from './secret.tsx';

/** Lists the keys of programs, and makes and revokes them. */
export function ApiKeys(): ReactNode {
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<CreatedApiKey | null>(null);
  const [revoking, setRevoking] = useState<ListedApiKey | null>(null);
  const keys = useApi('/v0/api-keys', {});
  return (
    <div>
      <div className="flex items-center gap-3 px-4 py-3">
        <p className="text-dim">
          Programs send a key with every request. People sign in with their own account.
        </p>
        <Button look="primary" className="ml-auto" onClick={() => setCreating(true)}>
          New key
        </Button>
      </div>
      {created && (
        <NewSecret
          title={`Key “${created.name}”`}
          text={created.key}
          hint="It is shown only now. Keep it where your programs keep their secrets."
          onDone={() => setCreated(null)}
        />
      )}
      <Loaded of={keys} isFlush>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No keys">
              <p>An exporter needs a key with the scope ingest.</p>
            </Empty>
          ) : (
            <DataTable label="API keys" rows={data} columns={columns(setRevoking)} rowKey={({ id }) => id} />
          )
        }
      </Loaded>
      <NewKeyDialog
        isOpen={isCreating}
        onClose={() => setCreating(false)}
        onCreated={(key) => {
          setCreating(false);
          setCreated(key);
        }}
      />
      <RevokeKey apiKey={revoking} onClose={() => setRevoking(null)} />
    </div>
  );
}

const columns = (onRevoke: (key: ListedApiKey) => void): readonly TableColumn<ListedApiKey>[] => [
  { id: 'name', title: 'Name', cell: ({ name }) => <span className="font-semibold">{name}</span> },
  {
    id: 'keyId',
    title: 'Begins with',
    cell: ({ keyId }) => <code className="font-mono text-label">sk_{keyId}_…</code>,
  },
  momentColumn('createdAt', 'Created'),
  momentColumn('updatedAt', 'Changed'),
  actionsColumn((key) => (
    <RowAction isDanger of={key.name} onClick={() => onRevoke(key)}>
      Revoke
    </RowAction>
  )),
];

function RevokeKey({ apiKey, onClose }: { apiKey: ListedApiKey | null; onClose: () => void }): ReactNode {
  const revoke = useAction(['/v0/api-keys'], (api, id: string) =>
    api.DELETE('/v0/api-keys/{id}', { params: { path: { id } } }),
  );
  return (
    <ConfirmRow
      row={apiKey}
      title={({ name }) => `Revoke “${name}”?`}
      action="Revoke the key"
      remove={revoke}
      done={({ name }) => `Key “${name}” revoked`}
      onClose={onClose}
    >
      Programs that use it are rejected at once, and logins that were made with it end. This cannot be undone.
    </ConfirmRow>
  );
}
