import type { ReactNode } from 'react';
import { useSession } from '../api/session.ts';
import { useAction, useApi } from '../api/use-api.ts';
import { formatAgo } from '../format/time.ts';
import { Button } from '../ui/button.tsx';
import { ErrorLine } from '../ui/error-panel.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Loaded, Section } from '../ui/panel.tsx';
import { announce } from '../ui/status-line.tsx';
import { fieldsOf, useDraft } from '../ui/use-draft.ts';
import { ROLE_CHOICES, type Role } from './roles.ts';
import { NewSecret } from './secret.tsx';

/** Invites people by a link, and lists the invitations that are open. */
export const Invitations = (): ReactNode => (
  <Section title="Invitations" className="mt-6 [&>div:first-child]:px-4">
    <Invite />
    <OpenInvitations />
  </Section>
);

const NOBODY: { email: string; role: Role } = { email: '', role: 'editor' };

function Invite(): ReactNode {
  const path = { id: useSession().application.id };
  const draft = useDraft(NOBODY);
  const invite = useAction(['/v0/applications'], (api, body: typeof NOBODY) =>
    api.POST('/v0/applications/{id}/invitations', { params: { path }, body }),
  );
  const field = fieldsOf(draft, invite.error);
  return (
    <>
      <div className="px-4">
        <Form
          className="grid max-w-[620px] grid-cols-[1fr_140px_auto] items-start gap-3 py-2"
          onSubmit={() => invite.mutate(draft.values, { onSuccess: () => draft.change({ email: '' }) })}
        >
          <TextField label="Email" type="email" required {...field('email')} />
          <SelectField label="Role" choices={ROLE_CHOICES} {...field('role')} />
          <Button look="primary" type="submit" className="mt-5 h-[30px]" disabled={invite.isPending}>
            Create a link
          </Button>
        </Form>
        <ErrorLine error={invite.error} className="pb-2" />
      </div>
      {invite.data && (
        <NewSecret
          title={`Invitation of ${invite.data.data.email}`}
          text={invite.data.link}
          hint="Send this link to the person yourself. It is shown only now, and works once."
          onDone={() => invite.reset()}
        />
      )}
    </>
  );
}

function OpenInvitations(): ReactNode {
  const path = { id: useSession().application.id };
  const invitations = useApi('/v0/applications/{id}/invitations', { path });
  const revoke = useAction(['/v0/applications'], (api, invitationId: string) =>
    api.DELETE('/v0/applications/{id}/invitations/{invitationId}', {
      params: { path: { ...path, invitationId } },
    }),
  );
  return (
    <>
      <ErrorLine error={revoke.error} className="px-4 pb-2" />
      <Loaded of={invitations} isFlush>
        {({ data }) =>
          data.length === 0 ? (
            <p className="px-4 py-2 text-dim">No invitation is open.</p>
          ) : (
            <ul className="px-4">
              {data.map(({ id, email, role, expiresAt }) => (
                <li key={id} className="flex h-[30px] items-center gap-3 border-t border-line">
                  <span className="font-semibold">{email}</span>
                  <span>{role}</span>
                  <span className="text-dim">expires {formatAgo(expiresAt)}</span>
                  <button
                    type="button"
                    className="ml-auto cursor-pointer text-fail hover:underline"
                    onClick={() => revoke.mutate(id, { onSuccess: () => announce('Invitation revoked') })}
                  >
                    Revoke<span className="sr-only"> the invitation of {email}</span>
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </>
  );
}
