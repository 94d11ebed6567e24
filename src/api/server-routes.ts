import { z } from 'zod';
import { uuid } from '../contract/values.ts';
import { llmEvents, MAX_ITEMS, stepEvents, traceEvent } from '../ingest/events/contract.ts';
import type { DescribedRoute } from './operation.ts';

const stepEvent = z.union([llmEvents.start, llmEvents.end, ...Object.values(stepEvents)]);

/** Schemas of native events, under the names they have in the document. */
export const eventSchemas = {
  TraceEvent: traceEvent,
  StepEvent: stepEvent,
  LlmStartEvent: llmEvents.start,
  LlmEndEvent: llmEvents.end,
};

const eventResult = z.union([
  z.object({
    success: z.literal(true),
    id: uuid.optional().describe('Of `trace` events: the id of the trace.'),
  }),
  z.object({ success: z.literal(false), error: z.string() }),
]);

const alive = z.object({ status: z.literal('ok') });

/** Doors that the server opens by itself and that speak as REST does. */
export const serverRoutes: readonly DescribedRoute[] = [
  {
    method: 'POST',
    path: '/v0/ingest',
    summary: 'Send native events',
    description:
      'Each event is answered for itself, in order: a bad one loses none of the others. A step without `traceId` belongs to the `trace` event before it. Fields not named here are kept and shown as metadata. Answered when all is durable. Bodies may be compressed (`Content-Encoding`: gzip, deflate, zstd).',
    scope: 'ingest',
    body: z.object({
      events: z
        .array(z.union([traceEvent, stepEvent]))
        .min(1)
        .max(MAX_ITEMS),
    }),
    response: z.object({ data: z.array(eventResult).describe('One entry an event.') }),
    status: 200,
    requestHeaders: {
      'idempotency-key':
        'At most 255 characters. The same call again within 24 hours is answered as before; another one with this key is refused (409).',
    },
    errors: ['conflict'],
  },
  {
    method: 'GET',
    path: '/healthz',
    summary: 'Ask whether the server lives',
    scope: null,
    response: alive,
    status: 200,
  },
  {
    method: 'GET',
    path: '/readyz',
    summary: 'Ask whether the server can answer',
    description: '503 when the store does not answer.',
    scope: null,
    response: alive,
    status: 200,
    errors: ['unavailable'],
  },
];
