/** Traces as they are answered. The reader writes the JSON itself: these schemas describe it, and tests hold it to them. */
import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { pagination } from '../../contract/paging.ts';
import { dateTime, uuid } from '../../contract/values.ts';
import { SPAN_KINDS } from '../../traces/span.ts';

const json = z.unknown();
const jsonObject = z.record(z.string(), json);
const count = z.int();
const nanoTime = dateTime.describe(
  'With all nine digits of the fraction where they say more than milliseconds.',
);

export const usage = namedObject('Usage', {
  promptTokens: count,
  completionTokens: count,
  totalTokens: count,
  cacheReadTokens: count,
  cacheWriteTokens: count,
  reasoningTokens: count,
});

const spanStatus = z.object({ code: z.enum(['UNSET', 'OK', 'ERROR']), message: z.string().optional() });

const summary = {
  id: uuid,
  orgId: z.string(),
  applicationId: uuid,
  createdAt: dateTime.describe('When its first span was stored.'),
  modifiedAt: dateTime,
  timestamp: nanoTime,
  referenceId: z.string().optional().describe("Native traces: the sender's id of the conversation."),
  testId: uuid.nullable(),
  testIds: z.array(uuid),
  otelTraceId: z.string().optional().describe('The 32 hex digits of OpenTelemetry.'),
  rootName: z.string(),
  services: z.array(z.string()),
  environment: z.string().nullable(),
  sessionId: z.string().nullable(),
  userId: z.string().nullable(),
  tags: z.array(z.string()),
  models: z.array(z.string()),
  usage: usage.describe('Each call of a model counted once.'),
  cost: z.number().nullable().describe('In US dollars.'),
  costEstimated: z.boolean().describe('Whether it was worked out from tokens and the price table.'),
  durationMs: z.number(),
  spanCount: count,
  errorCount: count.describe('Spans that failed.'),
  ruleSet: count.describe('Version of the rules that mapped it.'),
};
const flags = z
  .array(z.string())
  .describe(
    'What is odd about it: `replaced`, `unpaired`, `skew`, `redacted`, `dropped`, `oddTokens`, `sample`, and of a single trace also `orphans` and `cycle`.',
  );

export const listedTrace = namedObject('ListedTrace', {
  ...summary,
  metadata: json,
  input: z.string().nullable().describe('The first 300 characters.'),
  output: z.string().nullable().describe('The first 300 characters.'),
  flags,
});

export const step = namedObject('Step', {
  type: z
    .string()
    .describe(
      '`llm`, `tool`, `retriever`, `reranker`, `embedding`, `agent`, `guardrail`, `evaluator`, `group`, `log`, `request` or `response`; which fields there are depends on it.',
    ),
  id: z.string(),
  traceId: uuid,
  parentId: z.string().optional(),
  name: z.string(),
  timestamp: nanoTime,
  durationMs: z.number(),
  status: spanStatus,
  event: z.enum(['start', 'end']).optional().describe('`llm`: `start` while it is open.'),
  unpaired: z.boolean().optional().describe('`llm`: an end without its start.'),
  input: json.optional(),
  output: json.optional(),
  inputMessages: z.array(json).optional(),
  outputMessages: z.array(json).optional(),
  tools: json.optional().describe('`llm`: the tools it was offered.'),
  parameters: json.optional().describe('`llm`: such as `temperature`.'),
  finishReasons: json.optional(),
  modelId: z.string().nullable().optional(),
  provider: z.string().optional(),
  cost: z.number().optional().describe('In US dollars.'),
  usage: usage.optional(),
  toolName: z.string().optional(),
  toolCallId: z.string().optional(),
  toolInput: json.optional(),
  toolOutput: json.optional(),
  query: json.optional().describe('`retriever`.'),
  result: json.optional().describe('`retriever`: documents.'),
  content: json.optional().describe('`log`, `request`, `response`.'),
  key: z.string().optional().describe('`group`.'),
  group: z.string().optional(),
  params: json.optional(),
  metadata: json.optional(),
});

export const trace = namedObject('Trace', {
  ...summary,
  metadata: json,
  input: json,
  output: json,
  inputSpanId: z.string().nullable().describe('The span that gave the input.'),
  outputSpanId: z.string().nullable().describe('The span that gave the output.'),
  flags,
  steps: z.array(step).describe('At most 1000, those near the root first; `/spans` has all.'),
  stepsTruncated: z.boolean(),
});

/** Everything that was sent, with `include=payload`. */
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
  logs: z.array(jsonObject).optional().describe('Log records that name the span.'),
  scope: jsonObject,
  resource: jsonObject,
  mapped: z
    .object({
      ruleSet: count,
      fields: z
        .record(z.string(), z.object({ value: json, vocabulary: z.string(), from: z.string() }))
        .describe('Each field of our model, with the vocabulary and the key that gave it.'),
      unmapped: z.array(z.string()),
      redacted: z.array(z.string()),
      truncated: z.array(z.string()),
      warnings: z.array(z.string()),
    })
    .describe('The span in the words of our model.'),
});

export const span = namedObject('Span', {
  id: z.string(),
  parentId: z.string().optional(),
  placeholder: z
    .literal(true)
    .optional()
    .describe('Named as a parent and not stored: id, depth and childCount are all.'),
  depth: count,
  childCount: count,
  name: z.string().optional(),
  kind: z.enum(SPAN_KINDS).optional(),
  type: z.string().optional().describe('The type of step it is shown as.'),
  startTime: nanoTime.optional(),
  durationMs: z.number().optional(),
  status: spanStatus.optional(),
  testId: uuid.optional(),
  orphan: z.literal(true).optional(),
  cycle: z.literal(true).optional().describe('Its parents form a loop, cut here.'),
  skew: z.literal(true).optional().describe('Started before its parent, or with corrected times.'),
  ...payload.partial().shape,
});

/** A span by itself: its place in the tree is in the span index. */
export const spanDetail = namedObject('SpanDetail', {
  id: z.string(),
  traceId: uuid,
  parentId: z.string().nullable(),
  name: z.string(),
  kind: z.enum(SPAN_KINDS),
  type: z.string().describe('The type of step it is shown as.'),
  startTime: nanoTime,
  endTime: nanoTime,
  durationMs: z.number(),
  status: spanStatus,
  service: z.string(),
  testId: uuid.nullable().describe('The test id of the span or of its resource.'),
  model: z.string().nullable(),
  usage: usage.nullable(),
  cost: z.number().nullable().describe('In US dollars.'),
  costEstimated: z.boolean(),
  ...payload.shape,
});

export const countedPagination = namedObject('CountedPagination', {
  ...pagination.shape,
  totalExceeded: z.literal(true).optional().describe('There are more than the 10 000 that `total` says.'),
});
