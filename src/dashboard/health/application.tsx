import type { ReactNode } from 'react';
import { useSession } from '../api/session.ts';
import { useApi } from '../api/use-api.ts';
import { Loaded, Section } from '../ui/panel.tsx';
import { HealthChecks } from './checks.tsx';

/** Milliseconds between two looks. */
const REFRESH_MS = 10_000;

/** Shows whether spans and tests of the application get through. */
export function ApplicationChecks(): ReactNode {
  const { id: applicationId } = useSession().application;
  const health = useApi(
    '/v0/applications/{id}/health',
    { path: { id: applicationId } },
    { refresh: () => REFRESH_MS },
  );
  return (
    <Section title="Senders and webhook">
      <Loaded of={health}>
        {({ data }) => <HealthChecks label="Senders and webhook" checks={data.checks} />}
      </Loaded>
    </Section>
  );
}
