import type { ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { formatAgo } from '../format/time.ts';
import { Loaded, Section } from '../ui/panel.tsx';
import { HealthChecks } from './checks.tsx';
import { Quotas } from './quotas.tsx';

/** Milliseconds between two looks. */
const REFRESH_MS = 10_000;

/** Shows the disk, the memory and the queues of the server, and what to do about them. */
export function ServerHealth(): ReactNode {
  const state = useApi(
    '/v0/system',
    {},
    {
      refresh: () => REFRESH_MS,
    },
  );
  return (
    <Section title="Server">
      <Loaded of={state}>
        {({ data }) => (
          <>
            <p className="py-1 text-dim">
              Touchstone {data.version}, started {formatAgo(data.startedAt)}. These numbers concern all
              applications of the server.
            </p>
            <HealthChecks label="State of the server" checks={data.checks} />
            <Quotas organisations={data.organisations} />
          </>
        )}
      </Loaded>
    </Section>
  );
}
