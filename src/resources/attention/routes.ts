import { z } from 'zod';
import type { Check } from '../../contract/check.ts';
import { seenBy } from '../../contract/reviewer.ts';
import { type Route, route } from '../../contract/route.ts';
import { includesScope } from '../../contract/scope.ts';
import type { Read } from '../../storage/calls.ts';
import { healthChecks } from '../applications/health-checks.ts';
import type { LastUnauthorized } from '../applications/health-contract.ts';
import { readHealthFacts } from '../applications/health-facts.ts';
import { needsOfPeople } from './calls.ts';
import { type AttentionItem, attentionItem } from './contract.ts';

interface AttentionDeps {
  read: Read;
  now: () => number;
  lastUnauthorized: LastUnauthorized;
}

export const attentionRoutes = ({ read, now, lastUnauthorized }: AttentionDeps): Route[] => [
  route({
    method: 'GET',
    path: '/v0/attention',
    operationId: 'listAttention',
    group: 'Views',
    summary: 'List what needs attention',
    description:
      'What someone has to look at, with the page where that is done: rejected senders, a webhook that fails, issues, reviews for the caller, and evaluators that cannot decide yet. The dashboard shows it on its home page.',
    scope: 'read',
    response: z.object({ data: z.array(attentionItem) }),
    example: {
      response: {
        data: [
          {
            kind: 'ISSUES',
            count: 1,
            title: '1 issue of high priority is open',
            detail: '#3 Promises the refund without an order number',
            href: '/issues/3',
          },
        ],
      },
    },
    handler: async ({ principal }) => {
      const { application, actor, scopes } = principal;
      const at = now();
      const facts = await readHealthFacts({ read, lastUnauthorized }, principal, at);
      const reviewer = includesScope(scopes, 'annotate') ? actor.id : null;
      const people = await read(needsOfPeople, {
        application,
        reviewer,
        seenBy: seenBy(principal, at),
        now: at,
      });
      return { data: [...healthChecks(facts, at).flatMap(needOf), ...people] };
    },
  }),
];

/** Checks that concern what was sent; without any span, an application is new and nothing is wrong. */
const OF_SENDERS: ReadonlySet<string> = new Set(['API keys', 'Rejected spans']);

/** Returns what a check that failed has someone do. */
function needOf({ name, level, message, advice }: Check): AttentionItem[] {
  if (level === 'ok') return [];
  const shown = { count: 1, title: message, detail: advice ?? '' };
  if (name === 'Webhook') return [{ kind: 'WEBHOOK', ...shown, href: '/webhook' }];
  if (level === 'problem' || OF_SENDERS.has(name)) return [{ kind: 'SENDERS', ...shown, href: '/health' }];
  return [];
}
