import { WIRE_BYTES, WIRE_FIXED32, WIRE_FIXED64, WIRE_VARINT, WireReader } from '../wire/reader.ts';
import type { MessageType, MessageField, Scalar } from './messages.ts';

const WIRE_TYPE: Readonly<Record<Scalar, number>> = {
  string: WIRE_BYTES,
  hex: WIRE_BYTES,
  base64: WIRE_BYTES,
  bool: WIRE_VARINT,
  uint32: WIRE_VARINT,
  int64: WIRE_VARINT,
  fixed32: WIRE_FIXED32,
  fixed64: WIRE_FIXED64,
  double: WIRE_FIXED64,
};

/**
 * Converts a protobuf message, which was checked on arrival, to JSON as OTLP has it: ids as hexadecimal digits, 64-bit
 * integers as text, enumerations as numbers. Fields that OTLP does not have are left out. Recursion is safe, because the
 * nesting was limited on arrival.
 */
export function toOtlpJson(bytes: Buffer, { fields, isOneOf }: MessageType): string {
  const values = new Map<MessageField, string[]>();
  const parts = new Map<MessageField, Buffer>();
  const reader = new WireReader(bytes);
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    const field = fields[tag >>> 3];
    if (field === undefined || (tag & 7) !== wireTypeOf(field)) {
      reader.skip(tag);
      continue;
    }
    if (isOneOf) {
      values.clear();
      parts.clear();
    }
    const known = values.get(field);
    const value = readValue(reader, field, parts);
    if (known && field.isList) known.push(value);
    else values.set(field, [value]);
  }
  const members = [...values].map(([{ name, isList }, all]) =>
    isList ? `"${name}":[${all.join(',')}]` : `"${name}":${all[0] ?? ''}`,
  );
  return `{${members.join(',')}}`;
}

const wireTypeOf = ({ type }: MessageField): number =>
  typeof type === 'function' ? WIRE_BYTES : WIRE_TYPE[type];

/** Reads a value as JSON. `parts` holds what was read of messages that are no lists: their parts are merged. */
function readValue(reader: WireReader, field: MessageField, parts: Map<MessageField, Buffer>): string {
  if (typeof field.type !== 'function') return READ[field.type](reader);
  const bytes = reader.bytes();
  if (field.isList) return toOtlpJson(bytes, field.type());
  const before = parts.get(field);
  const all = before ? Buffer.concat([before, bytes]) : bytes;
  parts.set(field, all);
  return toOtlpJson(all, field.type());
}

/** Reads a value of each type as JSON. */
const READ: Readonly<Record<Scalar, (reader: WireReader) => string>> = {
  string: (reader) => JSON.stringify(reader.string()),
  hex: (reader) => `"${reader.bytes().toString('hex')}"`,
  base64: (reader) => `"${reader.bytes().toString('base64')}"`,
  bool: (reader) => (reader.uint32() === 0 ? 'false' : 'true'),
  uint32: (reader) => String(reader.uint32()),
  int64: (reader) => `"${reader.int64()}"`,
  fixed32: (reader) => String(reader.buffer.readUInt32LE(reader.fixed32())),
  fixed64: (reader) => `"${reader.buffer.readBigUInt64LE(reader.fixed64())}"`,
  double: (reader) => doubleText(reader.double()),
};

function doubleText(value: number): string {
  if (!Number.isFinite(value)) return `"${value}"`;
  return Object.is(value, -0) ? '-0.0' : String(value);
}
