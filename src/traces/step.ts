import { contentOf, finishReasonsOf, messagesOf, type Side } from './content.ts';
import { readParameters } from './conventions/parameters.ts';
import { isObject } from '../contract/is-object.ts';
import { jsonText } from './conventions/json.ts';
import type { Field } from './conventions/rule.ts';
import { isMappedKey } from './conventions/rule-set.ts';
import { compose } from './conventions/sources.ts';
import type { SpanView } from './conventions/span-view.ts';
import { firstTokenOf } from './first-token.ts';
import { durationMs, formatNs, shownCost, stepType } from './format.ts';
import type { SpanMapping } from './mapping.ts';
import { type SkeletonSpan, SpanFlag, type SpanSums, STATUS_ERROR } from './span.ts';
import { decodeStatus, type JsonValue } from './span-wire.ts';
import { hasSums } from './sums.ts';

export type StepJson = Record<string, JsonValue>;

/** A span that was opened: its message and its mapping. */
export interface OpenSpan {
  view: SpanView;
  mapping: SpanMapping;
}

/** Builds one span as a step of its trace, in the form of `POST /v0/ingest`. */
export function buildStep(skeleton: SkeletonSpan, { view, mapping }: OpenSpan, traceId: string): StepJson {
  const event = mapping.text('event');
  const type = event ?? stepType(skeleton.kind);
  const parentId = mapping.text('stepParentId') ?? skeleton.parentId;
  const error = statusMessage(skeleton, view, mapping);
  return {
    type,
    id: mapping.text('stepId') ?? skeleton.id,
    traceId,
    ...(parentId === null ? {} : { parentId }),
    name: skeleton.name,
    timestamp: formatNs(sentStart(skeleton, mapping)),
    ...((skeleton.flags & SpanFlag.open) === 0 && { endTime: formatNs(skeleton.end) }),
    durationMs: Math.round(durationMs(skeleton.start, skeleton.end)),
    status: statusWord(skeleton, mapping),
    ...(error === '' ? {} : { error }),
    ...ownFields(type, skeleton, { view, mapping }),
    ...present({
      statusCode: mapping.text('statusCode'),
      costAmount: shownCost(skeleton.cost, (skeleton.flags & SpanFlag.costKnown) !== 0),
      group: mapping.text('group'),
      params: asFields('params', mapping.json('params')),
      metadata: stepMetadata(view, mapping),
    }),
  };
}

/** Returns the start as it was sent: that of later ones among native steps with the same time is stored with an offset. */
function sentStart({ start }: SkeletonSpan, mapping: SpanMapping): bigint {
  const order = mapping.value('sentOrder');
  return typeof order === 'number' && Number.isSafeInteger(order) ? start - BigInt(order) : start;
}

/** Result of a step, as native events name it. */
function statusWord({ status, flags }: SkeletonSpan, mapping: SpanMapping): string {
  const isTimeout = [mapping.text('stepStatus'), mapping.text('errorType')].includes('timeout');
  if (status === STATUS_ERROR) return isTimeout ? 'timeout' : 'error';
  return flags & SpanFlag.open || mapping.text('stepStatus') === 'pending' ? 'pending' : 'success';
}

/** Returns an object or a list unchanged, and any other value as the only field of an object. */
export const asFields = (name: string, value: JsonValue): JsonValue =>
  value === null || typeof value === 'object' ? value : { [name]: value };

/** Returns the error that the sender reports: from the status, else from an exception, else the type of the error. */
export function statusMessage(skeleton: SkeletonSpan, view: SpanView, mapping: SpanMapping): string {
  const { message } = decodeStatus(view.bytes);
  const said = mapping.text('stepError') ?? message;
  if (said !== '' || skeleton.status !== STATUS_ERROR) return said;
  const exception = view.happenings.find(({ name }) => name === 'exception')?.attributes ?? {};
  const thrown = [exception['exception.message'], exception['exception.type']].find(
    (value) => typeof value === 'string' && value !== '',
  );
  return mapping.text('statusMessage') ?? (thrown as string | undefined) ?? mapping.text('errorType') ?? '';
}

function ownFields(type: string, skeleton: SkeletonSpan, span: OpenSpan): StepJson {
  const input = contentText(span, 'input');
  const output = contentText(span, 'output');
  switch (type) {
    case 'llm':
      return llmFields(skeleton, span, input, output);
    case 'tool':
      return present({
        toolName: span.mapping.text('toolName') ?? skeleton.name,
        toolCallId: span.mapping.text('toolCallId'),
        toolInput: input,
        toolOutput: output,
      });
    case 'retriever':
      return { query: input ?? '', result: asText(documentsOf(span)) ?? output ?? '' };
    case 'log':
    case 'request':
    case 'response':
      return { content: input ?? '' };
    case 'group':
      return {
        key: span.mapping.text('key') ?? skeleton.id,
        ...present({ input, output, ...guardrailFields(span) }),
      };
    case 'guardrail':
      return present({ input, output, ...guardrailFields(span), ...callFieldsOf(skeleton, span) });
    case 'evaluator':
      return present({ input, output, ...evaluatorFields(span), ...callFieldsOf(skeleton, span) });
    default:
      return present({ input, output, ...callFieldsOf(skeleton, span) });
  }
}

/** Returns the value of a field if it is of the type that the API promises. */
function valueOf(mapping: SpanMapping, field: Field, type: 'boolean' | 'number'): JsonValue {
  const value = mapping.value(field);
  return typeof value === type ? value : null;
}

const guardrailFields = ({ mapping }: OpenSpan): StepJson => ({
  guardrailAction: mapping.text('guardrailAction'),
  guardrailTriggered: valueOf(mapping, 'guardrailTriggered', 'boolean'),
  guardrailType: mapping.text('guardrailType'),
});

const evaluatorFields = ({ mapping }: OpenSpan): StepJson => ({
  evaluatorName: mapping.text('evaluatorName'),
  evaluationScore: valueOf(mapping, 'evaluationScore', 'number'),
  evaluationLabel: mapping.text('evaluationLabel'),
  evaluationExplanation: mapping.text('evaluationExplanation'),
});

/** Returns the fields of a model call for steps of other types that report usage. */
const callFieldsOf = (skeleton: SkeletonSpan, span: OpenSpan): StepJson =>
  hasSums(skeleton) ? callFields(skeleton, span) : {};

function llmFields(
  skeleton: SkeletonSpan,
  span: OpenSpan,
  input: string | null,
  output: string | null,
): StepJson {
  const isOpen = (skeleton.flags & SpanFlag.open) !== 0;
  const { view, mapping } = span;
  const finishReasons = finishReasonsOf(mapping, view)?.value ?? null;
  return {
    event: isOpen ? 'start' : 'end',
    ...(skeleton.flags & SpanFlag.unpaired ? { unpaired: true } : {}),
    input: input ?? '',
    ...present({
      output,
      inputMessages: asJson(messagesOf(mapping, view, 'input')?.value),
      outputMessages: asJson(messagesOf(mapping, view, 'output')?.value),
      tools: mapping.has('toolDefinitions') ? asJson(compose(view, 'toolDefinitions')?.value) : null,
      parameters: mapping.has('parameters') ? asJson(readParameters(view)?.value) : null,
      finishReasons,
      finishReason: asText(Array.isArray(finishReasons) ? (finishReasons[0] ?? null) : finishReasons),
      firstTokenMs: firstTokenOf(skeleton.start, mapping, view)?.value ?? null,
    }),
    ...callFields(skeleton, span),
    modelId: skeleton.model ?? '',
    ...(isOpen ? {} : { usage: usageOf(skeleton) }),
  };
}

/** Builds the fields of a model call. */
function callFields(skeleton: SkeletonSpan, { mapping }: OpenSpan): StepJson {
  return {
    modelId: skeleton.model,
    ...present({
      provider: mapping.text('provider'),
      cost: shownCost(skeleton.cost, (skeleton.flags & SpanFlag.costKnown) !== 0),
    }),
    ...(hasSums(skeleton) ? { usage: usageOf(skeleton) } : {}),
  };
}

/** Returns the tokens of a span or a trace in the form of the API. */
export function usageOf(sums: Readonly<SpanSums>): { [name: string]: JsonValue } {
  return {
    promptTokens: sums.inputTokens,
    completionTokens: sums.outputTokens,
    totalTokens: sums.totalTokens,
    cacheReadTokens: sums.cacheReadTokens,
    cacheWriteTokens: sums.cacheWriteTokens,
    reasoningTokens: sums.reasoningTokens,
  };
}

/** Returns the input or output of a step as text: an object or a list as JSON. */
const contentText = ({ view, mapping }: OpenSpan, side: Side): string | null =>
  asText(contentOf(mapping, view, side)?.value ?? null);

const asText = (value: JsonValue): string | null => (value === null ? null : jsonText(value));

function documentsOf({ view, mapping }: OpenSpan): JsonValue {
  return mapping.has('documents') ? asJson(compose(view, 'documents')?.value) : null;
}

/** Converts records of the service, which always are valid JSON. */
function asJson(value: unknown): JsonValue {
  return (value ?? null) as JsonValue;
}

function present(fields: StepJson): StepJson {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/** Returns the attributes that no rule reads, and the metadata of the sender. */
function stepMetadata(view: SpanView, mapping: SpanMapping): JsonValue {
  const rest: StepJson = Object.create(null) as StepJson;
  for (const key of view.keys()) if (!isMappedKey(key)) rest[key] = view.sent(key) ?? null;
  const own = mapping.metadata();
  if (isObject(own)) Object.assign(rest, own);
  else if (own !== null) rest['metadata'] = own;
  return Object.keys(rest).length === 0 ? null : rest;
}
