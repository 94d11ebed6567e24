import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { IssueEvent, IssueWebhook, SaveIssueWebhookBody } from '../../../api/generated/schema.ts';
import { useScope } from '../../api/session.ts';
import { useAction, useCall } from '../../api/use-api.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { CheckField } from '../../ui/check-field.tsx';
import { ErrorLine } from '../../ui/error-panel.tsx';
import { problemOf, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Loaded, Section } from '../../ui/panel.tsx';
import { READ_ONLY } from '../../ui/save-bar.tsx';
import { announce } from '../../ui/status-line.tsx';
import { fieldsOf, useDraft } from '../../ui/use-draft.ts';
import { NewSecret } from '../secret.tsx';
import { IssueMessages } from './issue-messages.tsx';

type Kind = IssueEvent['kind'];

/** Changes that can be reported, with the words for them. */
const KINDS: readonly (readonly [Kind, string])[] = [
  ['CREATED', 'An issue is created'],
  ['RESOLVED', 'It is resolved'],
  ['REOPENED', 'It is reopened, by a person or because the problem is back'],
  ['REJECTED', 'It is rejected'],
  ['MERGED', 'It is merged into another'],
  ['UPDATED', 'A field of it is changed'],
  ['LINKED', 'Traces are linked to it'],
  ['UNLINKED', 'A trace is removed from it'],
];
const DEFAULT_KINDS: readonly Kind[] = ['CREATED', 'RESOLVED', 'REOPENED', 'REJECTED', 'MERGED'];

/** Returns the webhook of issues; null if there is none. */
const useIssueWebhook = (): UseQueryResult<IssueWebhook | null> =>
  useCall('/v0/issue-webhook', {}, async (api, signal) => {
    const { data, error, response } = await api.GET('/v0/issue-webhook', { signal });
    if (response.status === 404) return { data: null, response: new Response() };
    return { data: data?.data ?? null, error, response };
  });

/** Shows and changes where changes of issues are reported, and what was sent there. */
export function IssueWebhookTab(): ReactNode {
  const webhook = useIssueWebhook();
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <Loaded of={webhook} isFlush>
      {(found) => (
        <div className="grid max-w-[860px] grid-cols-1 gap-4 p-4">
          <p className="text-dim">
            Touchstone sends a signed request to this address when an issue changes, for example to a chat or
            an issue tracker. It is retried for hours until the receiver responds with a status of 200 to 299.
          </p>
          {secret !== null && (
            <NewSecret
              title="The secret of the issue webhook"
              text={secret}
              hint="It is shown only now. The receiver verifies the signature of each message with it."
              onDone={() => setSecret(null)}
            />
          )}
          <WebhookForm key={found?.modifiedAt ?? ''} webhook={found} onSecret={setSecret} />
          {found !== null && <Actions webhook={found} onSecret={setSecret} />}
          {found !== null && <IssueMessages />}
        </div>
      )}
    </Loaded>
  );
}

interface WebhookProps {
  webhook: IssueWebhook | null;
  onSecret: (secret: string | null) => void;
}

function WebhookForm({ webhook, onSecret }: WebhookProps): ReactNode {
  const isAdmin = useScope('admin');
  const draft = useDraft({
    url: webhook?.url ?? '',
    kinds: (webhook?.events ?? DEFAULT_KINDS).join(),
    isEnabled: webhook?.enabled ?? true,
  });
  const save = useAction(['/v0/issue-webhook'], (api, body: SaveIssueWebhookBody) =>
    api.POST('/v0/issue-webhook', { body }),
  );
  const { url, isEnabled } = draft.values;
  const kinds = draft.values.kinds.split(',').filter((kind) => kind !== '') as Kind[];
  const field = fieldsOf(draft, save.error, !isAdmin);
  const toggle = (kind: Kind, isOn: boolean): void =>
    draft.change({ kinds: (isOn ? [...kinds, kind] : kinds.filter((one) => one !== kind)).join() });
  const submit = (): void =>
    save.mutate(
      { url, events: kinds, enabled: isEnabled },
      {
        onSuccess: ({ data }) => {
          announce('Saved');
          if (data.webhookSecret !== undefined) onSecret(data.webhookSecret);
        },
      },
    );
  return (
    <Form className="grid gap-3" onSubmit={submit}>
      <TextField
        label="URL"
        type="url"
        required
        placeholder="https://chat.example.com/touchstone"
        {...field('url')}
      />
      <fieldset className="grid gap-1">
        <legend className="mb-1 text-label font-semibold">Send a message when</legend>
        {KINDS.map(([kind, title]) => (
          <CheckField
            key={kind}
            disabled={!isAdmin}
            checked={kinds.includes(kind)}
            onChange={(isOn) => toggle(kind, isOn)}
          >
            {title}
          </CheckField>
        ))}
        {kinds.length === 0 && <p className="text-fail">Choose at least one.</p>}
      </fieldset>
      <CheckField
        disabled={!isAdmin}
        checked={isEnabled}
        onChange={(next) => draft.change({ isEnabled: next })}
      >
        Send messages to this address
      </CheckField>
      {problemOf(save.error, 'url') === undefined && <ErrorLine error={save.error} />}
      {isAdmin ? (
        <div>
          <Button type="submit" look="primary" disabled={save.isPending || kinds.length === 0}>
            {webhook === null ? 'Set up' : 'Save'}
          </Button>
        </div>
      ) : (
        <p className="text-dim">{READ_ONLY} Administrators change this webhook.</p>
      )}
    </Form>
  );
}

function Actions({ webhook, onSecret }: WebhookProps & { webhook: IssueWebhook }): ReactNode {
  const isAdmin = useScope('admin');
  const [asked, setAsked] = useState<'rotate' | 'delete' | null>(null);
  const close = (): void => setAsked(null);
  const test = useAction(['/v0/issue-webhook/messages'], (api) => api.POST('/v0/issue-webhook/test'));
  const rotate = useAction(['/v0/issue-webhook'], (api) => api.POST('/v0/issue-webhook/rotate-secret'));
  const remove = useAction(['/v0/issue-webhook'], (api) => api.DELETE('/v0/issue-webhook'));
  if (!isAdmin) return null;
  return (
    <Section title="Test and secret">
      <div className="flex flex-wrap items-center gap-2">
        <Button
          disabled={!webhook.enabled || test.isPending}
          onClick={() => test.mutate(null, { onSuccess: () => announce('The message is listed below') })}
        >
          Send a test message
        </Button>
        <Button onClick={() => setAsked('rotate')}>Rotate the secret</Button>
        <Button onClick={() => setAsked('delete')}>Delete the webhook</Button>
      </div>
      <ErrorLine error={test.error} className="mt-2" />
      {asked === 'rotate' && (
        <AskDialog
          title="Rotate the secret"
          action="Rotate the secret"
          isDanger
          isBusy={rotate.isPending}
          error={rotate.error}
          onConfirm={() =>
            rotate.mutate(null, {
              onSuccess: ({ data }) => {
                close();
                onSecret(data.webhookSecret ?? null);
              },
            })
          }
          onClose={close}
        >
          <p className="text-dim">
            For 24 hours, webhook-signature carries a signature with each of both secrets. x-service-signature
            uses the new one at once.
          </p>
        </AskDialog>
      )}
      {asked === 'delete' && (
        <AskDialog
          title="Delete the webhook"
          action="Delete the webhook"
          isDanger
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(null, { onSuccess: close })}
          onClose={close}
        >
          <p className="text-dim">
            Messages that wait are not sent any more. A webhook that you create later has a new secret.
          </p>
        </AskDialog>
      )}
    </Section>
  );
}
