import { STATUS_ERROR, STATUS_OK } from '../../traces/span.ts';
import { decodeSpan } from '../../traces/span-wire.ts';
import { WIRE_FIXED64, WIRE_VARINT } from '../../traces/wire/reader.ts';
import type { WireWriter } from '../../traces/wire/writer.ts';
import { type Metadata, readMetadata, writeMetadata } from './metadata.ts';

/** A native span in the form in which events change it. */
export interface SpanDraft {
  parentId: Buffer | null;
  name: string;
  start: bigint;
  end: bigint;
  /** All attributes except the metadata. */
  attributes: Map<string, AttributeValue>;
  metadata: Metadata;
}
export type AttributeValue = string | number | boolean;

/** Order in which attributes are written; others follow by name, so that spans of equal content have equal bytes. */
const ATTRIBUTE_ORDER = [
  'touchstone.event',
  'openinference.span.kind',
  'service.test.id',
  'session.id',
  'gen_ai.request.model',
  'input.value',
  'input.mime_type',
  'output.value',
  'output.mime_type',
  'gen_ai.usage.input_tokens',
  'gen_ai.usage.output_tokens',
  'touchstone.group',
  'touchstone.key',
  'touchstone.params',
  'metadata',
  'touchstone.id',
  'touchstone.parent_id',
  'touchstone.open',
  'touchstone.unpaired',
  'touchstone.order',
  'touchstone.status',
  'touchstone.status_code',
  'touchstone.error',
  'gen_ai.usage.cost',
  'gen_ai.response.finish_reasons',
  'gen_ai.tool.call.id',
  'touchstone.guardrail.action',
  'touchstone.guardrail.triggered',
  'touchstone.guardrail.type',
  'touchstone.evaluator.name',
  'touchstone.evaluation.score',
  'touchstone.evaluation.label',
  'touchstone.evaluation.explanation',
] as const;
const RANKS: ReadonlyMap<string, number> = new Map(ATTRIBUTE_ORDER.map((name, rank) => [name, rank]));
export type AttributeName = (typeof ATTRIBUTE_ORDER)[number];

export function newDraft(): SpanDraft {
  return { parentId: null, name: '', start: 0n, end: 0n, attributes: new Map(), metadata: new Map() };
}

/**
 * Decodes a span; null when it was not made from events. Events replace a span that OpenTelemetry sent; they do not
 * update it.
 */
export function decodeDraft(bytes: Buffer): SpanDraft | null {
  const span = decodeSpan(bytes);
  if (typeof span.attributes['touchstone.event'] !== 'string') return null;
  if (span.events.length + span.links.length > 0) return null;
  const attributes = new Map<string, AttributeValue>();
  for (const [name, value] of Object.entries(span.attributes)) {
    if (value === null || typeof value === 'object') return null;
    attributes.set(name, value);
  }
  const metadata = readMetadata(String(attributes.get('metadata') ?? '{}'));
  if (metadata === null) return null;
  attributes.delete('metadata');
  const { parentSpanId: parentId, name, startTime: start, endTime: end } = span;
  return { parentId, name, start, end, attributes, metadata };
}

/** Writes the draft as an OTLP Span message. */
export function encodeDraft(writer: WireWriter, traceId: Buffer, spanId: Buffer, draft: SpanDraft): Buffer {
  writer.reset();
  writer.bytesField(1, traceId);
  writer.bytesField(2, spanId);
  if (draft.parentId !== null) writer.bytesField(4, draft.parentId);
  writer.stringField(5, draft.name);
  writer.tag(7, WIRE_FIXED64);
  writer.fixed64(draft.start);
  writer.tag(8, WIRE_FIXED64);
  writer.fixed64(draft.end);
  const attributes = [...draft.attributes];
  if (draft.metadata.size > 0) attributes.push(['metadata', writeMetadata(draft.metadata)]);
  for (const [name, value] of attributes.sort(byRank)) {
    const keyValue = writer.begin(9);
    writer.stringField(1, name);
    const anyValue = writer.begin(2);
    writeValue(writer, value);
    writer.end(anyValue);
    writer.end(keyValue);
  }
  writeStatus(writer, draft.attributes);
  return writer.toBuffer();
}

/** Writes the status that follows from the reported one: nothing for a step that reports none. */
function writeStatus(writer: WireWriter, attributes: SpanDraft['attributes']): void {
  const said = attributes.get('touchstone.status');
  const error = attributes.get('touchstone.error');
  const isError = said === 'error' || said === 'timeout' || (error !== undefined && said !== 'success');
  if (!isError && said !== 'success') return;
  const status = writer.begin(15);
  if (error !== undefined) writer.stringField(2, String(error));
  writer.tag(3, WIRE_VARINT);
  writer.varint(isError ? STATUS_ERROR : STATUS_OK);
  writer.end(status);
}

function writeValue(writer: WireWriter, value: AttributeValue): void {
  if (typeof value === 'string') writer.stringField(1, value);
  else if (typeof value === 'boolean') {
    writer.tag(2, WIRE_VARINT);
    writer.varint(value ? 1 : 0);
  } else if (Number.isSafeInteger(value)) {
    writer.tag(3, WIRE_VARINT);
    writer.int64(BigInt(value));
  } else {
    writer.tag(4, WIRE_FIXED64);
    writer.double(value);
  }
}

function byRank([a]: [string, unknown], [b]: [string, unknown]): number {
  const rankA = RANKS.get(a) ?? RANKS.size;
  const rankB = RANKS.get(b) ?? RANKS.size;
  if (rankA !== rankB) return rankA - rankB;
  return a < b ? -1 : 1;
}
