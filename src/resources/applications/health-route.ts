import { z } from 'zod';
import { ownApplication } from '../../contract/owner.ts';
import { type Route, route } from '../../contract/route.ts';
import { isoTime, uuid } from '../../contract/values.ts';
import type { Call } from '../../storage/operations.ts';
import { healthChecks } from './health-checks.ts';
import { applicationHealth, exampleHealth, type LastUnauthorized } from './health-contract.ts';
import type { healthQueries } from './health-store.ts';

interface HealthDeps {
  read: Call<typeof healthQueries>;
  now: () => number;
  lastUnauthorized: LastUnauthorized;
}

export const applicationHealthRoute = ({ read, now, lastUnauthorized }: HealthDeps): Route =>
  route({
    method: 'GET',
    path: '/v0/applications/{id}/health',
    operationId: 'getApplicationHealth',
    group: 'Applications',
    summary: 'Check whether spans and tests get through',
    description:
      'What arrived last, what was rejected last and why, and what to do about it. `touchstone doctor` prints it.',
    scope: 'read',
    params: z.object({ id: uuid }),
    response: z.object({ data: applicationHealth }),
    example: { response: { data: exampleHealth } },
    errors: ['not_found'],
    async handler({ scope, params }) {
      const at = now();
      const application = ownApplication(scope, params.id);
      const last = lastUnauthorized(scope.applicationId);
      const facts = {
        ...(await read('readHealth', { application, at })),
        lastUnauthorized: last && { ...last, at: isoTime(last.at) },
      };
      return { data: { checkedAt: isoTime(at), checks: healthChecks(facts, at), ...facts } };
    },
  });
