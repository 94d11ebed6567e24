import { durationMs, formatNs, statusName, stepType } from './format.ts';
import { isMappedKey, mapSpan, SpanMapping } from './mapping.ts';
import { type SkeletonSpan, SpanFlag } from './span.ts';
import { type Attributes, decodeSpan, type JsonValue } from './span-wire.ts';

const mapping = new SpanMapping();

export type StepJson = Record<string, JsonValue>;

/** One span as a step of its trace, in the words of `POST /v0/ingest`. `bytes` is its Span message. */
export function buildStep(skeleton: SkeletonSpan, bytes: Buffer, traceId: string): StepJson {
  const span = decodeSpan(bytes);
  mapSpan(bytes, mapping);
  const event = mapping.text('event');
  const type = event ?? stepType(skeleton.kind);
  const parentId = mapping.text('stepParentId') ?? skeleton.parentId;
  const group = mapping.text('group');
  const params = mapping.json('params', true);
  const metadata = stepMetadata(span.attributes);
  return {
    type,
    id: mapping.text('stepId') ?? skeleton.id,
    traceId,
    ...(parentId === null ? {} : { parentId }),
    name: span.name,
    timestamp: formatNs(skeleton.start),
    durationMs: durationMs(skeleton.start, skeleton.end),
    status: {
      code: statusName(skeleton.status),
      ...(span.status.message === '' ? {} : { message: span.status.message }),
    },
    ...ownFields(type, skeleton),
    ...(group === null ? {} : { group }),
    ...(params === null ? {} : { params }),
    ...(metadata === null ? {} : { metadata }),
  };
}

/** The input or output of a span, as its sender meant it: structured where it says it is JSON. */
export function spanContent(bytes: Buffer, side: 'input' | 'output'): JsonValue {
  return content(mapSpan(bytes, mapping), side);
}

/** The metadata a span carries for its trace. */
export function spanMetadata(bytes: Buffer): JsonValue {
  return mapSpan(bytes, mapping).json('metadata', true);
}

function ownFields(type: string, skeleton: SkeletonSpan): StepJson {
  const input = content(mapping, 'input');
  const output = content(mapping, 'output');
  switch (type) {
    case 'llm':
      return {
        event: skeleton.flags & SpanFlag.open ? 'start' : 'end',
        ...(skeleton.flags & SpanFlag.unpaired ? { unpaired: true } : {}),
        modelId: skeleton.model,
        ...present({ input, output }),
        ...(skeleton.flags & SpanFlag.open ? {} : { usage: usageOf(skeleton) }),
      };
    case 'tool':
      return present({ toolInput: input, toolOutput: output });
    case 'retriever':
      return present({ query: input, result: output });
    case 'log':
    case 'request':
    case 'response':
      return present({ content: input });
    case 'group':
      return { key: mapping.text('key') ?? skeleton.id, ...present({ input, output }) };
    default:
      return present({ input, output });
  }
}

function usageOf({ inputTokens, outputTokens }: SkeletonSpan): JsonValue {
  return { promptTokens: inputTokens, completionTokens: outputTokens };
}

function content(from: SpanMapping, side: 'input' | 'output'): JsonValue {
  return from.json(side, from.text(`${side}MimeType`) === 'application/json');
}

function present(fields: StepJson): StepJson {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/** Whatever no rule has read, and what the sender calls metadata. */
function stepMetadata(attributes: Attributes): JsonValue {
  const rest: StepJson = Object.create(null) as StepJson;
  for (const [key, value] of Object.entries(attributes)) if (!isMappedKey(key)) rest[key] = value;
  const own = mapping.json('metadata', true);
  if (own !== null && typeof own === 'object' && !Array.isArray(own)) Object.assign(rest, own);
  else if (own !== null) rest['metadata'] = own;
  return Object.keys(rest).length === 0 ? null : rest;
}
