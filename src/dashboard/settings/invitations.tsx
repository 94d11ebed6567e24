import { type ReactNode, useState } from 'react';
import { useSession } from '../api/session.ts';
import { useAction, useApi } from '../api/use-api.ts';
import { formatAgo } from '../format/time.ts';
import { Button } from '../ui/button.tsx';
import { ErrorLine } from '../ui/error-panel.tsx';
import { problemOf, SelectField, TextField } from '../ui/field.tsx';
import { Loaded, Section } from '../ui/panel.tsx';
import { announce } from '../ui/status-line.tsx';
import { ROLES, type Role } from './roles.ts';
import { Secret } from './secret.tsx';

/** Invites people by a link, and lists the invitations that are open. */
export function Invitations(): ReactNode {
  const path = { id: useSession().application.id };
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('editor');
  const invitations = useApi(['invitations'], (api, signal) =>
    api.GET('/v0/applications/{id}/invitations', { params: { path }, signal }),
  );
  const invite = useAction(['invitations'], (api, body: { email: string; role: Role }) =>
    api.POST('/v0/applications/{id}/invitations', { params: { path }, body }),
  );
  const revoke = useAction(['invitations'], (api, invitationId: string) =>
    api.DELETE('/v0/applications/{id}/invitations/{invitationId}', {
      params: { path: { ...path, invitationId } },
    }),
  );
  return (
    <Section title="Invitations" className="mt-6 [&>div:first-child]:px-4">
      <div className="px-4">
        <form
          className="grid max-w-[620px] grid-cols-[1fr_140px_auto] items-start gap-3 py-2"
          onSubmit={(event) => {
            event.preventDefault();
            invite.mutate({ email, role }, { onSuccess: () => setEmail('') });
          }}
        >
          <TextField
            label="Email"
            type="email"
            required
            problem={problemOf(invite.error, 'email')}
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
          <SelectField label="Role" value={role} onChange={(event) => setRole(event.target.value as Role)}>
            {ROLES.map(([value]) => (
              <option key={value}>{value}</option>
            ))}
          </SelectField>
          <Button look="primary" type="submit" className="mt-5 h-[30px]" disabled={invite.isPending}>
            Create a link
          </Button>
        </form>
        <ErrorLine error={invite.error ?? revoke.error} className="pb-2" />
      </div>
      {invite.data && (
        <Secret
          title={`Invitation of ${invite.data.data.email}`}
          text={invite.data.link}
          hint="Send this link to the person yourself. It is shown only now, and works once."
          onDone={() => invite.reset()}
        />
      )}
      <Loaded of={invitations} isFlush>
        {({ data }) =>
          data.length === 0 ? (
            <p className="px-4 py-2 text-dim">No invitation is open.</p>
          ) : (
            <ul className="px-4">
              {data.map(({ id, email: invited, role: invitedRole, expiresAt }) => (
                <li key={id} className="flex h-[30px] items-center gap-3 border-t border-line">
                  <span className="font-semibold">{invited}</span>
                  <span>{invitedRole}</span>
                  <span className="text-dim">expires {formatAgo(expiresAt)}</span>
                  <button
                    type="button"
                    className="ml-auto cursor-pointer text-fail hover:underline"
                    onClick={() => revoke.mutate(id, { onSuccess: () => announce('Invitation revoked') })}
                  >
                    Revoke<span className="sr-only"> the invitation of {invited}</span>
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}
