import type { ReactNode } from 'react';
import type { Delivery } from '../../api/generated/schema.ts';
import { useScope } from '../api/session.ts';
import { useAction, useApi } from '../api/use-api.ts';
import { AppLink } from '../app/url.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorLine } from '../ui/error-panel.tsx';
import { Loaded } from '../ui/panel.tsx';
import { announce } from '../ui/status-line.tsx';
import { DeliveryOutcome } from './outcome.tsx';

/** Shows one delivery with the request and the response, above the list. */
export function DeliveryPage({ id }: { id: string }): ReactNode {
  const delivery = useApi('/v0/webhook/deliveries/{id}', { path: { id } });
  return (
    <section aria-label="Delivery" className="mb-4 rounded-md border border-line px-4 py-3">
      <Loaded of={delivery}>{({ data }) => <Detail delivery={data} />}</Loaded>
    </section>
  );
}

function Detail({ delivery }: { delivery: Delivery }): ReactNode {
  const { id, testId, isSample, attempt, url, message, request, response } = delivery;
  const mayWrite = useScope('write');
  const replay = useAction(['/v0/webhook/deliveries'], (api, deliveryId: string) =>
    api.POST('/v0/webhook/deliveries/{id}/replay', { params: { path: { id: deliveryId } } }),
  );
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <h2 className="text-reading font-semibold">
          {isSample ? 'Sample' : `Test, attempt ${attempt}`} to <span className="break-all">{url}</span>
        </h2>
        <DeliveryOutcome delivery={delivery} />
        <div className="ml-auto flex items-center gap-2">
          {!isSample && (
            <AppLink href={`/tests/${testId}`} className="text-accent underline">
              Open the test
            </AppLink>
          )}
          {mayWrite && (
            <Button
              disabled={replay.isPending}
              title="Samples and failed tests can be replayed"
              onClick={() =>
                replay.mutate(id, {
                  onSuccess: ({ data }) => announce(data.message ?? 'The app responded with 200'),
                })
              }
            >
              {replay.isPending ? 'Waiting for the app …' : 'Replay'}
            </Button>
          )}
          <AppLink href="/webhook?tab=deliveries" className="text-accent underline">
            Close
          </AppLink>
        </div>
      </div>
      {message !== null && <p className="mt-1">{message}</p>}
      <ErrorLine error={replay.error} className="mt-1" />
      <div className="mt-3 grid grid-cols-2 gap-4 max-[1000px]:grid-cols-1">
        <Message title="Request" message={request} />
        {response === null ? (
          <p className="text-dim">There was no response.</p>
        ) : (
          <Message title="Response" message={response} />
        )}
      </div>
    </>
  );
}

function Message({ title, message }: { title: string; message: Delivery['request'] }): ReactNode {
  const { headers, body, encoding } = message;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <div className="min-w-0">
      <h3 className="text-label font-semibold text-dim">{title}</h3>
      <pre
        tabIndex={0}
        aria-label={title}
        className="mt-1 max-h-[320px] overflow-auto rounded-md border border-line bg-panel px-3 py-2 font-mono text-label leading-5 break-all whitespace-pre-wrap"
      >
        {lines.join('\n')}
        {'\n\n'}
        {encoding === 'base64' ? '(bytes that are no text)' : body}
      </pre>
    </div>
  );
}
