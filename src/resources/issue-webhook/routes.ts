import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { page } from '../../contract/example-values.ts';
import { ownerOf } from '../../contract/owner.ts';
import { pagination } from '../../contract/paging.ts';
import { readRoutes } from '../../contract/record-routes.ts';
import { route, type Route } from '../../contract/route.ts';
import type { Principal } from '../../contract/scope.ts';
import { uuid } from '../../contract/values.ts';
import type { AddressGuard } from '../../deliver/address-guard.ts';
import { generateSecret } from '../../deliver/signature.ts';
import { AppError } from '../../errors.ts';
import type { SecretBox } from '../../runtime/secrets.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import {
  deleteIssueWebhook,
  getIssueMessage,
  getIssueWebhook,
  listIssueMessages,
  replayIssueMessage,
  rotateIssueSecret,
  saveIssueWebhook,
  sendTestMessage,
} from './calls.ts';
import { issueMessage, issueMessagesQuery, issueWebhook, saveIssueWebhookBody } from './contract.ts';
import { exampleIssueMessage, exampleIssueWebhook } from './example.ts';
import type { StoredIssueWebhook } from './record.ts';
import { sealIssueSecret } from './seal.ts';
import { checkWebhookUrl } from '../webhook/url-rules.ts';

interface IssueWebhookDeps extends StoreCalls {
  secretBox: SecretBox;
  guard: Pick<AddressGuard, 'checkUrl'>;
}

const one = z.object({ data: issueWebhook });
const withSecret = { ...exampleIssueWebhook, webhookSecret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw…' };
const waiting = {
  ...exampleIssueMessage,
  status: 'PENDING',
  attempts: 0,
  statusCode: null,
  nextAttemptAt: exampleIssueMessage.createdAt,
  finishedAt: null,
} as const;

export const issueWebhookRoutes = (deps: IssueWebhookDeps): Route[] => [
  ...settingRoutes(deps),
  rotateRoute(deps),
  ...messageRoutes(deps),
];

const settingRoutes = ({ read, write, now, secretBox, guard }: IssueWebhookDeps): Route[] => [
  route({
    method: 'GET',
    path: '/v0/issue-webhook',
    operationId: 'getIssueWebhook',
    group: 'Issues',
    summary: 'Get the webhook to which changes of issues are reported',
    scope: 'read',
    response: one,
    example: { response: { data: exampleIssueWebhook } },
    errors: ['not_found'],
    async handler({ principal }) {
      const stored = await read(getIssueWebhook, { application: principal.application });
      if (!stored) throw new AppError('not_found', 'issue webhook not found');
      return { data: shown(stored, principal) };
    },
  }),
  route({
    method: 'POST',
    path: '/v0/issue-webhook',
    operationId: 'saveIssueWebhook',
    group: 'Issues',
    summary: 'Create or update the webhook to which changes of issues are reported',
    description:
      'The first call creates the webhook (201) and is the only one that returns the secret. Later calls update it (200): absent fields keep their values. Messages are signed like deliveries of tests, and sent to the same addresses only.',
    scope: 'admin',
    body: saveIssueWebhookBody,
    response: one,
    example: { body: { url: exampleIssueWebhook.url }, response: { data: withSecret } },
    status: 201,
    furtherStatuses: [200],
    async handler({ principal, body: given, setStatus }) {
      if (given.url !== undefined) checkWebhookUrl(guard, given.url);
      const { application } = principal;
      const secret = generateSecret();
      const fresh = { id: randomUUID(), secret: sealIssueSecret(secretBox, application, secret) };
      const saved = await write(saveIssueWebhook, { application, given, fresh, at: now() });
      if (!saved.isNew) setStatus(200);
      const data = shown(saved.webhook, principal);
      return { data: saved.isNew ? { ...data, webhookSecret: secret } : data };
    },
  }),
  route({
    method: 'DELETE',
    path: '/v0/issue-webhook',
    operationId: 'deleteIssueWebhook',
    group: 'Issues',
    summary: 'Delete the webhook to which changes of issues are reported',
    description: 'Messages that wait are not sent any more. A webhook created later has a new secret.',
    scope: 'admin',
    response: null,
    errors: ['not_found'],
    async handler({ principal: { application } }) {
      await write(deleteIssueWebhook, { application });
      return undefined;
    },
  }),
];

const rotateRoute = ({ write, now, secretBox }: IssueWebhookDeps): Route =>
  route({
    method: 'POST',
    path: '/v0/issue-webhook/rotate-secret',
    operationId: 'rotateIssueWebhookSecret',
    group: 'Issues',
    summary: 'Replace the secret of the issue webhook',
    description:
      'Only this response shows the new secret. For 24 hours, `webhook-signature` carries a signature with the old secret too.',
    scope: 'admin',
    response: one,
    example: { response: { data: withSecret } },
    errors: ['not_found'],
    async handler({ principal }) {
      const { application } = principal;
      const webhookSecret = generateSecret();
      const secret = sealIssueSecret(secretBox, application, webhookSecret);
      const stored = await write(rotateIssueSecret, { application, secret, at: now() });
      return { data: { ...shown(stored, principal), webhookSecret } };
    },
  });

function messageRoutes({ read, write, now }: IssueWebhookDeps): Route[] {
  const messages = readRoutes({
    path: '/v0/issue-webhook/messages',
    group: 'Issues',
    record: issueMessage,
    example: exampleIssueMessage,
  });
  return [
    route({
      method: 'POST',
      path: '/v0/issue-webhook/test',
      operationId: 'testIssueWebhook',
      group: 'Issues',
      summary: 'Send a test message to the issue webhook',
      description: 'It is sent within seconds, and only once; read the message for the result.',
      scope: 'admin',
      response: z.object({ data: issueMessage }),
      example: {
        response: { data: { ...waiting, type: 'issue.test', issueId: null, eventId: null } },
      },
      status: 201,
      errors: ['not_found', 'conflict'],
      handler: async ({ principal }) => ({
        data: await write(sendTestMessage, { owner: ownerOf(principal), at: now() }),
      }),
    }),
    messages.list({
      operationId: 'listIssueMessages',
      summary: 'List messages about issues, latest first',
      description: 'The latest 1,000 messages to the issue webhook are kept.',
      query: issueMessagesQuery,
      response: z.object({ data: z.array(issueMessage), pagination }),
      example: page([exampleIssueMessage]),
      handler: (args) => read(listIssueMessages, args),
    }),
    messages.get({
      operationId: 'getIssueMessage',
      summary: 'Get a message about an issue',
      handler: (args) => read(getIssueMessage, args),
    }),
    route({
      method: 'POST',
      path: '/v0/issue-webhook/messages/{id}/replay',
      operationId: 'replayIssueMessage',
      group: 'Issues',
      summary: 'Send a message about an issue again',
      description:
        'It keeps its id, and has the issue as it is now. A message that still waits is sent without it (409).',
      scope: 'admin',
      params: z.object({ id: uuid }),
      response: z.object({ data: issueMessage }),
      example: { response: { data: waiting } },
      errors: ['not_found', 'conflict'],
      handler: async ({ principal, params: { id } }) => ({
        data: await write(replayIssueMessage, { owner: ownerOf(principal), id, at: now() }),
      }),
    }),
  ];
}

function shown(
  { id, url, events, enabled, createdAt, modifiedAt }: StoredIssueWebhook,
  { organisation, applicationId }: Principal,
): z.input<typeof issueWebhook> {
  return {
    id,
    orgId: organisation,
    applicationId,
    url,
    events: [...events],
    enabled,
    createdAt,
    modifiedAt,
  };
}
