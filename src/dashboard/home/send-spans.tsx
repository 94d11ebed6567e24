import { type ReactNode, useState } from 'react';
import { useScope, useSession } from '../api/session.ts';
import { useAction } from '../api/use-api.ts';
import { exporterLines, nodeLines, SOME_KEY } from '../app/exporter-lines.ts';
import { AppLink } from '../app/url.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorLine } from '../ui/error-panel.tsx';
import { CommandText } from '../ui/states.tsx';

const APPS = [
  ['otel', 'With OpenTelemetry'],
  ['node', 'Node.js without it'],
] as const;

/** Leads to the first trace: a key, the lines that use it, and a sign that it is waited for. */
export function SendSpans(): ReactNode {
  const { application } = useSession();
  const [app, setApp] = useState<(typeof APPS)[number][0]>('otel');
  const [key, setKey] = useState<string | null>(null);
  const lines = app === 'node' ? nodeLines : exporterLines;
  return (
    <div className="mt-1.5 grid grid-cols-1 gap-2.5">
      <FirstKey text={key} onCreated={setKey} />
      <div role="group" aria-label="Your app" className="flex flex-wrap gap-2">
        {APPS.map(([id, name]) => (
          <Button
            key={id}
            look={id === app ? 'chosen' : 'plain'}
            aria-pressed={id === app}
            onClick={() => setApp(id)}
          >
            {name}
          </Button>
        ))}
      </div>
      <CommandText
        label={app === 'node' ? 'Commands of the app' : 'Variables of the exporter'}
        text={lines(application.id, key ?? SOME_KEY)}
      />
      <p role="status" className="flex items-center gap-2 text-dim">
        <span aria-hidden="true" className="size-2 animate-pulse rounded-full bg-accent" />
        Waiting for the first trace …
      </p>
    </div>
  );
}

function FirstKey({ text, onCreated }: { text: string | null; onCreated: (key: string) => void }): ReactNode {
  const isAdmin = useScope('admin');
  const create = useAction(['/v0/api-keys'], (api, name: string) =>
    api.POST('/v0/api-keys', { body: { name, scopes: ['ingest'] } }),
  );
  if (text !== null)
    return (
      <>
        <p className="text-dim">The key is shown now, and never again. It is in the lines below.</p>
        <CommandText label="Key" text={text} />
      </>
    );
  if (!isAdmin)
    return (
      <p className="text-dim">
        Replace {SOME_KEY} by a key with the scope ingest. Administrators of the application create keys.
      </p>
    );
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <Button
          look="primary"
          disabled={create.isPending}
          onClick={() => create.mutate('First traces', { onSuccess: ({ data }) => onCreated(data.key) })}
        >
          Create a key
        </Button>
        <span className="text-dim">
          It can only send spans. Those that exist are in{' '}
          <AppLink href="/settings?tab=keys" className="text-accent underline">
            Settings
          </AppLink>
          .
        </span>
      </div>
      <ErrorLine error={create.error} />
    </>
  );
}
