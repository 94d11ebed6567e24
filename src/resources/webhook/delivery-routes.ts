import { z } from 'zod';
import { ownerOf } from '../../contract/owner.ts';
import { pagination } from '../../contract/paging.ts';
import { route, type Route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import type { Call } from '../../storage/operations.ts';
import { deliveriesQuery, delivery, listedDelivery, testAnswer } from './contract.ts';
import type { deliveryQueries } from './delivery-list.ts';
import type { Sender } from './sender.ts';

export interface DeliveryDeps {
  read: Call<typeof deliveryQueries>;
  sender: Sender;
}

const byId = z.object({ id: uuid });

export const deliveryRoutes = ({ read, sender }: DeliveryDeps): Route[] => [
  route({
    method: 'POST',
    path: '/v0/webhook/test',
    summary: 'Send a sample test to the webhook',
    description:
      'Sent at once and one time; answers when the app has. Traces of the sample are flagged `sample`. Without a webhook, or when it is switched off: 409.',
    scope: 'write',
    response: testAnswer,
    status: 200,
    errors: ['conflict', 'rate_limited'],
    async handler({ scope }) {
      const { delivery: sent, failure } = await sender.sample(scope.application);
      const statusCode = sent.statusCode ?? 0;
      return failure === null
        ? { success: true, statusCode }
        : { success: false, statusCode, error: `${failure.message} ${failure.hint}` };
    },
  }),

  route({
    method: 'GET',
    path: '/v0/webhook/deliveries',
    summary: 'List deliveries, the latest first',
    description: 'Every attempt to send a test or a sample, without headers and bodies.',
    scope: 'read',
    query: deliveriesQuery,
    response: z.object({ data: z.array(listedDelivery), pagination }),
    status: 200,
    handler: ({ scope, query }) => read('listDeliveries', { owner: ownerOf(scope), query }),
  }),

  route({
    method: 'GET',
    path: '/v0/webhook/deliveries/{id}',
    summary: 'Get a delivery with its request and its response',
    scope: 'read',
    params: byId,
    response: z.object({ data: delivery }),
    status: 200,
    errors: ['not_found'],
    handler: async ({ scope, params: { id } }) => ({
      data: await read('getDelivery', { owner: ownerOf(scope), id }),
    }),
  }),

  route({
    method: 'POST',
    path: '/v0/webhook/deliveries/{id}/replay',
    summary: 'Send the body of a delivery again',
    description:
      'To the webhook as it is configured now, with a new timestamp and signature. Samples and failed tests only, else 409. A failed test goes on when the app answers 200.',
    scope: 'write',
    params: byId,
    response: z.object({ data: delivery }),
    status: 200,
    errors: ['not_found', 'conflict', 'rate_limited'],
    async handler({ scope, params: { id } }) {
      const { delivery: sent } = await sender.replay(scope.application, id);
      return { data: await read('getDelivery', { owner: ownerOf(scope), id: sent.id }) };
    },
  }),
];
