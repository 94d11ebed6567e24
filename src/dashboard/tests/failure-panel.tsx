import type { ReactNode } from 'react';
import type { Test } from '../../api/generated/schema.ts';
import { AppLink } from '../app/url.tsx';
import type { Href } from '../app/paths.ts';
import { FailureChecks } from './checks.tsx';
import type { FailureCode } from './words.ts';

interface FailurePanelProps {
  test: Test;
  failure: NonNullable<Test['failure']>;
}

/** Says why a test failed, what to do about it, and what was checked. */
export function FailurePanel({ test, failure }: FailurePanelProps): ReactNode {
  const further = furtherOf(failure);
  return (
    <section aria-label="Failure" className="rounded-md border border-fail px-3.5 py-3">
      <h2 className="text-reading font-semibold">
        <span className="text-fail" aria-hidden="true">
          ✕{' '}
        </span>
        {failure.message}
      </h2>
      <p className="mt-1">
        {failure.hint}
        {further && (
          <>
            {' '}
            <AppLink href={further.href} className="text-accent underline">
              {further.text}
            </AppLink>
          </>
        )}
      </p>
      <FailureChecks test={test} code={failure.code} />
    </section>
  );
}

interface Further {
  href: Href;
  text: string;
}

const WEBHOOK: Further = { href: '/webhook', text: 'Open the webhook' };

/** Screens where the cause can be removed. */
const FURTHER: Partial<Record<FailureCode, Further>> = {
  webhook_not_configured: WEBHOOK,
  webhook_unreachable: WEBHOOK,
  webhook_blocked_address: WEBHOOK,
  webhook_timeout: WEBHOOK,
};
const SIGNATURE: Further = { href: '/webhook?tab=check', text: 'Check the signature' };

/** Returns the screen that helps. Apps that reject a signature respond with 401 or 403. */
const furtherOf = ({ code, message }: FailurePanelProps['failure']): Further | undefined =>
  code === 'webhook_status' && /\b40[13]\b/.test(message) ? SIGNATURE : FURTHER[code];
