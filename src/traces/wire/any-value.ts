import { WIRE_BYTES, WIRE_FIXED64, WIRE_VARINT, WireReader } from './reader.ts';

const TEXT_TAG = (1 << 3) | WIRE_BYTES;
const BYTES_TAG = (7 << 3) | WIRE_BYTES;
/** Number of the field `bytes_value`, the last one of an AnyValue. */
const LAST_VALUE_FIELD = 7;

/** Returns the text of an AnyValue that is a string; null for any other. The bytes were checked on arrival. */
export function textOfValue(buffer: Buffer, start: number, end: number): string | null {
  const reader = new WireReader(buffer, start, end);
  if (reader.tag() !== TEXT_TAG) return null;
  const text = reader.string();
  return reader.pos === end ? text : null;
}

/** Returns the number of an AnyValue, or that its text is; 0 for any other. */
export function numberOfValue(buffer: Buffer, start: number, end: number): number {
  const reader = new WireReader(buffer, start, end);
  let number = 0;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === ((3 << 3) | WIRE_VARINT)) number = Number(reader.int64());
    else if (tag === ((4 << 3) | WIRE_FIXED64)) number = reader.double();
    else if (tag === TEXT_TAG) number = Number(reader.string().trim() || Number.NaN);
    else {
      reader.skip(tag);
      if (tag >>> 3 <= LAST_VALUE_FIELD) number = 0;
    }
  }
  return Number.isFinite(number) ? number : 0;
}

/**
 * Reports whether an AnyValue says nothing: it is empty, as senders write null, or a text without characters, which many
 * send for a field that they do not have, or no bytes. Such an attribute counts as absent.
 */
export function isEmptyValue(buffer: Buffer, start: number, end: number): boolean {
  if (end === start) return true;
  // Nearly every value is one text, the length of which shows that nothing follows it.
  const [tag, length, more] = [buffer[start], buffer[start + 1] as number, buffer[start + 2] as number];
  if (tag === TEXT_TAG) {
    if (length < 0x80 && start + 2 + length === end) return length === 0;
    if (length >= 0x80 && more < 0x80 && start + 3 + (length & 0x7f) + (more << 7) === end)
      return length === 0x80 && more === 0;
  }
  const reader = new WireReader(buffer, start, end);
  let isNothing = true;
  for (let field = reader.tag(); field !== 0; field = reader.tag()) {
    if (field === TEXT_TAG || field === BYTES_TAG) isNothing = reader.bytes().length === 0;
    else {
      isNothing &&= field >>> 3 > LAST_VALUE_FIELD;
      reader.skip(field);
    }
  }
  return isNothing;
}
