import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { LATER } from '../../contract/example-values.ts';
import { ownerOf } from '../../contract/owner.ts';
import { type Route, route } from '../../contract/route.ts';
import { isoTime, uuid } from '../../contract/values.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import { leaseNextItem, releaseItemLease, renewItemLease, reviewContent, unblindItem } from './calls.ts';
import { lease, leaseBody, nextItem, nextItemBody, type QueueItem, releaseQuery } from './contract.ts';

const byId = z.object({ id: uuid });
const exampleLease = { token: '9c3d8f6e-5a1b-4c2d-8e7f-0a1b2c3d4e5f', expiresAt: LATER };

type ReviewDeps = StoreCalls & { example: QueueItem };

const item = {
  group: 'Human annotation',
  params: byId,
  scope: 'annotate',
} as const;
const leases = { ...item, path: '/v0/human-annotation-queue-items/{id}/lease' } as const;

/** Returns the routes of the review of one item after another. */
export const reviewRoutes = (deps: ReviewDeps): Route[] => [nextItemRoute(deps), ...leaseRoutes(deps)];

const nextItemRoute = ({ read, write, now, example }: ReviewDeps): Route =>
  route({
    ...item,
    method: 'POST',
    path: '/v0/human-annotation-queues/{id}/next',
    operationId: 'reserveNextItem',
    summary: 'Reserve the next item of an annotation queue for the caller',
    description:
      'Reserves for ten minutes the item that the caller has to review next, and returns what is judged. Disputed items come first, for people who have not judged them, and skipped ones last. A person has at most two reservations: a third ends the oldest. 204 when nothing is left.',
    body: nextItemBody,
    response: nextItem,
    furtherStatuses: [204],
    example: {
      body: {},
      response: {
        data: {
          item: { ...example, status: 'LEASED' },
          lease: exampleLease,
          content: {
            turns: [{ input: 'Hello, I ordered a rain jacket.', output: 'How can I help you with it?' }],
            input: 'Refund order 5512-B please.',
            output: 'Done! €89.00 goes back to your card.',
            steps: [
              {
                name: 'issue_refund',
                arguments: { order: '5512-B' },
                result: '409 order not delivered yet',
                isError: true,
              },
            ],
            documents: [],
            isTruncated: false,
          },
        },
      },
    },
    errors: ['not_found', 'conflict'],
    handler: async ({ principal, params: { id: queueId }, body, setStatus }) => {
      const owner = ownerOf(principal);
      const next = await write(leaseNextItem, {
        owner,
        queueId,
        person: principal.actor.id,
        ...body,
        token: randomUUID(),
        id: randomUUID(),
        at: now(),
      });
      if (next === null) {
        setStatus(204);
        return undefined as never;
      }
      const { item: leased, traceId, documentIds, lease: given } = next;
      const content = await read(reviewContent, { owner, traceId, documentIds });
      return {
        data: { item: leased, lease: { ...given, expiresAt: isoTime(given.expiresAt) }, content },
      };
    },
  });

function leaseRoutes({ write, now }: ReviewDeps): Route[] {
  return [
    route({
      ...leases,
      method: 'PUT',
      operationId: 'renewItemLease',
      summary: 'Extend the reservation of a queue item',
      description:
        'Extends the reservation to ten minutes from now. An expired one is renewed as long as no one else has taken its place; otherwise it is lost (409).',
      body: leaseBody,
      response: z.object({ data: lease }),
      example: { body: { token: exampleLease.token }, response: { data: exampleLease } },
      errors: ['not_found', 'conflict'],
      handler: async ({ principal, params: { id: itemId }, body: { token } }) => {
        const owner = ownerOf(principal);
        const args = { owner, itemId, person: principal.actor.id, token, at: now() };
        const { expiresAt } = await write(renewItemLease, args);
        return { data: { token, expiresAt: isoTime(expiresAt) } };
      },
    }),
    route({
      ...leases,
      method: 'DELETE',
      operationId: 'releaseItemLease',
      summary: 'End the reservation of a queue item without a verdict',
      query: releaseQuery,
      response: null,
      errors: ['not_found'],
      handler: async ({ principal, params: { id: itemId }, query: { reason } }) => {
        const owner = ownerOf(principal);
        await write(releaseItemLease, { owner, itemId, person: principal.actor.id, reason, at: now() });
        return undefined;
      },
    }),
    route({
      ...item,
      method: 'POST',
      path: '/v0/human-annotation-queue-items/{id}/unblind',
      operationId: 'unblindQueueItem',
      summary: 'See the verdicts on a queue item instead of reviewing it',
      description:
        'Excludes the caller from the review of the item, whose verdicts are no longer withheld from them. Rejected with 409 if the caller has reviewed it.',
      response: null,
      errors: ['not_found', 'conflict'],
      handler: async ({ principal, params: { id: itemId } }) => {
        const owner = ownerOf(principal);
        const person = principal.actor.id;
        await write(unblindItem, { owner, itemId, person, id: randomUUID(), at: now() });
        return undefined;
      },
    }),
  ];
}
