import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { paging } from '../../contract/paging.ts';
import { queryBoolean, several } from '../../contract/query.ts';
import { dateTime, uuid } from '../../contract/values.ts';
import { DELIVERY_OUTCOMES } from '../../deliver/delivery-record.ts';
import { MASK } from '../../runtime/mask.ts';
import { configuredHeaders } from './header-rules.ts';
import { webhookUrl } from './url-rules.ts';

export const webhook = namedObject('Webhook', {
  id: uuid,
  orgId: z.string(),
  applicationId: uuid,
  url: z.string(),
  headers: z.record(z.string(), z.literal(MASK)).describe('Configured headers, with hidden values.'),
  timeoutMs: z.int().describe('Time limit for the response of the app, in milliseconds.'),
  enabled: z.boolean(),
  createdAt: dateTime,
  modifiedAt: dateTime,
  webhookSecret: z
    .string()
    .optional()
    .describe('Secret that signs the deliveries. Only in the response that creates it.'),
});

export const saveWebhookBody = z.object({
  url: webhookUrl.optional().describe('URL to which tests are sent. Required in the first call.'),
  headers: configuredHeaders
    .nullish()
    .transform((headers) => (headers && Object.keys(headers).length === 0 ? null : headers)),
  timeoutMs: z
    .int()
    .min(1_000)
    .max(900_000)
    .optional()
    .describe('Time limit for the response of the app, in milliseconds.'),
  enabled: z.boolean().optional().describe('True to send tests. Default: true.'),
});

export const testAnswer = z.object({
  success: z.boolean().describe('True if the app responded with 200.'),
  statusCode: z.int().describe('HTTP status of the response; 0 when there was none.'),
  error: z.string().optional().describe('Description of the error, with advice.'),
});

const deliveryFields = {
  id: uuid,
  orgId: z.string(),
  applicationId: uuid,
  testId: uuid,
  attempt: z.int().describe('Number of the attempt for this test, from 1.'),
  isSample: z.boolean(),
  replayOf: uuid.nullable().describe('Delivery whose body was sent again.'),
  url: z.string(),
  outcome: z
    .enum(DELIVERY_OUTCOMES)
    .nullable()
    .describe(
      'Outcome; null while in progress. `not_sent`: it did not reach the app; `lost` and `unknown`: it may have reached the app.',
    ),
  statusCode: z.int().nullable(),
  message: z.string().nullable().describe('Error message; null when the app responded with 200.'),
  sentAt: dateTime,
  finishedAt: dateTime.nullable(),
  timings: z
    .record(z.string(), z.number())
    .nullable()
    .describe(
      'Duration of each step in milliseconds: `dnsMs`, `connectMs`, `tlsMs`, `headersMs`, `totalMs`.',
    ),
};

const message = z.object({
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  encoding: z.enum(['utf8', 'base64']).describe('Encoding of the bytes in `body`.'),
});

export const listedDelivery = namedObject('ListedDelivery', deliveryFields);
export type ListedDelivery = z.infer<typeof listedDelivery>;

export const delivery = namedObject('Delivery', {
  ...deliveryFields,
  request: message.describe('Request as sent, with hidden values of configured headers.'),
  response: message.nullable().describe('First 16 KiB of the response; null when there was none.'),
});
export type DeliveryRecord = z.infer<typeof delivery>;

export const deliveriesQuery = z.object({
  ...paging(['sentAt', 'testId', 'attempt', 'id']),
  testId: several(uuid).describe('Deliveries of one of these tests.'),
  outcome: several(z.enum(DELIVERY_OUTCOMES)).describe('Deliveries with one of these outcomes.'),
  isSample: queryBoolean.optional().describe('Only samples, or only deliveries of tests.'),
});
export type DeliveriesQuery = z.output<typeof deliveriesQuery>;
