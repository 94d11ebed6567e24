import { contentOf, finishReasonsOf, messagesOf, type Side } from './content.ts';
import { readParameters } from './conventions/parameters.ts';
import { isObject } from './conventions/json.ts';
import { isMappedKey } from './conventions/rule-set.ts';
import { compose } from './conventions/sources.ts';
import type { SpanView } from './conventions/span-view.ts';
import { firstTokenOf } from './first-token.ts';
import { durationMs, formatNs, shownCost, statusName, stepType } from './format.ts';
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
  const message = statusMessage(skeleton, view, mapping);
  return {
    type,
    id: mapping.text('stepId') ?? skeleton.id,
    traceId,
    ...(parentId === null ? {} : { parentId }),
    name: skeleton.name,
    timestamp: formatNs(skeleton.start),
    durationMs: durationMs(skeleton.start, skeleton.end),
    status: { code: statusName(skeleton.status), ...(message === '' ? {} : { message }) },
    ...ownFields(type, skeleton, { view, mapping }),
    ...present({
      group: mapping.text('group'),
      params: mapping.json('params'),
      metadata: stepMetadata(view, mapping),
    }),
  };
}

/** Returns the error that the sender reports: from the status, else from an exception, else the type of the error. */
export function statusMessage(skeleton: SkeletonSpan, view: SpanView, mapping: SpanMapping): string {
  const { message } = decodeStatus(view.bytes);
  if (message !== '' || skeleton.status !== STATUS_ERROR) return message;
  const exception = view.happenings.find(({ name }) => name === 'exception')?.attributes ?? {};
  const said = [exception['exception.message'], exception['exception.type']].find(
    (value) => typeof value === 'string' && value !== '',
  );
  return mapping.text('statusMessage') ?? (said as string | undefined) ?? mapping.text('errorType') ?? '';
}

function ownFields(type: string, skeleton: SkeletonSpan, span: OpenSpan): StepJson {
  const input = contentValue(span, 'input');
  const output = contentValue(span, 'output');
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
      return present({ query: input, result: documentsOf(span) ?? output });
    case 'log':
    case 'request':
    case 'response':
      return present({ content: input });
    case 'group':
      return { key: span.mapping.text('key') ?? skeleton.id, ...present({ input, output }) };
    default:
      return present({ input, output, ...(hasSums(skeleton) ? callFields(skeleton, span) : {}) });
  }
}

function llmFields(skeleton: SkeletonSpan, span: OpenSpan, input: JsonValue, output: JsonValue): StepJson {
  const isOpen = (skeleton.flags & SpanFlag.open) !== 0;
  const { view, mapping } = span;
  return {
    event: isOpen ? 'start' : 'end',
    ...(skeleton.flags & SpanFlag.unpaired ? { unpaired: true } : {}),
    ...present({
      input,
      output,
      inputMessages: asJson(messagesOf(mapping, view, 'input')?.value),
      outputMessages: asJson(messagesOf(mapping, view, 'output')?.value),
      tools: mapping.has('toolDefinitions') ? asJson(compose(view, 'toolDefinitions')?.value) : null,
      parameters: mapping.has('parameters') ? asJson(readParameters(view)?.value) : null,
      finishReasons: finishReasonsOf(mapping, view)?.value ?? null,
      firstTokenMs: firstTokenOf(skeleton.start, mapping, view)?.value ?? null,
    }),
    ...callFields(skeleton, span),
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

function contentValue({ view, mapping }: OpenSpan, side: Side): JsonValue {
  return contentOf(mapping, view, side)?.value ?? null;
}

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
  for (const key of view.keys()) if (!isMappedKey(key)) rest[key] = view.value(key) ?? null;
  const own = mapping.metadata();
  if (isObject(own)) Object.assign(rest, own);
  else if (own !== null) rest['metadata'] = own;
  return Object.keys(rest).length === 0 ? null : rest;
}
