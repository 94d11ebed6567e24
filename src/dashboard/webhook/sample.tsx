import type { ReactNode } from 'react';
import { useAction } from '../api/use-api.ts';
import { AppLink } from '../app/url.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorLine } from '../ui/error-panel.tsx';
import { Section } from '../ui/panel.tsx';

/** Sends a sample test, and shows what the app responded. */
export function Sample(): ReactNode {
  const send = useAction(['/v0/webhook/deliveries'], (api) => api.POST('/v0/webhook/test'));
  const result = send.data;
  return (
    <Section title="Sample">
      <p className="mb-2 text-dim">Sends one test as your app would receive it. Its traces count nowhere.</p>
      <div className="flex flex-wrap items-center gap-3">
        <Button disabled={send.isPending} onClick={() => send.mutate(null)}>
          {send.isPending ? 'Waiting for the app …' : 'Send a sample'}
        </Button>
        {result && !send.isPending && (
          <span role="status" className="flex flex-wrap items-center gap-2">
            {result.success ? (
              <Badge tone="pass">✓ {result.statusCode}</Badge>
            ) : (
              <Badge tone="fail">✕ {result.statusCode === 0 ? 'No response' : result.statusCode}</Badge>
            )}
            <AppLink href="/webhook?tab=deliveries&kind=samples" className="text-accent underline">
              See the delivery
            </AppLink>
          </span>
        )}
      </div>
      {result?.error !== undefined && !send.isPending && <p className="mt-2">{result.error}</p>}
      <ErrorLine error={send.error} className="mt-2" />
    </Section>
  );
}
