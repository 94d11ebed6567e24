import { z } from 'zod';
import { ownApplication } from '../../contract/owner.ts';
import { type Route, route } from '../../contract/route.ts';
import { queryBoolean } from '../../contract/query.ts';
import { isoTime, uuid } from '../../contract/values.ts';
import type { ProbeEndpoint } from '../../deliver/probe-endpoint.ts';
import type { Read } from '../../storage/calls.ts';
import { readEndpoint } from './calls.ts';
import { endpointCheck } from './endpoint-check.ts';
import { healthChecks } from './health-checks.ts';
import { applicationHealth, exampleHealth, type LastUnauthorized } from './health-contract.ts';
import { readHealthFacts } from './health-facts.ts';

interface HealthDeps {
  read: Read;
  now: () => number;
  lastUnauthorized: LastUnauthorized;
  probeEndpoint: ProbeEndpoint;
}

export const applicationHealthRoute = ({ read, now, lastUnauthorized, probeEndpoint }: HealthDeps): Route =>
  route({
    method: 'GET',
    path: '/v0/applications/{id}/health',
    operationId: 'getApplicationHealth',
    group: 'Applications',
    summary: 'Check whether spans and tests get through',
    description:
      'What arrived last, what was rejected last and why, and what to do about it. `touchstone doctor` prints it. With `probe=true` also whether the webhook responds: an OPTIONS request is sent to it, which does not run the app.',
    scope: 'read',
    params: z.object({ id: uuid }),
    query: z.object({
      probe: queryBoolean.default(false).describe('True to send an OPTIONS request to the webhook.'),
    }),
    response: z.object({ data: applicationHealth }),
    example: { response: { data: exampleHealth } },
    errors: ['not_found'],
    async handler({ principal, params, query }) {
      const at = now();
      const application = ownApplication(principal, params.id);
      const facts = await readHealthFacts({ read, lastUnauthorized }, principal, at);
      const webhook = query.probe ? await read(readEndpoint, { application }) : null;
      const checks = [
        ...healthChecks(facts, at),
        ...(webhook === null ? [] : [endpointCheck(webhook, await probeEndpoint(application, webhook.url))]),
      ];
      return { data: { checkedAt: isoTime(at), checks, ...facts } };
    },
  });
