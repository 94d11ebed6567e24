import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { invalid } from '../../contract/errors.ts';
import { route, type Route } from '../../contract/route.ts';
import type { Scope } from '../../contract/scope.ts';
import type { AddressGuard } from '../../deliver/address-guard.ts';
import { generateSecret } from '../../deliver/signature.ts';
import { sealHeaders, sealSecret, unsealWebhook } from '../../deliver/webhook-seal.ts';
import { AppError } from '../../errors.ts';
import type { SecretBox } from '../../runtime/secrets.ts';
import type { Call } from '../../storage/operations.ts';
import { saveWebhookBody, webhook } from './contract.ts';
import { HIDDEN } from './header-rules.ts';
import type { StoredWebhook } from './record.ts';
import type { webhookCommands, webhookQueries } from './store.ts';

export interface WebhookDeps {
  read: Call<typeof webhookQueries>;
  write: Call<typeof webhookCommands>;
  now: () => number;
  secretBox: SecretBox;
  guard: Pick<AddressGuard, 'checkUrl'>;
  settings: { readonly webhookTimeoutMs: number };
}

export function webhookRoutes({ read, write, now, secretBox, guard, settings }: WebhookDeps): Route[] {
  /** Throws `conflict` when it cannot be opened. */
  const shown = (stored: StoredWebhook, { organisation, applicationId }: Scope): z.input<typeof webhook> => {
    const { headers } = unsealWebhook(secretBox, stored, now());
    const { id, url, timeoutMs, enabled, createdAt, modifiedAt } = stored;
    return {
      id,
      orgId: organisation,
      applicationId,
      url,
      headers: Object.fromEntries(Object.keys(headers).map((name) => [name, HIDDEN])),
      timeoutMs,
      enabled,
      createdAt,
      modifiedAt,
    };
  };

  const find = async (scope: Scope): Promise<z.input<typeof webhook> | null> => {
    const stored = await read('getWebhook', { application: scope.application });
    return stored && shown(stored, scope);
  };

  return [
    route({
      method: 'GET',
      path: '/v0/webhook',
      summary: 'Get the webhook of the application',
      scope: 'read',
      response: z.object({ data: webhook }),
      status: 200,
      errors: ['not_found', 'conflict'],
      async handler({ scope }) {
        const data = await find(scope);
        if (!data) throw new AppError('not_found', 'webhook not found');
        return { data };
      },
    }),

    route({
      method: 'POST',
      path: '/v0/webhook',
      summary: 'Set where tests are sent',
      description:
        'The first call makes the webhook (201), needs the scope `admin`, and is the only one that answers the secret. Later calls change it (200): fields that are left out stay as they are. Sending configured headers on to another server needs `admin` too, unless `headers` are given anew.',
      scope: 'write',
      body: saveWebhookBody,
      response: z.object({ data: webhook }),
      status: 201,
      furtherStatuses: [200],
      errors: ['conflict'],
      async handler({ scope, body: { headers, ...given }, setStatus }) {
        const { application } = scope;
        if (given.url !== undefined) checkUrl(guard, given.url);
        // What cannot be opened could not be shown after it was changed.
        await find(scope);
        const secret = scope.scopes.has('admin') ? generateSecret() : null;
        const saved = await write('saveWebhook', {
          application,
          given: { ...given, headers: headers && sealHeaders(secretBox, application, headers) },
          fresh:
            secret === null
              ? null
              : {
                  id: randomUUID(),
                  secret: sealSecret(secretBox, application, secret),
                  timeoutMs: settings.webhookTimeoutMs,
                },
          at: now(),
        });
        if (!saved.isNew) setStatus(200);
        const data = shown(saved.webhook, scope);
        return { data: saved.isNew && secret !== null ? { ...data, webhookSecret: secret } : data };
      },
    }),

    route({
      method: 'DELETE',
      path: '/v0/webhook',
      summary: 'Delete the webhook, its secret and its headers',
      description: 'Deliveries are kept. A webhook made later has another secret.',
      scope: 'admin',
      response: null,
      status: 204,
      errors: ['not_found'],
      async handler({ scope: { application } }) {
        await write('deleteWebhook', { application });
        return undefined;
      },
    }),

    route({
      method: 'POST',
      path: '/v0/webhook/rotate-secret',
      summary: 'Replace the secret of the webhook',
      description:
        'Answers the new secret, this once. For 24 hours the old one is good too: `webhook-signature` carries a signature by each, and both verify.',
      scope: 'admin',
      response: z.object({ data: webhook }),
      status: 200,
      errors: ['not_found', 'conflict'],
      async handler({ scope }) {
        const { application } = scope;
        await find(scope);
        const webhookSecret = generateSecret();
        const stored = await write('rotateWebhookSecret', {
          application,
          secret: sealSecret(secretBox, application, webhookSecret),
          at: now(),
        });
        return { data: { ...shown(stored, scope), webhookSecret } };
      },
    }),
  ];
}

/** What the guard would refuse at every delivery is told now; a name is resolved only then. */
function checkUrl(guard: WebhookDeps['guard'], url: string): void {
  const verdict = guard.checkUrl(url);
  if (verdict.allowed) return;
  const message = `${verdict.reason}. ${verdict.hint}`;
  throw invalid([{ code: 'invalid_string', message, path: ['url'] }]);
}
