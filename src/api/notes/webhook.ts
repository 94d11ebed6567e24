import type { OperationNotes } from './note.ts';
import { AT, dates, ID, owner, page } from './values.ts';

const webhook = {
  id: ID.webhook,
  ...owner,
  url: 'https://app.example.com/touchstone',
  headers: { authorization: '***' },
  timeoutMs: 120_000,
  enabled: true,
  ...dates,
};
const withSecret = { ...webhook, webhookSecret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw…' };
const payload = { prompt: 'How long can I return a chair?', testId: ID.test };
const signed = {
  'x-service-signature': '5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd',
  'x-service-timestamp': '1769860800000',
};
const listed = {
  id: ID.delivery,
  ...owner,
  testId: ID.test,
  attempt: 1,
  isSample: false,
  replayOf: null,
  url: webhook.url,
  outcome: 'answered',
  statusCode: 200,
  message: null,
  sentAt: AT,
  finishedAt: '2026-01-31T12:00:01.310Z',
  timings: { dnsMs: 1.2, connectMs: 3.4, tlsMs: 9.8, headersMs: 1295, totalMs: 1310 },
};
const delivery = {
  ...listed,
  request: {
    headers: { 'content-type': 'application/json', ...signed },
    body: JSON.stringify(payload),
    encoding: 'utf8',
  },
  response: { headers: { 'content-length': '0' }, body: '', encoding: 'utf8' },
};
const relayed = { id: ID.delivery, headers: signed, body: JSON.stringify(payload), timeoutMs: 120_000 };

/** The webhook and its deliveries. */
export const webhookNotes: OperationNotes = {
  'GET /v0/webhook': { id: 'getWebhook', answer: { data: webhook } },
  'POST /v0/webhook': {
    id: 'saveWebhook',
    body: { url: webhook.url, headers: { authorization: 'Bearer of-my-proxy' } },
    answer: { data: withSecret },
  },
  'DELETE /v0/webhook': { id: 'deleteWebhook' },
  'POST /v0/webhook/rotate-secret': { id: 'rotateWebhookSecret', answer: { data: withSecret } },
  'POST /v0/webhook/test': { id: 'testWebhook', answer: { success: true, statusCode: 200 } },
  'GET /v0/webhook/deliveries': { id: 'listDeliveries', answer: page([listed]) },
  'GET /v0/webhook/deliveries/{id}': { id: 'getDelivery', answer: { data: delivery } },
  'POST /v0/webhook/deliveries/{id}/replay': {
    id: 'replayDelivery',
    answer: { data: { ...delivery, attempt: 2, replayOf: ID.delivery } },
  },
  'GET /v0/webhook/listen': {
    id: 'listenToWebhook',
    answer: `event: delivery\ndata: ${JSON.stringify(relayed)}\n\n`,
  },
  'POST /v0/webhook/listen/{deliveryId}': {
    id: 'answerDelivery',
    body: { status: 200, headers: {}, body: '' },
  },
  'POST /v0/validate-webhook': {
    id: 'validateWebhook',
    body: { signature: signed['x-service-signature'], timestamp: 1_769_860_800_000, body: payload },
    answer: { valid: true },
  },
};
