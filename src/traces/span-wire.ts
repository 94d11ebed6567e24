import { KeyValue } from './wire/key-value.ts';
import { WIRE_BYTES, WIRE_FIXED32, WIRE_FIXED64, WIRE_VARINT, WireReader } from './wire/reader.ts';

/**
 * The OTLP Span message (opentelemetry-proto trace/v1) as plain values, for reading one span. Ingest does not use it;
 * it reads the encoded bytes (ingest/otlp/scan.ts).
 */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };
export type Attributes = Record<string, JsonValue>;

export interface SpanMessage {
  traceId: Buffer;
  spanId: Buffer;
  parentSpanId: Buffer | null;
  traceState: string;
  name: string;
  /** OpenTelemetry's SpanKind; unknown numbers are kept. */
  kind: number;
  /** Start as sent, in Unix nanoseconds; 0 when missing. */
  startTime: bigint;
  endTime: bigint;
  attributes: Attributes;
  droppedAttributesCount: number;
  events: SpanEvent[];
  droppedEventsCount: number;
  links: SpanLink[];
  droppedLinksCount: number;
  status: { code: number; message: string };
  flags: number;
}

export interface SpanEvent {
  time: bigint;
  name: string;
  attributes: Attributes;
  droppedAttributesCount: number;
}

export interface SpanLink {
  traceId: Buffer;
  spanId: Buffer;
  traceState: string;
  attributes: Attributes;
  droppedAttributesCount: number;
  flags: number;
}

export interface ScopeMessage {
  name: string;
  version: string;
  attributes: Attributes;
  droppedAttributesCount: number;
}

export interface ResourceMessage {
  attributes: Attributes;
  droppedAttributesCount: number;
}

const NO_BYTES = Buffer.alloc(0);

/** Returns a span with the defaults of protobuf. */
const newSpan = (): SpanMessage => ({
  traceId: NO_BYTES,
  spanId: NO_BYTES,
  parentSpanId: null,
  traceState: '',
  name: '',
  kind: 0,
  startTime: 0n,
  endTime: 0n,
  attributes: newAttributes(),
  droppedAttributesCount: 0,
  events: [],
  droppedEventsCount: 0,
  links: [],
  droppedLinksCount: 0,
  status: { code: 0, message: '' },
  flags: 0,
});

export function decodeSpan(bytes: Buffer): SpanMessage {
  const span = newSpan();
  const reader = new WireReader(bytes);
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    switch (tag) {
      case (1 << 3) | WIRE_BYTES:
        span.traceId = reader.bytes();
        break;
      case (2 << 3) | WIRE_BYTES:
        span.spanId = reader.bytes();
        break;
      case (3 << 3) | WIRE_BYTES:
        span.traceState = reader.string();
        break;
      case (4 << 3) | WIRE_BYTES:
        span.parentSpanId = idOrNull(reader.bytes());
        break;
      case (5 << 3) | WIRE_BYTES:
        span.name = reader.string();
        break;
      case (6 << 3) | WIRE_VARINT:
        span.kind = reader.uint32();
        break;
      case (7 << 3) | WIRE_FIXED64:
        span.startTime = bytes.readBigUInt64LE(reader.fixed64());
        break;
      case (8 << 3) | WIRE_FIXED64:
        span.endTime = bytes.readBigUInt64LE(reader.fixed64());
        break;
      case (9 << 3) | WIRE_BYTES:
        readKeyValue(reader.bytes(), span.attributes);
        break;
      case (10 << 3) | WIRE_VARINT:
        span.droppedAttributesCount = reader.uint32();
        break;
      case (11 << 3) | WIRE_BYTES:
        span.events.push(decodeEvent(reader.bytes()));
        break;
      case (12 << 3) | WIRE_VARINT:
        span.droppedEventsCount = reader.uint32();
        break;
      case (13 << 3) | WIRE_BYTES:
        span.links.push(decodeLink(reader.bytes()));
        break;
      case (14 << 3) | WIRE_VARINT:
        span.droppedLinksCount = reader.uint32();
        break;
      case (15 << 3) | WIRE_BYTES:
        readStatus(reader.bytes(), span.status);
        break;
      case (16 << 3) | WIRE_FIXED32:
        span.flags = bytes.readUInt32LE(reader.fixed32());
        break;
      default:
        reader.skip(tag);
    }
  }
  return span;
}

export function decodeScope(bytes: Buffer): ScopeMessage {
  const scope: ScopeMessage = {
    name: '',
    version: '',
    attributes: newAttributes(),
    droppedAttributesCount: 0,
  };
  const reader = new WireReader(bytes);
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === ((1 << 3) | WIRE_BYTES)) scope.name = reader.string();
    else if (tag === ((2 << 3) | WIRE_BYTES)) scope.version = reader.string();
    else if (tag === ((3 << 3) | WIRE_BYTES)) readKeyValue(reader.bytes(), scope.attributes);
    else if (tag === ((4 << 3) | WIRE_VARINT)) scope.droppedAttributesCount = reader.uint32();
    else reader.skip(tag);
  }
  return scope;
}

export function decodeResource(bytes: Buffer): ResourceMessage {
  const resource: ResourceMessage = { attributes: newAttributes(), droppedAttributesCount: 0 };
  const reader = new WireReader(bytes);
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === ((1 << 3) | WIRE_BYTES)) readKeyValue(reader.bytes(), resource.attributes);
    else if (tag === ((2 << 3) | WIRE_VARINT)) resource.droppedAttributesCount = reader.uint32();
    else reader.skip(tag);
  }
  return resource;
}

/** Decodes only the status of a Span message. */
export function decodeStatus(span: Buffer): { code: number; message: string } {
  const status = { code: 0, message: '' };
  const reader = new WireReader(span);
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === ((15 << 3) | WIRE_BYTES)) readStatus(reader.bytes(), status);
    else reader.skip(tag);
  }
  return status;
}

/** Decodes only the events of a Span message. */
export function decodeEvents(span: Buffer): SpanEvent[] {
  const events: SpanEvent[] = [];
  const reader = new WireReader(span);
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === ((11 << 3) | WIRE_BYTES)) events.push(decodeEvent(reader.bytes()));
    else reader.skip(tag);
  }
  return events;
}

/** Decodes an Event message. */
export function decodeEvent(bytes: Buffer): SpanEvent {
  const event: SpanEvent = { time: 0n, name: '', attributes: newAttributes(), droppedAttributesCount: 0 };
  const reader = new WireReader(bytes);
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === ((1 << 3) | WIRE_FIXED64)) event.time = bytes.readBigUInt64LE(reader.fixed64());
    else if (tag === ((2 << 3) | WIRE_BYTES)) event.name = reader.string();
    else if (tag === ((3 << 3) | WIRE_BYTES)) readKeyValue(reader.bytes(), event.attributes);
    else if (tag === ((4 << 3) | WIRE_VARINT)) event.droppedAttributesCount = reader.uint32();
    else reader.skip(tag);
  }
  return event;
}

function decodeLink(bytes: Buffer): SpanLink {
  const link: SpanLink = {
    traceId: NO_BYTES,
    spanId: NO_BYTES,
    traceState: '',
    attributes: newAttributes(),
    droppedAttributesCount: 0,
    flags: 0,
  };
  const reader = new WireReader(bytes);
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === ((1 << 3) | WIRE_BYTES)) link.traceId = reader.bytes();
    else if (tag === ((2 << 3) | WIRE_BYTES)) link.spanId = reader.bytes();
    else if (tag === ((3 << 3) | WIRE_BYTES)) link.traceState = reader.string();
    else if (tag === ((4 << 3) | WIRE_BYTES)) readKeyValue(reader.bytes(), link.attributes);
    else if (tag === ((5 << 3) | WIRE_VARINT)) link.droppedAttributesCount = reader.uint32();
    else if (tag === ((6 << 3) | WIRE_FIXED32)) link.flags = bytes.readUInt32LE(reader.fixed32());
    else reader.skip(tag);
  }
  return link;
}

function readStatus(bytes: Buffer, status: SpanMessage['status']): void {
  const reader = new WireReader(bytes);
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === ((2 << 3) | WIRE_BYTES)) status.message = reader.string();
    else if (tag === ((3 << 3) | WIRE_VARINT)) status.code = reader.uint32();
    else reader.skip(tag);
  }
}

/** Adds one KeyValue to `attributes`; of a repeated key the last one counts. */
export function readKeyValue(bytes: Buffer, attributes: Attributes): void {
  const keyValue = new KeyValue();
  keyValue.read(new WireReader(bytes), bytes.length);
  const { keyStart, keyEnd, valueStart, valueEnd } = keyValue;
  attributes[bytes.toString('utf8', keyStart, keyEnd)] = decodeAnyValue(bytes.subarray(valueStart, valueEnd));
}

/**
 * Converts an AnyValue to JSON. Values that JSON cannot represent become text: integers beyond ±(2^53−1) as decimal
 * digits, NaN and the infinities by name, bytes in base64. An empty value is null. Recursion is safe, because the
 * nesting was limited on arrival.
 */
export function decodeAnyValue(bytes: Buffer): JsonValue {
  let value: JsonValue = null;
  const reader = new WireReader(bytes);
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    switch (tag) {
      case (1 << 3) | WIRE_BYTES:
        value = reader.string();
        break;
      case (2 << 3) | WIRE_VARINT:
        value = reader.uint32() !== 0;
        break;
      case (3 << 3) | WIRE_VARINT:
        value = integer(reader.int64());
        break;
      case (4 << 3) | WIRE_FIXED64:
        value = double(bytes.readDoubleLE(reader.fixed64()));
        break;
      case (5 << 3) | WIRE_BYTES:
        value = decodeArray(reader.bytes());
        break;
      case (6 << 3) | WIRE_BYTES:
        value = decodeKeyValueList(reader.bytes());
        break;
      case (7 << 3) | WIRE_BYTES:
        value = reader.bytes().toString('base64');
        break;
      default:
        reader.skip(tag);
    }
  }
  return value;
}

function decodeArray(bytes: Buffer): JsonValue[] {
  const values: JsonValue[] = [];
  const reader = new WireReader(bytes);
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === ((1 << 3) | WIRE_BYTES)) values.push(decodeAnyValue(reader.bytes()));
    else reader.skip(tag);
  }
  return values;
}

function decodeKeyValueList(bytes: Buffer): Attributes {
  const values = newAttributes();
  const reader = new WireReader(bytes);
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === ((1 << 3) | WIRE_BYTES)) readKeyValue(reader.bytes(), values);
    else reader.skip(tag);
  }
  return values;
}

function integer(value: bigint): JsonValue {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}

function double(value: number): JsonValue {
  return Number.isFinite(value) ? value : String(value);
}

/** Creates attributes without a prototype, because one may be named `__proto__`. */
export function newAttributes(): Attributes {
  return Object.create(null) as Attributes;
}

/** Returns the id of the parent; null when it is empty or all zero. */
function idOrNull(id: Buffer): Buffer | null {
  return id.every((byte) => byte === 0) ? null : id;
}
