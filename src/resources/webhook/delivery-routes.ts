import { z } from 'zod';
import { ID, page } from '../../contract/example-values.ts';
import { ownerOf } from '../../contract/owner.ts';
import { pagination } from '../../contract/paging.ts';
import { readRoutes } from '../../contract/record-routes.ts';
import { type Route, route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import { unlessRevoked } from '../../runtime/open-calls.ts';
import type { Read } from '../../storage/calls.ts';
import { getDelivery, listDeliveries } from './calls.ts';
import { deliveriesQuery, delivery, listedDelivery, testAnswer } from './contract.ts';
import { exampleDelivery, exampleListedDelivery } from './example.ts';
import type { WebhookSender } from './sender.ts';

export interface DeliveryDeps {
  read: Read;
  sender: WebhookSender;
}

export function deliveryRoutes({ read, sender }: DeliveryDeps): Route[] {
  const deliveries = readRoutes({
    path: '/v0/webhook/deliveries',
    group: 'Webhook',
    record: delivery,
    example: exampleDelivery,
  });
  return [
    sampleRoute(sender),
    deliveries.list({
      operationId: 'listDeliveries',
      summary: 'List deliveries, latest first',
      description: 'Lists every attempt to send a test or a sample, without headers and bodies.',
      query: deliveriesQuery,
      response: z.object({ data: z.array(listedDelivery), pagination }),
      example: page([exampleListedDelivery]),
      handler: (args) => read(listDeliveries, args),
    }),
    deliveries.get({
      operationId: 'getDelivery',
      summary: 'Get a delivery with its request and response',
      handler: (args) => read(getDelivery, args),
    }),
    replayRoute({ read, sender }),
  ];
}

const sampleRoute = (sender: WebhookSender): Route =>
  route({
    method: 'POST',
    path: '/v0/webhook/test',
    operationId: 'testWebhook',
    group: 'Webhook',
    summary: 'Send a sample test to the webhook',
    description:
      'Sent at once and only once; the response is sent after your app has responded. Traces of the sample have the flag `sample`. Rejected with 409 if there is no webhook or it is disabled.',
    scope: 'write',
    response: testAnswer,
    example: { response: { success: true, statusCode: 200 } },
    errors: ['conflict', 'rate_limited'],
    async handler({ principal, revoked }) {
      const { delivery: sent, failure } = await unlessRevoked(revoked, sender.sample(principal.application));
      const statusCode = sent.statusCode ?? 0;
      return failure === null
        ? { success: true, statusCode }
        : { success: false, statusCode, error: `${failure.message} ${failure.hint}` };
    },
  });

const replayRoute = ({ read, sender }: DeliveryDeps): Route =>
  route({
    method: 'POST',
    path: '/v0/webhook/deliveries/{id}/replay',
    operationId: 'replayDelivery',
    group: 'Webhook',
    summary: 'Send the body of a delivery again',
    description:
      'Uses the current configuration of the webhook, and a new timestamp and signature. Only samples and failed tests can be replayed; others are rejected with 409. A failed test continues if your app responds with 200.',
    scope: 'write',
    params: z.object({ id: uuid }),
    response: z.object({ data: delivery }),
    example: { response: { data: { ...exampleDelivery, attempt: 2, replayOf: ID.delivery } } },
    errors: ['not_found', 'conflict', 'rate_limited'],
    async handler({ principal, params: { id }, revoked }) {
      const { delivery: sent } = await unlessRevoked(revoked, sender.replay(principal.application, id));
      return { data: await read(getDelivery, { owner: ownerOf(principal), id: sent.id }) };
    },
  });
