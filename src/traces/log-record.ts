import { type Attributes, decodeAnyValue, type JsonValue, newAttributes, readKeyValue } from './span-wire.ts';
import { WIRE_BYTES, WIRE_FIXED64, WIRE_VARINT, WireReader } from './wire/reader.ts';

/** Fields of an OTLP LogRecord (opentelemetry-proto logs/v1) that describe a span. */
export interface LogRecordMessage {
  traceId: Buffer;
  spanId: Buffer;
  /** Time of the event, else of its observation, in Unix nanoseconds; 0 when neither was sent. */
  time: bigint;
  /** Name of the event from its field, else from the attribute that older senders set; '' when neither was sent. */
  eventName: string;
  /** Severity as its sender names it, else by its number: `WARN`; '' when neither was sent. */
  severity: string;
  /** Body; null when none was sent. */
  body: JsonValue;
  attributes: Attributes;
}

/** Attribute with the name of the event, before records had a field for it. */
const EVENT_NAME_ATTRIBUTE = 'event.name';

/** Names of the ranges of four severity numbers each, from 1. */
const SEVERITIES = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'] as const;

const NO_BYTES = Buffer.alloc(0);

/** Decodes a record that was checked on arrival. */
export function decodeLogRecord(bytes: Buffer): LogRecordMessage {
  const record: LogRecordMessage = {
    traceId: NO_BYTES,
    spanId: NO_BYTES,
    time: 0n,
    eventName: '',
    severity: '',
    body: null,
    attributes: newAttributes(),
  };
  let observed = 0n;
  let severityNumber = 0;
  const reader = new WireReader(bytes);
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    switch (tag) {
      case (1 << 3) | WIRE_FIXED64:
        record.time = bytes.readBigUInt64LE(reader.fixed64());
        break;
      case (2 << 3) | WIRE_VARINT:
        severityNumber = reader.uint32();
        break;
      case (3 << 3) | WIRE_BYTES:
        record.severity = reader.string();
        break;
      case (5 << 3) | WIRE_BYTES:
        record.body = decodeAnyValue(reader.bytes());
        break;
      case (6 << 3) | WIRE_BYTES:
        readKeyValue(reader.bytes(), record.attributes);
        break;
      case (9 << 3) | WIRE_BYTES:
        record.traceId = reader.bytes();
        break;
      case (10 << 3) | WIRE_BYTES:
        record.spanId = reader.bytes();
        break;
      case (11 << 3) | WIRE_FIXED64:
        observed = bytes.readBigUInt64LE(reader.fixed64());
        break;
      case (12 << 3) | WIRE_BYTES:
        record.eventName = reader.string();
        break;
      default:
        reader.skip(tag);
    }
  }
  record.severity ||= SEVERITIES[Math.ceil(severityNumber / 4) - 1] ?? '';
  if (record.time === 0n) record.time = observed;
  if (record.eventName === '') record.eventName = textOf(record.attributes[EVENT_NAME_ATTRIBUTE]);
  return record;
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
