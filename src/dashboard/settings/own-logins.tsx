import { type ReactNode, useState } from 'react';
import type { OwnLogin } from '../../api/generated/schema.ts';
import { useSession } from '../api/session.ts';
import { useAction, useApi } from '../api/use-api.ts';
import { browserName } from '../format/browser-name.ts';
import { Button } from '../ui/button.tsx';
import { actionsColumn, DASH, momentColumn, RowAction } from '../ui/cells.tsx';
import { ConfirmRow } from '../ui/confirm.tsx';
import { DataTable } from '../ui/data-table.tsx';
import type { TableColumn } from '../ui/table-column.ts';
import { ErrorLine } from '../ui/error-panel.tsx';
import { Loaded } from '../ui/panel.tsx';
import { Empty } from '../ui/states.tsx';
import { announce } from '../ui/status-line.tsx';

/** Lists the browsers in which the person is signed in, and signs them out. */
export function OwnLogins(): ReactNode {
  const { login } = useSession();
  return login.user === null ? (
    <Empty title="This login is one of an API key">
      <p>Only people have a list of logins. Revoking the key ends all logins with it.</p>
    </Empty>
  ) : (
    <LoginsOfPerson />
  );
}

function LoginsOfPerson(): ReactNode {
  const [ending, setEnding] = useState<OwnLogin | null>(null);
  const logins = useApi('/v0/logins', {});
  const endOthers = useAction(['/v0/logins'], (api, _input: void) => api.DELETE('/v0/logins', {}));
  const end = useAction(['/v0/logins'], (api, loginId: string) =>
    api.DELETE('/v0/logins/{loginId}', { params: { path: { loginId } } }),
  );
  const hasOthers = (logins.data?.data.length ?? 0) > 1;
  return (
    <div>
      <div className="flex min-h-[50px] flex-wrap items-center gap-3 px-4 py-2">
        <p className="text-dim">
          Browsers in which you are signed in. End what you do not know, and then change your password.
        </p>
        <Button
          look="danger"
          className="ml-auto"
          disabled={!hasOthers || endOthers.isPending}
          onClick={() =>
            endOthers.mutate(undefined, {
              onSuccess: ({ ended }) => announce(`${ended} other ${ended === 1 ? 'login' : 'logins'} ended`),
            })
          }
        >
          End all other logins
        </Button>
      </div>
      <ErrorLine error={endOthers.error} className="px-4 pb-2" />
      <Loaded of={logins} isFlush>
        {({ data }) => (
          <DataTable label="Your logins" rows={data} columns={columns(setEnding)} rowKey={({ id }) => id} />
        )}
      </Loaded>
      <ConfirmRow
        row={ending}
        title={(row) => `End the login of ${nameOf(row)}?`}
        action="End the login"
        remove={end}
        done={(row) => `The login of ${nameOf(row)} ended`}
        onClose={() => setEnding(null)}
      >
        That browser is signed out at once, and must sign in again with the password.
      </ConfirmRow>
    </div>
  );
}

const nameOf = ({ userAgent }: OwnLogin): string => browserName(userAgent) ?? 'an unknown browser';

const columns = (onEnd: (login: OwnLogin) => void): readonly TableColumn<OwnLogin>[] => [
  {
    id: 'browser',
    title: 'Browser',
    cell: (row) => (
      <span title={row.userAgent ?? undefined}>
        <span className="font-semibold">{nameOf(row)}</span>
        {row.isCurrent && <span className="text-dim"> – this browser</span>}
      </span>
    ),
  },
  {
    id: 'address',
    title: 'Address',
    cell: ({ address }) =>
      address === null ? DASH : <code className="font-mono text-label">{address}</code>,
  },
  momentColumn('createdAt', 'Signed in'),
  momentColumn('usedAt', 'Last used'),
  momentColumn('expiresAt', 'Ends'),
  actionsColumn((row) =>
    row.isCurrent ? null : (
      <RowAction isDanger of={`the login of ${nameOf(row)}`} onClick={() => onEnd(row)}>
        End
      </RowAction>
    ),
  ),
];
