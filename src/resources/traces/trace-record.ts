/** Schemas of traces in responses. The reader writes the JSON itself; tests compare it with these schemas. */
import { z } from 'zod';
import { apiSchemas, namedObject } from '../../contract/api-schema.ts';
import { pagination } from '../../contract/paging.ts';
import { dateTime, uuid } from '../../contract/values.ts';
import { FACETS } from '../../traces/facets.ts';
import { COST_PARTS } from '../../traces/prices/calculation.ts';
import { SPAN_KINDS } from '../../traces/span-kinds.ts';

const json = z.unknown();
const jsonObject = z.record(z.string(), json);
const count = z.int();
const nanoTime = dateTime.describe('Time with nine fractional digits if milliseconds are not exact.');

export const usage = namedObject('Usage', {
  promptTokens: count,
  completionTokens: count,
  totalTokens: count,
  cacheReadTokens: count,
  cacheWriteTokens: count,
  reasoningTokens: count,
});

/** Object or list of a sender. */
const fields = z.union([jsonObject, z.array(json)]);
const text = z.string().optional().describe('Text; an object or a list is JSON.');

const spanStatus = z.object({ code: z.enum(['UNSET', 'OK', 'ERROR']), message: z.string().optional() });

const summary = {
  id: uuid,
  orgId: z.string(),
  applicationId: uuid,
  createdAt: dateTime.describe('Time when its first span was stored.'),
  modifiedAt: dateTime,
  timestamp: nanoTime,
  referenceId: z.string().optional().describe("Sender's id of the conversation; for native traces."),
  testId: uuid.nullable(),
  testIds: z.array(uuid),
  otelTraceId: z.string().optional().describe('Trace id of OpenTelemetry, 32 hex digits.'),
  rootName: z.string(),
  services: z.array(z.string()),
  environment: z.string().nullable(),
  sessionId: z.string().nullable(),
  userId: z.string().nullable(),
  tags: z.array(z.string()),
  models: z.array(z.string()),
  usage: usage.describe('Usage, with each model call counted once.'),
  cost: z.number().nullable().describe('Cost in US dollars.'),
  costEstimated: z.boolean().describe('True if it was computed from tokens and the price table.'),
  durationMs: z.number(),
  spanCount: count,
  errorCount: count.describe('Number of failed spans.'),
  hasError: z.boolean().describe('True if a span failed.'),
  stepCount: count.describe('The same as `spanCount`.'),
  totalPromptTokens: count,
  totalCompletionTokens: count,
  totalCost: z.number().nullable().describe('The same as `cost`.'),
  totalDurationMs: count.describe('`durationMs`, rounded.'),
  ruleSet: count.describe('Version of the mapping rules.'),
};
const flags = z
  .array(z.string())
  .describe(
    'Anomalies: `replaced`, `unpaired`, `skew`, `redacted`, `dropped`, `oddTokens`, `sample`, and of a single trace also `orphans` and `cycle`.',
  );

export const listedTrace = namedObject('ListedTrace', {
  ...summary,
  metadata: fields.nullable(),
  input: z.string().nullable().describe('First 300 characters.'),
  output: z.string().nullable().describe('First 300 characters.'),
  flags,
});

export const step = namedObject('Step', {
  type: z
    .string()
    .describe(
      '`llm`, `tool`, `retriever`, `reranker`, `embedding`, `agent`, `guardrail`, `evaluator`, `group`, `log`, `request` or `response`; it determines the other fields.',
    ),
  id: z.string(),
  traceId: uuid,
  parentId: z.string().optional(),
  name: z.string(),
  timestamp: nanoTime,
  endTime: nanoTime.optional().describe('Absent while the step is open.'),
  durationMs: count.describe('Rounded; `/spans` has the exact duration.'),
  status: z
    .enum(['success', 'error', 'timeout', 'pending'])
    .describe('`pending` while the step is open. `/spans` has the status of OpenTelemetry.'),
  error: z.string().optional().describe('Message of the error.'),
  statusCode: z.string().optional().describe('As a native event reports it.'),
  costAmount: z.number().optional().describe('Cost in US dollars.'),
  event: z.enum(['start', 'end']).optional().describe('`llm`: `start` while the step is open.'),
  unpaired: z.boolean().optional().describe('`llm`: true for an end without its start.'),
  input: text,
  output: text,
  inputMessages: z.array(json).optional(),
  outputMessages: z.array(json).optional(),
  tools: json.optional().describe('`llm`: tools offered to the model.'),
  parameters: json.optional().describe('`llm`: parameters such as `temperature`.'),
  finishReasons: json.optional(),
  finishReason: z.string().optional().describe('The first of `finishReasons`.'),
  firstTokenMs: z.number().optional().describe('`llm`: milliseconds until the first part of the response.'),
  modelId: z.string().nullable().optional().describe('`llm`: empty if it is unknown.'),
  provider: z.string().optional(),
  cost: z.number().optional().describe('The same as `costAmount`.'),
  usage: usage.optional(),
  toolName: z.string().optional(),
  toolCallId: z.string().optional(),
  toolInput: text,
  toolOutput: text,
  query: text.describe('`retriever`.'),
  result: text.describe('`retriever`: documents, as JSON.'),
  content: text.describe('`log`, `request`, `response`.'),
  guardrailAction: z.string().optional(),
  guardrailTriggered: z.boolean().optional(),
  guardrailType: z.string().optional(),
  evaluatorName: z.string().optional(),
  evaluationScore: z.number().optional(),
  evaluationLabel: z.string().optional(),
  evaluationExplanation: z.string().optional(),
  key: z.string().optional().describe('`group`.'),
  group: z.string().optional(),
  params: fields.optional(),
  metadata: fields.optional(),
});

export const trace = namedObject('Trace', {
  ...summary,
  metadata: fields.nullable(),
  input: json,
  output: json,
  inputSpanId: z.string().nullable().describe('Span that reported the input.'),
  outputSpanId: z.string().nullable().describe('Span that reported the output.'),
  flags,
  steps: z.array(step).describe('At most 1000 steps, those near the root first; `/spans` returns all.'),
  stepsTruncated: z.boolean(),
});

/** Schema of everything that was sent, for `include=payload`. */
const payload = z.object({
  spanKind: z.union([z.string(), z.number()]).describe("OpenTelemetry's SpanKind."),
  traceState: z.string(),
  traceFlags: count,
  attributes: jsonObject,
  droppedAttributesCount: count,
  events: z.array(jsonObject),
  droppedEventsCount: count,
  links: z.array(jsonObject),
  droppedLinksCount: count,
  logs: z.array(jsonObject).optional().describe('Log records of the span.'),
  scope: jsonObject,
  resource: jsonObject,
  mapped: z
    .object({
      ruleSet: count,
      fields: z
        .record(z.string(), z.object({ value: json, vocabulary: z.string(), from: z.string() }))
        .describe('Mapped fields, each with its vocabulary and key.'),
      unmapped: z.array(z.string()),
      redacted: z.array(z.string()),
      truncated: z.array(z.string()),
      cost: z
        .object({
          basis: z.enum(['reported', 'calculated', 'unknown']),
          certainty: z.enum(['high', 'medium', 'low']),
          cost: z.number().nullable().describe('US dollars: the sum of `parts`, or what the sender sent.'),
          parts: z.array(
            z.object({
              part: z.enum(COST_PARTS),
              quantity: z.number(),
              pricePerMillion: z.number().describe('US dollars, with the factor of the tier.'),
              cost: z.number().describe('quantity × price.'),
              from: z.string().describe('Key of the attribute with the number.'),
            }),
          ),
          price: z
            .object({
              name: z.string(),
              source: z.enum(['application', 'file', 'built-in', 'free']),
              validFrom: z.string().nullable(),
            })
            .nullable(),
          tier: z
            .object({ name: z.string(), from: z.string().nullable(), factor: z.number().nullable() })
            .nullable(),
          above: z.number().nullable().describe('Threshold of input tokens that was exceeded.'),
          notes: z.array(z.string()),
        })
        .nullable()
        .describe('The cost as a calculation.'),
      warnings: z.array(z.string()),
    })
    .describe('Mapped fields of the span.'),
});

export const span = namedObject('Span', {
  id: z.string(),
  parentId: z.string().optional(),
  placeholder: z
    .literal(true)
    .optional()
    .describe('True for a parent that is not stored; it has only id, depth and childCount.'),
  depth: count,
  childCount: count,
  name: z.string().optional(),
  kind: z.enum(SPAN_KINDS).optional(),
  type: z.string().optional().describe('Type of step as which the span is shown.'),
  startTime: nanoTime.optional(),
  durationMs: z.number().optional(),
  status: spanStatus.optional(),
  testId: uuid.optional(),
  orphan: z.literal(true).optional(),
  cycle: z.literal(true).optional().describe('True if its ancestors form a loop, which was broken here.'),
  skew: z
    .literal(true)
    .optional()
    .describe('True if it started before its parent, or its times were corrected.'),
  ...payload.partial().shape,
});

/** A span by itself: its place in the tree is in the span index. */
export const spanDetail = namedObject('SpanDetail', {
  id: z.string(),
  traceId: uuid,
  parentId: z.string().nullable(),
  name: z.string(),
  kind: z.enum(SPAN_KINDS),
  type: z.string().describe('Type of step as which the span is shown.'),
  startTime: nanoTime,
  endTime: nanoTime,
  durationMs: z.number(),
  status: spanStatus,
  service: z.string(),
  testId: uuid.nullable().describe('The test id of the span or of its resource.'),
  model: z.string().nullable(),
  usage: usage.nullable(),
  cost: z.number().nullable().describe('Cost in US dollars.'),
  costEstimated: z.boolean(),
  ...payload.shape,
});

/** Schema of the part of the steps of traces that was searched. */
export const searched = z
  .object({
    from: dateTime.nullable().describe('Start of the oldest trace whose steps were searched.'),
    to: dateTime.nullable().describe('Start of the newest one.'),
    isComplete: z
      .boolean()
      .describe(
        'False if older traces were not searched; a term `to:` with the time in `from` searches them. Of these, only the texts that the list shows were compared.',
      ),
  })
  .describe('What was searched of the steps of traces; absent if no term of `q` is about them.')
  .register(apiSchemas, { id: 'Searched' });

const facet = z.array(z.object({ value: z.string(), traces: count }));

export const traceFacetCounts = namedObject('TraceFacets', {
  traces: count.describe('Number of traces that were counted.'),
  isTruncated: z.boolean().describe('True if more, older traces meet the filters.'),
  facets: z.object(
    Object.fromEntries(FACETS.map((name) => [name, facet])) as Record<(typeof FACETS)[number], typeof facet>,
  ),
  searched: searched.optional(),
});

export const countedPagination = namedObject('CountedPagination', {
  ...pagination.shape,
  totalExceeded: z.literal(true).optional().describe('True if there are more than the 10 000 in `total`.'),
});
