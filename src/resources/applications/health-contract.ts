import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { check } from '../../contract/check.ts';
import { AT, ID, OTEL_TRACE_ID } from '../../contract/example-values.ts';
import { dateTime, uuid } from '../../contract/values.ts';
import { DELIVERY_OUTCOMES } from '../../deliver/delivery-record.ts';
import { rejection } from '../ingest/contract.ts';

const count = z.int().min(0);

export const unauthorizedRequest = namedObject('UnauthorizedRequest', {
  at: dateTime,
  status: z.int(),
  message: z.string(),
  keyId: z.string().nullable().describe('Public part of the API key; null if none was sent or it is no key.'),
  method: z.string(),
  path: z.string(),
  requestId: z.string().describe('Id of the request, which is in the log of the server too.'),
});

/** The last request with rejected credentials of an application; times in Unix milliseconds. */
export type LastUnauthorized = (
  applicationId: string,
) => (Omit<z.input<typeof unauthorizedRequest>, 'at'> & { at: number }) | null;

export const applicationHealth = namedObject('ApplicationHealth', {
  checkedAt: dateTime,
  checks: z.array(check).describe('What the facts below mean, and what to do about it.'),
  lastSpan: z
    .object({ at: dateTime.describe('Time when the server received it.'), traceId: z.string() })
    .nullable()
    .describe('The span received last, among the 100 traces that began last; null if there is none.'),
  lastRejection: rejection.nullable().describe('The span or request that was rejected last.'),
  webhook: z.object({ enabled: z.boolean() }).nullable().describe('The webhook; null if there is none.'),
  lastDelivery: z
    .object({
      id: uuid,
      testId: uuid,
      sentAt: dateTime,
      outcome: z.enum(DELIVERY_OUTCOMES).nullable(),
      statusCode: z.int().nullable(),
      message: z.string().nullable(),
    })
    .nullable()
    .describe('The last request to the webhook.'),
  lastUnauthorized: unauthorizedRequest
    .nullable()
    .describe(
      'The last request with a wrong or missing key that named this application, since the start of the server.',
    ),
  traces: z
    .object({ from: dateTime, total: count, withoutTest: count })
    .describe('Traces that began in the last 24 hours, at most 1000, and those of them without a test id.'),
  clockDifferenceMs: z
    .number()
    .nullable()
    .describe(
      'Milliseconds by which the clock of a sender is ahead of the server, at least: the greatest difference between the end of a trace and the arrival of its last span, among the 100 traces that began last. Negative values include the delay of the exporter. Null if there is no trace.',
    ),
});
export type ApplicationHealth = z.input<typeof applicationHealth>;
export type HealthFacts = Omit<ApplicationHealth, 'checks' | 'checkedAt'>;

export const exampleHealth: ApplicationHealth = {
  checkedAt: AT,
  checks: [
    { name: 'Spans', level: 'ok', message: 'The last span arrived 2 min ago.', advice: null },
    {
      name: 'API keys',
      level: 'warning',
      message: 'A request to POST /v1/traces was rejected 5 min ago: The API key is not valid.',
      advice: 'Set the API key of the sender; `touchstone keys create` makes a new one.',
    },
  ],
  lastSpan: { at: AT, traceId: OTEL_TRACE_ID },
  lastRejection: null,
  webhook: { enabled: true },
  lastDelivery: {
    id: ID.delivery,
    testId: ID.test,
    sentAt: AT,
    outcome: 'answered',
    statusCode: 200,
    message: null,
  },
  lastUnauthorized: {
    at: AT,
    status: 401,
    message: 'The API key is not valid',
    keyId: '4fQz81LmKx2P',
    method: 'POST',
    path: '/v1/traces',
    requestId: 'b1a7e0c2-6f43-4d0e-8a55-1c9b7d3e2f60',
  },
  traces: { from: AT, total: 240, withoutTest: 12 },
  clockDifferenceMs: -1200,
};
