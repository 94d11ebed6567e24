import type { z } from 'zod';
import { AT, dates, ID, owner } from '../../contract/example-values.ts';
import type { DeliveryRecord, ListedDelivery, webhook } from './contract.ts';

export const exampleWebhook: z.input<typeof webhook> = {
  id: ID.webhook,
  ...owner,
  url: 'https://app.example.com/touchstone',
  headers: { authorization: '***' },
  timeoutMs: 120_000,
  enabled: true,
  ...dates,
};

export const exampleWebhookWithSecret: z.input<typeof webhook> = {
  ...exampleWebhook,
  webhookSecret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw…',
};

export const examplePayload = { prompt: 'How long can I return a chair?', testId: ID.test };
export const exampleSignature = {
  'x-service-signature': '5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd',
  'x-service-timestamp': '1769860800000',
};

export const exampleListedDelivery: ListedDelivery = {
  id: ID.delivery,
  ...owner,
  testId: ID.test,
  attempt: 1,
  isSample: false,
  replayOf: null,
  url: exampleWebhook.url,
  outcome: 'answered',
  statusCode: 200,
  message: null,
  sentAt: AT,
  finishedAt: '2026-01-31T12:00:01.310Z',
  timings: { dnsMs: 1.2, connectMs: 3.4, tlsMs: 9.8, headersMs: 1295, totalMs: 1310 },
};

export const exampleDelivery: DeliveryRecord = {
  ...exampleListedDelivery,
  request: {
    headers: { 'content-type': 'application/json', ...exampleSignature },
    body: JSON.stringify(examplePayload),
    encoding: 'utf8',
  },
  response: { headers: { 'content-length': '0' }, body: '', encoding: 'utf8' },
};
