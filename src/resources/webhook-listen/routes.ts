import { z } from 'zod';
import { ID } from '../../contract/example-values.ts';
import { route, type Route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import type { Relay } from '../../deliver/relay.ts';
import { NOT_CONFIGURED } from '../../tests/failures.ts';
import { AppError } from '../../errors.ts';
import { examplePayload, exampleSignature, exampleWebhook } from '../webhook/example.ts';
import { relayedAnswer, relayedRequest } from './contract.ts';
import type { Read } from '../../storage/calls.ts';
import { deliverableWebhook } from '../webhook/calls.ts';
import { openListener } from './stream.ts';

export interface WebhookListenDeps {
  relay: Relay;
  read: Read;
}

const exampleRequest: z.input<typeof relayedRequest> = {
  id: ID.delivery,
  headers: exampleSignature,
  body: JSON.stringify(examplePayload),
  timeoutMs: exampleWebhook.timeoutMs,
};

export const webhookListenRoutes = ({ relay, read }: WebhookListenDeps): Route[] => [
  route({
    method: 'GET',
    path: '/v0/webhook/listen',
    operationId: 'listenToWebhook',
    group: 'Webhook',
    summary: 'Stream the deliveries of the webhook',
    description:
      'Server-Sent Events. While a listener is connected, tests, samples and replays are not sent to the address of the webhook: the newest listener gets each as an event `delivery` with `id`, `headers`, `body` (text) and `timeoutMs`, signed as usual, and reports the outcome within that time. Deliveries in flight are lost when a stream breaks. A stream lasts at most 12 hours, and ends when its caller loses the scope `write`: deliveries in flight then fail at once, and later ones go to the next listener or to the webhook.',
    scope: 'write',
    response: 'events',
    documents: { response: relayedRequest },
    example: { response: `event: delivery\ndata: ${JSON.stringify(exampleRequest)}\n\n` },
    errors: ['conflict', 'rate_limited', 'unavailable'],
    async handler({ principal: { application }, revoked }) {
      if ((await read(deliverableWebhook, { application })) === null)
        throw new AppError('conflict', NO_WEBHOOK);
      return openListener(relay, application, revoked);
    },
  }),

  route({
    method: 'POST',
    path: '/v0/webhook/listen/{deliveryId}',
    operationId: 'answerDelivery',
    group: 'Webhook',
    summary: 'Report the outcome of a streamed delivery',
    description: 'Possible once, before the delivery times out; later rejected with 404.',
    scope: 'write',
    params: z.object({ deliveryId: uuid }),
    body: relayedAnswer,
    response: null,
    example: { body: { status: 200, headers: {}, body: '' } },
    errors: ['not_found'],
    handler({ principal, params, body }) {
      if (!relay.answer(principal.application, params.deliveryId, body))
        throw new AppError('not_found', 'no such delivery is in progress');
      return undefined;
    },
  }),
];

const NO_WEBHOOK = `${NOT_CONFIGURED.message} ${NOT_CONFIGURED.hint} Its secret signs the requests to a listener; its URL is used only while no listener is connected.`;
