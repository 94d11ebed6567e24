import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { paging } from '../../contract/paging.ts';
import { queryBoolean, several } from '../../contract/query.ts';
import { dateTime, uuid } from '../../contract/values.ts';
import { DELIVERY_OUTCOMES } from '../../deliver/delivery-record.ts';
import { MASK } from '../../runtime/mask.ts';
import { configuredHeaders } from './header-rules.ts';

export const webhook = namedObject('Webhook', {
  id: uuid,
  orgId: z.string(),
  applicationId: uuid,
  url: z.string(),
  headers: z.record(z.string(), z.literal(MASK)).describe('The configured headers; their values are hidden.'),
  timeoutMs: z.int().describe('How long the app may take to answer, in milliseconds.'),
  enabled: z.boolean(),
  createdAt: dateTime,
  modifiedAt: dateTime,
  webhookSecret: z.string().optional().describe('Signs the deliveries. Only in the answer that makes it.'),
});

export const saveWebhookBody = z.object({
  url: z
    .string()
    .max(2_048)
    .regex(/^\S+$/, 'must be an address without white space, such as https://app.example.com/webhook')
    .optional()
    .describe('Where tests are sent. Required the first time.'),
  headers: configuredHeaders
    .nullish()
    .transform((headers) => (headers && Object.keys(headers).length === 0 ? null : headers)),
  timeoutMs: z
    .int()
    .min(1_000)
    .max(900_000)
    .optional()
    .describe('How long the app may take to answer, in milliseconds.'),
  enabled: z.boolean().optional().describe('Whether tests are sent. Default: true.'),
});

export const testAnswer = z.object({
  success: z.boolean().describe('Whether the app answered 200.'),
  statusCode: z.int().describe('HTTP status of the answer; 0 when there was none.'),
  error: z.string().optional().describe('What went wrong, and what helps.'),
});

const deliveryFields = {
  id: uuid,
  orgId: z.string(),
  applicationId: uuid,
  testId: uuid,
  attempt: z.int().describe('1 = the first sending of this test.'),
  isSample: z.boolean(),
  replayOf: uuid.nullable().describe('The delivery whose body was sent again.'),
  url: z.string(),
  outcome: z
    .enum(DELIVERY_OUTCOMES)
    .nullable()
    .describe(
      'null = under way; `not_sent` = it surely never reached the app; `lost` and `unknown` = nobody knows.',
    ),
  statusCode: z.int().nullable(),
  message: z.string().nullable().describe('What went wrong; null = the app answered 200.'),
  sentAt: dateTime,
  finishedAt: dateTime.nullable(),
  timings: z
    .record(z.string(), z.number())
    .nullable()
    .describe('Milliseconds each step took: `dnsMs`, `connectMs`, `tlsMs`, `headersMs`, `totalMs`.'),
};

const message = z.object({
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  encoding: z.enum(['utf8', 'base64']).describe('How the bytes of the body are written in `body`.'),
});

export const listedDelivery = namedObject('ListedDelivery', deliveryFields);
export type ListedDelivery = z.infer<typeof listedDelivery>;

export const delivery = namedObject('Delivery', {
  ...deliveryFields,
  request: message.describe('As it was sent; values of configured headers are hidden.'),
  response: message.nullable().describe('The first 16 KiB of the answer; null = there was none.'),
});
export type DeliveryRecord = z.infer<typeof delivery>;

export const deliveriesQuery = z.object({
  ...paging(['sentAt', 'testId', 'attempt', 'id']),
  testId: several(uuid).describe('Deliveries of one of these tests.'),
  outcome: several(z.enum(DELIVERY_OUTCOMES)).describe('Deliveries that ended in one of these ways.'),
  isSample: queryBoolean.optional().describe('Only samples, or only deliveries of tests.'),
});
export type DeliveriesQuery = z.output<typeof deliveriesQuery>;
