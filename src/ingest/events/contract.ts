import { z } from 'zod';
import { apiSchemas, namedObject } from '../../contract/api-schema.ts';
import { isUuid } from '../../traces/ids.ts';
import {
  evaluatorDetails,
  finishReason,
  guardrailDetails,
  stepDetails,
  toolCallId,
} from './step-detail-schemas.ts';
import { parseTimestamp } from './timestamp.ts';

/**
 * Schemas of the events of `POST /v0/ingest`. Optional fields may be null. Every event may have further fields; the
 * schemas omit them, and facts.ts reads them from the event itself.
 */
export type Content = string | object;

/** Most top-level events and nested steps of one call. */
export const MAX_ITEMS = 10_000;
/** Deepest nesting of objects and arrays in one field. */
export const MAX_FIELD_DEPTH = 128;

const NIL_UUID = '00000000-0000-0000-0000-000000000000';
const NO_TIMESTAMP =
  'must be an ISO 8601 time such as 2026-01-31T12:00:00.123Z, or Unix milliseconds as a number, before the year 2262';

const saying = (problem: string) => ({
  error: ({ input }: { input?: unknown }) => (input === undefined || input === null ? 'required' : problem),
});

const content = z
  .custom<Content>(
    (value) => typeof value === 'string' || (typeof value === 'object' && value !== null),
    saying('must be a string, an object or an array'),
  )
  .meta({ type: ['string', 'object', 'array'] });
const optionalContent = content.nullish();
const optionalText = z.string('must be a string').nullish();
const requiredText = z.string(saying('must be a string')).min(1, 'must not be empty');
/** Metadata of any type, because no metadata is worth an event. */
const anyMetadata = z
  .unknown()
  .optional()
  .meta({
    type: ['object', 'array', 'string'],
    description: 'An object, or a text with the JSON of one. Anything else is kept as the field `metadata`.',
  });
const uuid = z
  .string('must be a uuid')
  .transform((text) => text.toLowerCase())
  .refine(isUuid, 'must be a uuid')
  .meta({ format: 'uuid' });
const traceId = uuid.refine((id) => id !== NIL_UUID, 'must not be the all-zero uuid').nullish();
const tokens = z.int('must be a whole number').min(0, 'must not be negative').nullish();

const timestamp = z
  .custom<string | number>(
    (value) => typeof value === 'string' || typeof value === 'number',
    saying(NO_TIMESTAMP),
  )
  .transform((value, context) => {
    const time = parseTimestamp(value);
    if (time !== null) return time;
    context.addIssue({ code: 'custom', message: NO_TIMESTAMP });
    return z.NEVER;
  })
  .meta({
    type: ['string', 'number'],
    description: 'ISO 8601 time with any offset (default UTC) and up to nanoseconds, or Unix milliseconds.',
  });

export const traceEvent = z
  .object({
    type: z.literal('trace'),
    timestamp,
    testId: uuid.nullish(),
    traceId,
    input: optionalContent,
    output: optionalContent,
    referenceId: optionalText,
    metadata: anyMetadata,
    steps: z
      .array(z.unknown(), 'must be an array of step events')
      .meta({ items: { $ref: '#/components/schemas/StepEvent' } })
      .nullish(),
  })
  .refine((event) => event.traceId == null || event.traceId !== event.testId, {
    path: ['traceId'],
    message: 'must be a random uuid, not the testId; omit it to have one generated',
  })
  .register(apiSchemas, { id: 'TraceEvent' });

const step = {
  timestamp,
  traceId,
  id: optionalText,
  parentId: optionalText,
  name: optionalText,
  group: optionalText,
  params: z.unknown().optional(),
  metadata: anyMetadata,
  ...stepDetails,
};
const llm = { ...step, type: z.literal('llm'), modelId: requiredText };
const inputAndOutput = { ...step, input: optionalContent, output: optionalContent };

/** Schemas of `llm` steps by their `event`. */
export const llmEvents = {
  start: namedObject('LlmStartEvent', { ...llm, event: z.literal('start'), input: content }),
  end: namedObject('LlmEndEvent', {
    ...llm,
    event: z.literal('end'),
    output: optionalContent,
    finishReason,
    usage: z.object({ promptTokens: tokens, completionTokens: tokens }, 'must be an object').nullish(),
  }),
};

/** Schemas, by `type`, of steps that consist of one event. */
export const stepEvents = {
  tool: namedObject('ToolEvent', {
    ...step,
    type: z.literal('tool'),
    toolCallId,
    toolInput: optionalContent,
    toolOutput: optionalContent,
  }),
  retriever: namedObject('RetrieverEvent', {
    ...step,
    type: z.literal('retriever'),
    query: content,
    result: content,
  }),
  reranker: namedObject('RerankerEvent', { ...inputAndOutput, type: z.literal('reranker') }),
  embedding: namedObject('EmbeddingEvent', { ...inputAndOutput, type: z.literal('embedding') }),
  agent: namedObject('AgentEvent', { ...inputAndOutput, type: z.literal('agent') }),
  guardrail: namedObject('GuardrailEvent', {
    ...inputAndOutput,
    ...guardrailDetails,
    type: z.literal('guardrail'),
  }),
  evaluator: namedObject('EvaluatorEvent', {
    ...inputAndOutput,
    ...evaluatorDetails,
    type: z.literal('evaluator'),
  }),
  group: namedObject('GroupEvent', {
    ...inputAndOutput,
    ...guardrailDetails,
    type: z.literal('group'),
    key: requiredText,
  }),
  log: namedObject('LogEvent', { ...step, type: z.literal('log'), content }),
  request: namedObject('RequestEvent', { ...step, type: z.literal('request'), content }),
  response: namedObject('ResponseEvent', { ...step, type: z.literal('response'), content }),
};

export type StepEventType = 'llm' | keyof typeof stepEvents;
export const STEP_TYPES = ['llm', ...Object.keys(stepEvents)] as const;
