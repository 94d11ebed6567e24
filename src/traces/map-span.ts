import type { SpanMapping } from './mapping.ts';
import type { OwnMappings } from './own-rules/own-mappings.ts';
import { type Attributes, decodeEvent } from './span-wire.ts';
import { KeyValue } from './wire/key-value.ts';
import { WIRE_BYTES, WireReader } from './wire/reader.ts';

/** Longest name of an event that is looked up. */
const MAX_NAME = 255;

/**
 * Passes the attributes and events of one Span message, and the log records that refer to it, to `into`; returns
 * `into`. `own` are rules of the application.
 */
export function mapSpan(
  bytes: Buffer,
  into: SpanMapping,
  logs: readonly { eventName: string; attributes?: Attributes }[] = [],
  own: OwnMappings | null = null,
): SpanMapping {
  into.reset(bytes, own);
  for (const { eventName: name, attributes = {} } of logs) into.event(name, () => attributes);
  const reader = new WireReader(bytes);
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === ((9 << 3) | WIRE_BYTES)) mapAttribute(reader, into);
    else if (tag === ((11 << 3) | WIRE_BYTES)) mapEvent(reader.bytes(), into);
    else reader.skip(tag);
  }
  return into;
}

/** Shared by the thread, because mappings never overlap. */
const keyValue = new KeyValue();

function mapAttribute(reader: WireReader, into: SpanMapping): void {
  const length = reader.length();
  keyValue.read(reader, reader.pos + length);
  into.attribute(keyValue.keyStart, keyValue.keyEnd, keyValue.valueStart, keyValue.valueEnd);
}

/** Passes a Span.Event message to `into`; its attributes are decoded only if a rule needs them. */
export function mapEvent(event: Buffer, into: SpanMapping): void {
  into.event(eventName(event), () => decodeEvent(event).attributes);
}

/** Returns the name of a Span.Event message; '' when it has none, or one longer than in any rule. */
function eventName(event: Buffer): string {
  let name = '';
  const reader = new WireReader(event);
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === ((2 << 3) | WIRE_BYTES)) name = reader.string();
    else reader.skip(tag);
  }
  return name.length > MAX_NAME ? '' : name;
}
