import type { ReactNode } from 'react';
import type { Test } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { AppLink } from '../app/url.tsx';

/** Milliseconds between two looks. */
const REFRESH_MS = 5_000;

/** Says why a delivered test may still have no span, once it has waited unusually long. */
export function WaitingPanel({ test: { id } }: { test: Pick<Test, 'id'> }): ReactNode {
  const current = useApi('/v0/tests/{id}', { path: { id } }, { refresh: () => REFRESH_MS });
  const advice = current.data?.test.advice ?? null;
  if (advice === null) return null;
  return (
    <section aria-label="Waiting for spans" className="rounded-md border border-doubt px-3.5 py-3">
      <h2 className="text-reading font-semibold">
        <span className="text-doubt" aria-hidden="true">
          !{' '}
        </span>
        The app responded, and no span has arrived yet. {advice.cause}
      </h2>
      <p className="mt-1">
        {advice.cure}{' '}
        <AppLink href="/health" className="text-accent underline">
          Open Health
        </AppLink>
      </p>
    </section>
  );
}
