import { type ReactNode, useState } from 'react';
import type { Webhook } from '../../api/generated/schema.ts';
import { useScope } from '../api/session.ts';
import { useAction, useApi } from '../api/use-api.ts';
import { formatAgo, formatMoment } from '../format/time.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { Button } from '../ui/button.tsx';
import { Section } from '../ui/panel.tsx';
import { NewSecretDialog } from './new-secret-dialog.tsx';

/** Time for which the previous secret stays valid, in milliseconds. */
const OVERLAP_MS = 24 * 3_600_000;

/** Shows how old the secret is; administrators replace it. */
export function WebhookSecret({ webhook }: { webhook: Webhook }): ReactNode {
  const mayRotate = useScope('admin');
  const [isAsked, setAsked] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const rotations = useApi(
    '/v0/audit',
    { query: { action: ['rotateWebhookSecret'], limit: 1 } },
    { enabled: mayRotate },
  );
  const rotate = useAction(['/v0/webhook', '/v0/audit'], (api) => api.POST('/v0/webhook/rotate-secret'));
  const last = rotations.data?.data[0]?.createdAt;
  const madeAt = last !== undefined && last > webhook.createdAt ? last : webhook.createdAt;
  const isOverlapping = madeAt === last && Date.now() - Date.parse(madeAt) < OVERLAP_MS;
  const confirm = (): void =>
    rotate.mutate(null, {
      onSuccess: ({ data }) => {
        setAsked(false);
        setSecret(data.webhookSecret ?? null);
      },
    });
  return (
    <Section
      title="Secret"
      actions={mayRotate && <Button onClick={() => setAsked(true)}>Rotate the secret</Button>}
    >
      <p>
        {madeAt === last ? 'Rotated' : 'Created with the webhook'}{' '}
        <time dateTime={madeAt} title={madeAt}>
          {formatAgo(madeAt)}
        </time>
        {isOverlapping &&
          `; the previous secret stays valid until ${formatMoment(new Date(Date.parse(madeAt) + OVERLAP_MS).toISOString())}`}
        .
      </p>
      {isAsked && (
        <AskDialog
          title="Rotate the secret"
          action="Rotate the secret"
          isDanger
          isBusy={rotate.isPending}
          error={rotate.error}
          onConfirm={confirm}
          onClose={() => setAsked(false)}
        >
          <p className="text-dim">
            For 24 hours, webhook-signature carries a signature with each of both secrets. x-service-signature
            uses the new one at once: an app that checks only that header rejects tests until it has the new
            secret.
          </p>
        </AskDialog>
      )}
      <NewSecretDialog secret={secret} onClose={() => setSecret(null)} />
    </Section>
  );
}
