import type { ReactNode } from 'react';
import { AppLink } from '../app/url.tsx';
import { CommandText } from '../ui/states.tsx';

/** Says that no test can run without a webhook, and how to set one up. */
export const NoWebhook = (): ReactNode => (
  <div role="alert" className="grid grid-cols-1 gap-2 rounded-md border border-fail px-3.5 py-3">
    <p className="font-semibold text-fail">No webhook is configured, so no test can run.</p>
    <p>
      Touchstone sends each prompt to the webhook of your app.{' '}
      <AppLink href="/webhook" className="text-accent underline">
        Configure it
      </AppLink>
      , then tests reach your app there, or on this computer:
    </p>
    <CommandText text="touchstone listen --forward http://localhost:3000/hook" />
  </div>
);

/** Says the same in one line, above a list. */
export const NoWebhookLine = (): ReactNode => (
  <p role="status" className="border-b border-line bg-fail-soft px-4 py-1.5 text-fail">
    No webhook is configured, so no test can run.{' '}
    <AppLink href="/webhook" className="underline">
      Set up the webhook
    </AppLink>
  </p>
);
