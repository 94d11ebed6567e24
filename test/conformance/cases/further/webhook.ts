/** The webhook and its deliveries. */
import type { Case } from '../../case.ts';
import { MESSAGE, invalid, page, UNKNOWN } from '../../records.ts';
import { UUID, TIME, OBJECT, only } from '../../shapes.ts';

const HOOK = {
  id: UUID,
  orgId: '{{application.orgId}}',
  applicationId: '{{application.id}}',
  url: '{{app}}/200/{{application.id}}',
  headers: only({}),
  timeoutMs: 120_000,
  enabled: true,
  createdAt: TIME,
  modifiedAt: TIME,
} as const;
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;
const DELIVERY = {
  id: UUID,
  applicationId: '{{application.id}}',
  testId: UUID,
  statusCode: 200,
  replayOf: null,
} as const;

/** A sample without a response yet. */
const LISTENED: NonNullable<Case['given']> = [
  'webhook',
  { as: 'relayed', relayed: { request: 'POST /v0/webhook/test' } },
];

export const WEBHOOK: readonly Case[] = [
  {
    name: 'a webhook is made, and its secret shown',
    line: 'WebhookConfig.*',
    request: 'POST /v0/webhook',
    body: { url: '{{app}}/200/{{application.id}}' },
    status: 201,
    contains: only({ data: only({ ...HOOK, webhookSecret: SECRET }) }),
  },
  {
    name: 'a webhook is changed, and its secret not shown',
    given: ['webhook'],
    request: 'POST /v0/webhook',
    body: { timeoutMs: 1_000 },
    status: 200,
    contains: only({ data: only({ ...HOOK, timeoutMs: 1_000 }) }),
  },
  {
    name: 'a webhook is read without its secret',
    given: ['webhook'],
    request: 'GET /v0/webhook',
    status: 200,
    contains: only({ data: only(HOOK) }),
    containsNot: ['whsec_'],
  },
  {
    name: 'the secret is for admins',
    given: ['key'],
    request: 'POST /v0/webhook',
    headers: { 'x-api-key': '{{key.key}}' },
    body: { url: '{{app}}/200/{{application.id}}' },
    status: 403,
    contains: MESSAGE,
    containsNot: ['whsec_'],
  },
  {
    name: 'values of headers are hidden',
    line: 'WebhookConfig.headers',
    request: 'POST /v0/webhook',
    body: { url: '{{app}}/200/x', headers: { authorization: 'Bearer hidden' } },
    status: 201,
    contains: { data: { headers: { authorization: '***' } } },
    containsNot: ['hidden'],
  },
  ...(
    [
      [999, 'too_small'],
      [900_001, 'too_big'],
    ] as const
  ).map(
    ([timeoutMs, code]): Case => ({
      name: `a webhook does not wait ${timeoutMs} ms`,
      request: 'POST /v0/webhook',
      body: { url: '{{app}}/200/x', timeoutMs },
      status: 422,
      contains: invalid([['timeoutMs'], code]),
    }),
  ),
  {
    name: 'a webhook is deleted',
    given: ['webhook'],
    request: 'DELETE /v0/webhook',
    status: 204,
    after: { request: 'GET /v0/webhook', status: 404, contains: MESSAGE },
  },
  {
    name: 'a secret is rotated',
    given: ['webhook'],
    request: 'POST /v0/webhook/rotate-secret',
    status: 200,
    contains: only({ data: only({ ...HOOK, webhookSecret: SECRET }) }),
    containsNot: ['{{webhook.webhookSecret}}'],
  },
  {
    name: 'deliveries are listed',
    given: ['sample'],
    request: 'GET /v0/webhook/deliveries',
    status: 200,
    contains: only({ data: [{ ...DELIVERY, isSample: true, attempt: 1 }], pagination: page(1) }),
  },
  {
    name: 'a delivery is read with what was sent',
    given: ['sample'],
    request: 'GET /v0/webhook/deliveries/{{deliveries.0.id}}',
    status: 200,
    contains: only({
      data: {
        ...DELIVERY,
        request: { body: '{{received.body}}', headers: OBJECT },
        response: { body: 'thanks' },
      },
    }),
  },
  {
    name: 'a sample is sent again',
    given: ['sample'],
    request: 'POST /v0/webhook/deliveries/{{deliveries.0.id}}/replay',
    status: 200,
    contains: { data: { replayOf: '{{deliveries.0.id}}', testId: '{{received.json.testId}}', attempt: 2 } },
    received: { body: '{{received.body}}' },
  },
  {
    name: 'an unknown delivery is not sent again',
    given: ['webhook'],
    request: `POST /v0/webhook/deliveries/${UNKNOWN}/replay`,
    status: 404,
    contains: MESSAGE,
  },
  {
    name: 'deliveries are listened for',
    given: ['webhook'],
    request: 'GET /v0/webhook/listen',
    status: 200,
    type: /^text\/event-stream/,
    says: /^: listening\n\n/,
  },
  {
    name: 'without a webhook nobody listens',
    request: 'GET /v0/webhook/listen',
    status: 409,
    contains: MESSAGE,
  },
  {
    name: 'a listener says what became of a delivery',
    given: LISTENED,
    request: 'POST /v0/webhook/listen/{{relayed.id}}',
    body: { status: 202, body: 'later' },
    status: 204,
    after: {
      request: 'GET /v0/webhook/deliveries',
      until: true,
      contains: { data: [{ isSample: true, statusCode: 202 }] },
    },
  },
  {
    name: 'what became of a delivery is said once',
    given: [...LISTENED, { request: 'POST /v0/webhook/listen/{{relayed.id}}', body: { status: 200 } }],
    request: 'POST /v0/webhook/listen/{{relayed.id}}',
    body: { status: 200 },
    status: 404,
    contains: MESSAGE,
  },
  {
    name: 'a listener answers with a status',
    given: LISTENED,
    request: 'POST /v0/webhook/listen/{{relayed.id}}',
    body: { status: 99 },
    status: 422,
    contains: invalid([['status'], 'too_small']),
  },
  {
    name: 'a test that went well is not sent again',
    given: ['test', { as: 'deliveries', request: 'GET /v0/webhook/deliveries' }],
    request: 'POST /v0/webhook/deliveries/{{deliveries.0.id}}/replay',
    status: 409,
    contains: MESSAGE,
  },
];
