import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { AT, ID, LATER } from '../../contract/example-values.ts';
import { dateTime, uuid } from '../../contract/values.ts';
import { DELIVERY_OUTCOMES } from '../../deliver/delivery-record.ts';
import { unauthorizedRequest } from '../applications/health-contract.ts';
import { TEST_PHASES, TEST_STATUSES } from '../../tests/states.ts';

const count = z.int().min(0);

export const diagnosis = namedObject('TestDiagnosis', {
  testId: uuid,
  status: z.enum(TEST_STATUSES),
  phase: z.enum(TEST_PHASES),
  cause: z.string().describe('The likely cause of the current state, in one sentence.'),
  cure: z.string().nullable().describe('Advice; null when there is nothing to do.'),
  phases: z
    .array(
      z.object({
        phase: z.enum(TEST_PHASES),
        state: z.enum(['reached', 'current', 'failed', 'pending']),
        at: dateTime.nullable().describe('Time when it was first reached.'),
      }),
    )
    .describe('All phases in order.'),
  deadline: dateTime.nullable().describe('Time of the next check, which may complete or fail the test.'),
  attempts: z
    .array(
      z.object({
        deliveryId: uuid,
        attempt: count,
        sentAt: dateTime,
        finishedAt: dateTime.nullable(),
        outcome: z.enum(DELIVERY_OUTCOMES).nullable(),
        statusCode: z.int().nullable(),
        message: z.string().nullable(),
        timings: z.record(z.string(), z.number()).nullable(),
        requestBytes: count,
        responseBytes: count.nullable(),
      }),
    )
    .describe('At most 100.'),
  meanwhile: z
    .object({
      from: dateTime,
      to: dateTime,
      tracesWithoutTest: count.describe('At most 1000.'),
      tracesOfOtherTests: count.describe('Without those of tests that ran at the same time; at most 1000.'),
      otherTestIds: z.array(uuid).describe('Test ids of these traces, at most 20.'),
      rejections: z
        .array(z.object({ at: dateTime, reason: z.string(), message: z.string(), spans: count }))
        .describe('Rejected spans, the latest first, at most 20.'),
      unauthorized: unauthorizedRequest
        .nullable()
        .describe('The last request of the application with a wrong or missing key.'),
    })
    .describe('Traces that began, and spans that were rejected, while the test waited.'),
  spans: z.object({
    stored: count.describe('Spans of the traces of the test, without those of our deliveries.'),
    isTraceparentContinued: z
      .boolean()
      .describe('True if spans of the app arrived in the trace of the `traceparent` that was sent.'),
  }),
});
export type Diagnosis = z.input<typeof diagnosis>;

export const exampleDiagnosis: Diagnosis = {
  testId: ID.test,
  status: 'FAILED',
  phase: 'delivered',
  cause: 'No span arrived while the test waited.',
  cure: 'Check the endpoint and the API key of the exporter, and flush spans before the response is sent.',
  phases: [
    { phase: 'queued', state: 'reached', at: AT },
    { phase: 'delivering', state: 'reached', at: AT },
    { phase: 'delivered', state: 'failed', at: LATER },
    { phase: 'trace_received', state: 'pending', at: null },
    { phase: 'evaluating', state: 'pending', at: null },
    { phase: 'done', state: 'pending', at: null },
  ],
  deadline: null,
  attempts: [],
  meanwhile: {
    from: AT,
    to: LATER,
    tracesWithoutTest: 0,
    tracesOfOtherTests: 0,
    otherTestIds: [],
    rejections: [],
    unauthorized: null,
  },
  spans: { stored: 0, isTraceparentContinued: false },
};
