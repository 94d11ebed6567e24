import { invalid } from '../../contract/errors.ts';
import { route, type Route } from '../../contract/route.ts';
import { verifyWebhook } from '../../deliver/verify.ts';
import { unsealSecrets } from '../../deliver/webhook-seal.ts';
import type { SecretBox } from '../../runtime/secrets.ts';
import type { Read } from '../../storage/calls.ts';
import { examplePayload, exampleSignature } from '../webhook/example.ts';
import { webhookSecrets } from './calls.ts';
import { forwardedWebhook, webhookVerdict as response } from './contract.ts';
import { explainRejection } from './explain.ts';

export interface ValidateWebhookDeps {
  read: Read;
  now: () => number;
  secretBox: SecretBox;
  config: { readonly webhookToleranceMs: number };
}

export const validateWebhookRoutes = ({ read, now, secretBox, config }: ValidateWebhookDeps): Route[] => [
  route({
    method: 'POST',
    path: '/v0/validate-webhook',
    operationId: 'validateWebhook',
    group: 'Webhook',
    summary: 'Check whether this service sent a webhook',
    description:
      'Accepts `{ signature, timestamp, body }`: the headers `x-service-signature` and `x-service-timestamp`, and the body as received. White space, the order of keys and escapes in it are ignored; any other change is detected. With `x-explain: true` and the scope `admin`, the response explains why it is not valid.',
    scope: 'read',
    body: 'bytes',
    documents: { body: forwardedWebhook },
    response,
    example: {
      body: {
        signature: exampleSignature['x-service-signature'],
        timestamp: 1_769_860_800_000,
        body: examplePayload,
      },
      response: { valid: true },
    },
    errors: ['conflict'],
    requestHeaders: { 'x-explain': '`true`: explain why it is not valid. Requires the scope `admin`.' },
    async handler({ principal: { application, scopes }, body: rawBody, headers }) {
      const sealed = await read(webhookSecrets, { application });
      const verdict = verifyWebhook({
        rawBody,
        secrets: sealed ? unsealSecrets(secretBox, sealed, now()) : [],
        toleranceMs: config.webhookToleranceMs,
        now: now(),
      });
      if (verdict.kind === 'invalid_request') throw invalid(verdict.issues);
      if (verdict.valid) return { valid: true };
      const isExplained = headers['x-explain'] === 'true' && scopes.has('admin');
      return {
        valid: false,
        ...(isExplained && (await explainRejection(read, { application, verdict, rawBody }))),
      };
    },
  }),
];
