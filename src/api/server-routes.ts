import { z } from 'zod';
import { apiSchemas } from '../contract/api-schema.ts';
import { AT, ID, LATER } from '../contract/example-values.ts';
import { uuid } from '../contract/values.ts';
import { llmEvents, MAX_ITEMS, stepEvents, traceEvent } from '../ingest/events/contract.ts';
import type { DescribedRoute } from './operation.ts';

const stepEvent = z
  .union([llmEvents.start, llmEvents.end, ...Object.values(stepEvents)])
  .register(apiSchemas, { id: 'StepEvent' });

const eventResult = z.union([
  z.object({
    success: z.literal(true),
    id: uuid.optional().describe('Id of the trace, for `trace` events.'),
  }),
  z.object({ success: z.literal(false), error: z.string() }),
]);

const exampleEvents = [
  {
    type: 'trace',
    timestamp: AT,
    testId: ID.test,
    input: 'How long can I return a chair?',
    output: 'For 30 days.',
    referenceId: 'conversation-7',
  },
  {
    type: 'llm',
    event: 'end',
    timestamp: LATER,
    modelId: 'gpt-4o',
    output: 'For 30 days.',
    usage: { promptTokens: 212, completionTokens: 9 },
  },
];

const alive = z.object({ status: z.literal('ok') });

/** Endpoints that the server opens itself and that behave like the REST API. */
export const serverRoutes: readonly DescribedRoute[] = [
  {
    method: 'POST',
    path: '/v0/ingest',
    operationId: 'ingestEvents',
    group: 'Ingest',
    summary: 'Send native events',
    description:
      'Returns one result per event, in order: an invalid event does not affect the others. A step without `traceId` belongs to the `trace` event before it. Unknown fields are kept and shown as metadata. The response is sent once all events are durable. Bodies may be compressed (`Content-Encoding`: gzip, zstd, deflate, zlib, snappy, x-snappy-framed, lz4).',
    scope: 'ingest',
    body: z.object({
      events: z
        .array(z.union([traceEvent, stepEvent]))
        .min(1)
        .max(MAX_ITEMS),
    }),
    response: z.object({ data: z.array(eventResult).describe('One entry per event.') }),
    example: {
      body: { events: exampleEvents },
      response: { data: [{ success: true, id: ID.trace }, { success: true }] },
    },
    status: 200,
    requestHeaders: {
      'idempotency-key':
        'At most 255 characters. A repeated call within 24 hours gets the response of the first; another call with the same key is rejected (409).',
    },
    errors: ['conflict'],
  },
  {
    method: 'GET',
    path: '/healthz',
    operationId: 'getHealth',
    group: 'Server',
    summary: 'Check that the server is running',
    scope: null,
    response: alive,
    example: { response: { status: 'ok' } },
    status: 200,
  },
  {
    method: 'GET',
    path: '/readyz',
    operationId: 'getReadiness',
    group: 'Server',
    summary: 'Check that the server is ready for requests',
    description: 'Responds with 503 if the store does not respond.',
    scope: null,
    response: alive,
    example: { response: { status: 'ok' } },
    status: 200,
    errors: ['unavailable'],
  },
];
