import { type ReactNode, useState } from 'react';
import type { Member } from '../../api/generated/schema.ts';
import { useSession } from '../api/session.ts';
import { useAction, useApi } from '../api/use-api.ts';
import { actionsColumn, momentColumn, RowAction } from '../ui/cells.tsx';
import { ConfirmRow } from '../ui/confirm.tsx';
import { DataTable } from '../ui/data-table.tsx';
import type { TableColumn } from '../ui/table-column.ts';
import { ErrorLine } from '../ui/error-panel.tsx';
import { Options } from '../ui/field.tsx';
import { Loaded } from '../ui/panel.tsx';
import { announce } from '../ui/status-line.tsx';
import { Invitations } from './invitations.tsx';
import { type Role, ROLE_CHOICES, ROLE_MEANINGS } from './roles.ts';

const PAGE_SIZE = 100;

/** Lists who belongs to the application, and changes their roles. */
export function Members(): ReactNode {
  const { application } = useSession();
  const path = { id: application.id };
  const [leaving, setLeaving] = useState<Member | null>(null);
  const members = useApi('/v0/applications/{id}/members', { path, query: { limit: PAGE_SIZE } });
  const change = useAction(['/v0/applications'], (api, { userId, role }: { userId: string; role: Role }) =>
    api.PUT('/v0/applications/{id}/members/{userId}', {
      params: { path: { ...path, userId } },
      body: { role },
    }),
  );
  const columns: readonly TableColumn<Member>[] = [
    ...WHO,
    {
      id: 'role',
      title: 'Role',
      width: 'w-[130px]',
      cell: (member) => (
        <RoleSelect
          member={member}
          isBusy={change.isPending}
          onChange={(role) =>
            change.mutate(
              { userId: member.id, role },
              { onSuccess: ({ data }) => announce(`${member.name} is now ${data.role}`) },
            )
          }
        />
      ),
    },
    momentColumn('createdAt', 'Member since'),
    actionsColumn((member) => (
      <RowAction isDanger of={member.name} onClick={() => setLeaving(member)}>
        Remove
      </RowAction>
    )),
  ];
  return (
    <div>
      <RoleMeanings />
      <ErrorLine error={change.error} className="px-4 pb-2" />
      <Loaded of={members} isFlush>
        {({ data }) =>
          data.length === 0 ? (
            <p className="px-4 py-2 text-dim">
              No one has an account here yet. Invite the first person below.
            </p>
          ) : (
            <DataTable label="Members" rows={data} columns={columns} rowKey={({ id }) => id} />
          )
        }
      </Loaded>
      <Invitations />
      <RemoveMember member={leaving} onClose={() => setLeaving(null)} />
    </div>
  );
}

const WHO: readonly TableColumn<Member>[] = [
  { id: 'name', title: 'Name', cell: ({ name }) => <span className="font-semibold">{name}</span> },
  { id: 'email', title: 'Email', cell: ({ email }) => email },
];

interface RoleSelectProps {
  member: Member;
  isBusy: boolean;
  onChange: (role: Role) => void;
}

const RoleSelect = ({ member: { name, role }, isBusy, onChange }: RoleSelectProps): ReactNode => (
  <select
    aria-label={`Role of ${name}`}
    className="h-[22px] rounded-md border border-edge bg-page px-1"
    value={role}
    disabled={isBusy}
    onChange={({ target }) => onChange(target.value as Role)}
  >
    <Options choices={ROLE_CHOICES} />
  </select>
);

const RoleMeanings = (): ReactNode => (
  <dl className="flex flex-wrap gap-x-6 gap-y-1 px-4 py-3 text-dim">
    {ROLE_MEANINGS.map(([role, meaning]) => (
      <div key={role} className="flex gap-1.5">
        <dt className="font-semibold text-ink">{role}</dt>
        <dd>{meaning}</dd>
      </div>
    ))}
  </dl>
);

function RemoveMember({ member, onClose }: { member: Member | null; onClose: () => void }): ReactNode {
  const { application } = useSession();
  const remove = useAction(['/v0/applications'], (api, userId: string) =>
    api.DELETE('/v0/applications/{id}/members/{userId}', {
      params: { path: { id: application.id, userId } },
    }),
  );
  return (
    <ConfirmRow
      row={member}
      title={({ name }) => `Remove ${name} from ${application.name}?`}
      action="Remove"
      remove={remove}
      done={({ name }) => `${name} is no longer a member`}
      onClose={onClose}
    >
      The account stays, and with it the membership in other applications. Verdicts of this person stay too.
    </ConfirmRow>
  );
}
