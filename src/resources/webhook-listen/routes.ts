import { z } from 'zod';
import { route, type Route } from '../../contract/route.ts';
import { uuid } from '../../contract/values.ts';
import type { Relay } from '../../deliver/relay.ts';
import { NOT_CONFIGURED } from '../../deliver/test-state.ts';
import { AppError } from '../../errors.ts';
import { type Authenticate, isKeyValid } from '../api-keys/key-check.ts';
import { relayedAnswer, relayedRequest } from './contract.ts';
import { openListener } from './stream.ts';

export interface WebhookListenDeps {
  relay: Relay;
  /** Whether the application has a webhook that is switched on. */
  hasWebhook: (application: number) => Promise<boolean>;
  authenticate: Authenticate;
}

export const webhookListenRoutes = ({ relay, hasWebhook, authenticate }: WebhookListenDeps): Route[] => [
  route({
    method: 'GET',
    path: '/v0/webhook/listen',
    summary: 'Receive the deliveries of the webhook on a stream',
    description:
      'Server-Sent Events. While somebody listens, tests, samples and replays are not sent to the address of the webhook: the newest listener gets each as an event `delivery` with `id`, `headers`, `body` (text) and `timeoutMs`, signed as ever, and says within that time what became of it. What is under way when a stream breaks is lost. A stream lasts 12 hours at most, and ends when its API key is revoked or expires.',
    scope: 'write',
    response: 'events',
    documents: { response: relayedRequest },
    status: 200,
    errors: ['conflict', 'rate_limited', 'unavailable'],
    async handler({ scope: { application }, headers }) {
      if (!(await hasWebhook(application))) throw new AppError('conflict', NO_WEBHOOK);
      return openListener(relay, application, () => isKeyValid(authenticate, headers));
    },
  }),

  route({
    method: 'POST',
    path: '/v0/webhook/listen/{deliveryId}',
    summary: 'Say what became of a delivery from the stream',
    description: 'Once, while it is waited for; later 404.',
    scope: 'write',
    params: z.object({ deliveryId: uuid }),
    body: relayedAnswer,
    response: null,
    status: 204,
    errors: ['not_found'],
    handler({ scope, params, body }) {
      if (!relay.answer(scope.application, params.deliveryId, body))
        throw new AppError('not_found', 'no such delivery is under way');
      return undefined;
    },
  }),
];

const NO_WEBHOOK = `${NOT_CONFIGURED.message} ${NOT_CONFIGURED.hint} Its secret signs what a listener gets; its address is used only while nobody listens.`;
