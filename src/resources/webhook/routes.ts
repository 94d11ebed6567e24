import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { route, type Route } from '../../contract/route.ts';
import type { Principal } from '../../contract/scope.ts';
import type { AddressGuard } from '../../deliver/address-guard.ts';
import { generateSecret } from '../../deliver/signature.ts';
import { sealHeaders, sealSecret, unsealWebhook } from '../../deliver/webhook-seal.ts';
import { AppError } from '../../errors.ts';
import { MASK } from '../../runtime/mask.ts';
import type { SecretBox } from '../../runtime/secrets.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import { deleteWebhook, getWebhook, rotateWebhookSecret, saveWebhook } from './calls.ts';
import { saveWebhookBody, webhook } from './contract.ts';
import { exampleWebhook, exampleWebhookWithSecret } from './example.ts';
import type { StoredWebhook } from './record.ts';
import { checkWebhookUrl } from './url-rules.ts';

export interface WebhookDeps extends StoreCalls {
  secretBox: SecretBox;
  guard: Pick<AddressGuard, 'checkUrl'>;
  config: { readonly webhookTimeoutMs: number };
}

const one = z.object({ data: webhook });

export const webhookRoutes = (deps: WebhookDeps): Route[] => [
  getWebhookRoute(deps),
  saveWebhookRoute(deps),
  deleteWebhookRoute(deps),
  rotateWebhookSecretRoute(deps),
];

const getWebhookRoute = (deps: WebhookDeps): Route =>
  route({
    method: 'GET',
    path: '/v0/webhook',
    operationId: 'getWebhook',
    group: 'Webhook',
    summary: 'Get the webhook of the application',
    scope: 'read',
    response: one,
    example: { response: { data: exampleWebhook } },
    errors: ['not_found', 'conflict'],
    async handler({ principal }) {
      const data = await find(deps, principal);
      if (!data) throw new AppError('not_found', 'webhook not found');
      return { data };
    },
  });

const saveWebhookRoute = (deps: WebhookDeps): Route =>
  route({
    method: 'POST',
    path: '/v0/webhook',
    operationId: 'saveWebhook',
    group: 'Webhook',
    summary: 'Create or update the webhook',
    description:
      'The first call creates the webhook (201), requires the scope `admin`, and is the only one that returns the secret. Later calls update it (200): absent fields keep their values. Sending the configured headers to another server requires `admin` too, unless the call sets `headers`.',
    scope: 'write',
    body: saveWebhookBody,
    response: one,
    example: {
      body: { url: exampleWebhook.url, headers: { authorization: 'Bearer of-my-proxy' } },
      response: { data: exampleWebhookWithSecret },
    },
    status: 201,
    furtherStatuses: [200],
    errors: ['conflict'],
    async handler({ principal, body: { headers, ...given }, setStatus }) {
      const { write, now, secretBox, guard, config } = deps;
      const { application } = principal;
      if (given.url !== undefined) checkWebhookUrl(guard, given.url);
      // A webhook that cannot be decrypted could not be returned after the update.
      await find(deps, principal);
      const secret = principal.scopes.has('admin') ? generateSecret() : null;
      const saved = await write(saveWebhook, {
        application,
        given: { ...given, headers: headers && sealHeaders(secretBox, application, headers) },
        fresh:
          secret === null
            ? null
            : {
                id: randomUUID(),
                secret: sealSecret(secretBox, application, secret),
                timeoutMs: config.webhookTimeoutMs,
              },
        at: now(),
      });
      if (!saved.isNew) setStatus(200);
      const data = shown(deps, saved.webhook, principal);
      return { data: saved.isNew && secret !== null ? { ...data, webhookSecret: secret } : data };
    },
  });

const deleteWebhookRoute = ({ write }: WebhookDeps): Route =>
  route({
    method: 'DELETE',
    path: '/v0/webhook',
    operationId: 'deleteWebhook',
    group: 'Webhook',
    summary: 'Delete the webhook, its secret and its headers',
    description: 'Deliveries remain. A webhook created later has a new secret.',
    scope: 'admin',
    response: null,
    errors: ['not_found'],
    async handler({ principal: { application } }) {
      await write(deleteWebhook, { application });
      return undefined;
    },
  });

const rotateWebhookSecretRoute = (deps: WebhookDeps): Route =>
  route({
    method: 'POST',
    path: '/v0/webhook/rotate-secret',
    operationId: 'rotateWebhookSecret',
    group: 'Webhook',
    summary: 'Replace the secret of the webhook',
    description:
      'Only this response shows the new secret. The old secret stays valid for 24 hours: `webhook-signature` carries a signature with each, and both verify.',
    scope: 'admin',
    response: one,
    example: { response: { data: exampleWebhookWithSecret } },
    errors: ['not_found', 'conflict'],
    async handler({ principal }) {
      const { write, now, secretBox } = deps;
      const { application } = principal;
      await find(deps, principal);
      const webhookSecret = generateSecret();
      const stored = await write(rotateWebhookSecret, {
        application,
        secret: sealSecret(secretBox, application, webhookSecret),
        at: now(),
      });
      return { data: { ...shown(deps, stored, principal), webhookSecret } };
    },
  });

/** Throws `conflict` if the webhook cannot be decrypted. */
function shown(
  { secretBox, now }: WebhookDeps,
  stored: StoredWebhook,
  { organisation, applicationId }: Principal,
): z.input<typeof webhook> {
  const { headers } = unsealWebhook(secretBox, stored, now());
  const { id, url, timeoutMs, enabled, createdAt, modifiedAt } = stored;
  return {
    id,
    orgId: organisation,
    applicationId,
    url,
    headers: Object.fromEntries(Object.keys(headers).map((name) => [name, MASK])),
    timeoutMs,
    enabled,
    createdAt,
    modifiedAt,
  };
}

/** Throws `conflict` if the webhook cannot be decrypted. */
async function find(deps: WebhookDeps, principal: Principal): Promise<z.input<typeof webhook> | null> {
  const stored = await deps.read(getWebhook, { application: principal.application });
  return stored && shown(deps, stored, principal);
}
