import { z } from 'zod';
import { seenBy } from '../../contract/reviewer.ts';
import type { Principal } from '../../contract/scope.ts';
import { withAliases } from '../../contract/aliases.ts';
import { paging } from '../../contract/paging.ts';
import { queryBoolean, queryInteger, queryNumber, several } from '../../contract/query.ts';
import { givenTime, traceId, uuid } from '../../contract/values.ts';
import { AppError } from '../../errors.ts';
import { traceIdCandidates } from '../../traces/ids.ts';
import { filterLine, requestedFilter } from '../../filter/query.ts';
import { TRACE_ORDERS } from '../../traces/list.ts';
import type { TraceFilter } from '../../traces/trace-where.ts';
import { SPAN_KINDS } from '../../traces/span-kinds.ts';

const MAX_SPANS = 100_000;
/** Most spans of a page with payloads, which are large; without them, a page may contain a complete tree. */
const MAX_SPANS_WITH_PAYLOAD = 1_000;
/** Latest time of a span: the year 2262, where nanoseconds exceed 64 bits. */
const MAX_TIME_MS = 9_223_372_036_853;

export const name = z.string().min(1).max(1_000);
const tokens = queryInteger(0, Number.MAX_SAFE_INTEGER);
const milliseconds = queryNumber(0, 1e12);
const dollars = queryNumber(0, 1e9);
const score = queryNumber(0, 1).optional();
export const spanId = z
  .string()
  .toLowerCase()
  .regex(/^[0-9a-f]{16}$/, 'must be a span id: 16 hex digits');

export const tracePath = z.object({
  id: traceId.describe('Id of the trace: its uuid, or the 32 hex digits of OpenTelemetry.'),
});
export const traceQuery = z.object({
  steps: queryBoolean
    .default(true)
    .describe('`false` leaves out the steps, and everything else that depends on the size of the trace.'),
});
export const testPath = z.object({
  testId: uuid.describe('Id of the test: the uuid that spans carry as `service.test.id`.'),
});

export const traceFilters = {
  q: filterLine,
  id: several(traceId).describe('Traces with one of these ids.'),
  testId: several(uuid).describe('Traces that carry one of these test ids.'),
  issueId: several(uuid).describe('Traces that are linked to one of these issues.'),
  sessionId: several(name).describe('Traces of one of these sessions.'),
  userId: several(name).describe('Traces of one of these users.'),
  model: several(name).describe('Traces in which one of these models was called.'),
  kind: several(z.enum(SPAN_KINDS.slice(1) as [string, ...string[]])).describe(
    'Traces with a span of one of these kinds.',
  ),
  tag: several(name).describe('Traces with one of these tags.'),
  environment: several(name).describe(
    'Traces of one of these deployment environments, such as `production`.',
  ),
  provider: several(name).describe('Traces in which a model of one of these providers was called.'),
  metadataKey: name.optional().describe('Traces whose metadata has this key.'),
  metadataValue: z
    .string()
    .max(1_000)
    .optional()
    .describe('Traces with this value of `metadataKey`, compared as text.'),
  includeSamples: queryBoolean
    .optional()
    .describe('True to include traces of sample tests of the webhook. Default: false.'),
  includeDeliveries: queryBoolean
    .optional()
    .describe(
      'True to include traces that have no span but those of deliveries by this service. Default: false; a filter by test includes them.',
    ),
  hasErrors: queryBoolean.optional().describe('Traces with (`true`) or without (`false`) a failed span.'),
  minDurationMs: milliseconds.optional().describe('Traces that took at least this long, in milliseconds.'),
  maxDurationMs: milliseconds.optional().describe('Traces that took at most this long, in milliseconds.'),
  minCost: dollars.optional().describe('Traces that cost at least this much, in US dollars.'),
  maxCost: dollars.optional().describe('Traces that cost at most this much, in US dollars.'),
  minTokens: tokens.optional().describe('Traces that used at least this many tokens.'),
  maxTokens: tokens.optional().describe('Traces that used at most this many tokens.'),
  minScore: score.describe('Traces whose evals have at least this mean score, from 0 to 1.'),
  maxScore: score.describe('Traces whose evals have at most this mean score, from 0 to 1.'),
  search: name
    .optional()
    .describe(
      'Traces with this text in the name of their root, in their input or output as the list shows it, or in the id of their session or user, ignoring case; no character has a special meaning.',
    ),
  startDate: givenTime.optional().describe('Traces that began at this time or later.'),
  endDate: givenTime.optional().describe('Traces that began at this time or earlier.'),
};

/** Names of filters that generated clients use; the sender's id of a conversation is its session. */
const TRACE_ALIASES = {
  hasError: 'hasErrors',
  minDuration: 'minDurationMs',
  maxDuration: 'maxDurationMs',
  referenceId: 'sessionId',
} as const;

export const filterQuery = withAliases(z.object(traceFilters), TRACE_ALIASES);

export const listQuery = withAliases(
  z.object({
    ...paging(TRACE_ORDERS, {
      totalDurationMs: 'durationMs',
      totalCost: 'cost',
      stepCount: 'spanCount',
    }),
    ...traceFilters,
  }),
  TRACE_ALIASES,
);

/** Converts the filters of a request to those of the store. Throws `bad_request` and `invalid`. */
export function filterOf(query: z.output<typeof filterQuery>, caller: Principal, now: number): TraceFilter {
  const { metadataKey, metadataValue } = query;
  if (metadataValue !== undefined && metadataKey === undefined) {
    throw new AppError('bad_request', 'metadataValue requires metadataKey');
  }
  const { id, q, ...filters } = query;
  return {
    ...filters,
    ...timeRange(query),
    traceIds: id?.flatMap(traceIdCandidates),
    q: requestedFilter(q, 'traces', now),
    seenBy: seenBy(caller, now),
  };
}

export const spansQuery = z
  .object({
    subtree: spanId.optional().describe('Only this span and its descendants.'),
    spanId: several(spanId).describe('Only these spans.'),
    include: z
      .enum(['payload'])
      .optional()
      .describe('`payload` adds attributes, events, links, scope and resource.'),
    skip: queryInteger(0, Number.MAX_SAFE_INTEGER).default(0).describe('Number of spans to skip.'),
    limit: queryInteger(1, MAX_SPANS)
      .optional()
      .describe(
        `Largest number of spans to return: up to ${MAX_SPANS}, or ${MAX_SPANS_WITH_PAYLOAD} with payload. Default: 1000, or 100 with payload.`,
      ),
  })
  .refine(({ include, limit }) => include === undefined || (limit ?? 0) <= MAX_SPANS_WITH_PAYLOAD, {
    path: ['limit'],
    error: `must be at most ${MAX_SPANS_WITH_PAYLOAD} with payload`,
    params: { code: 'too_big' },
  });

/** Returns the range of times of a query, in Unix nanoseconds. */
export function timeRange({
  startDate,
  endDate,
}: {
  startDate?: string | undefined;
  endDate?: string | undefined;
}): {
  startDate: bigint | undefined;
  endDate: bigint | undefined;
} {
  return {
    startDate: startDate === undefined ? undefined : nanoseconds(startDate),
    // A date in milliseconds includes the complete millisecond.
    endDate: endDate === undefined ? undefined : nanoseconds(endDate) + 999_999n,
  };
}

/** Converts a date to nanoseconds, limited to the times that a span can have, so that every date is accepted. */
function nanoseconds(date: string): bigint {
  return BigInt(Math.min(Math.max(Date.parse(date), 0), MAX_TIME_MS)) * 1_000_000n;
}
