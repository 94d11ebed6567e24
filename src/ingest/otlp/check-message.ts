import { KeyValue } from '../../traces/wire/key-value.ts';
import {
  skipUnknown,
  WIRE_BYTES,
  WIRE_FIXED32,
  WIRE_FIXED64,
  WIRE_VARINT,
  WireError,
  WireReader,
  wrongWireType,
} from '../../traces/wire/reader.ts';

import { MAX_FIELDS_AT_ONCE } from '../decode-work.ts';

/** Deepest nesting of values (attributes within attributes); the specification's own default limit is 64. */
export const MAX_VALUE_DEPTH = 128;

/** Most attributes of a span, a log record, a resource, a scope, an event or a link. */
export const MAX_ATTRIBUTES = 20_000;
/** Most pieces of a repeated resource, which are merged, or of an envelope between its members. Senders send one. */
export const MAX_PIECES = 1_024;

/** Wire types of the fields of a message, by field number; attributes are checked too. */
export interface MessageShape {
  attributes: number;
  wireTypes: readonly number[];
}

export const EVENT: MessageShape = {
  attributes: 3,
  wireTypes: [-1, WIRE_FIXED64, WIRE_BYTES, WIRE_BYTES, WIRE_VARINT],
};
export const LINK: MessageShape = {
  attributes: 4,
  wireTypes: [-1, WIRE_BYTES, WIRE_BYTES, WIRE_BYTES, WIRE_BYTES, WIRE_VARINT, WIRE_FIXED32],
};
const RESOURCE: MessageShape = { attributes: 1, wireTypes: [-1, WIRE_BYTES, WIRE_VARINT, WIRE_BYTES] };
const SCOPE: MessageShape = {
  attributes: 3,
  wireTypes: [-1, WIRE_BYTES, WIRE_BYTES, WIRE_BYTES, WIRE_VARINT],
};

/** Checks the message from the reader's position to `end`. Returns false when its values nest too deeply. */
export function checkMessage(reader: WireReader, end: number, shape: MessageShape): boolean {
  const outer = reader.end;
  reader.end = end;
  let fine = true;
  let attributes = 0;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    const expected = shape.wireTypes[tag >>> 3];
    if (expected === undefined) reader.skip(tag);
    else if (expected !== (tag & 7)) throw wrongWireType(tag);
    else if (tag >>> 3 === shape.attributes) {
      if (++attributes > MAX_ATTRIBUTES) throw new WireError(`more than ${MAX_ATTRIBUTES} attributes`);
      const length = reader.length();
      if (!checkKeyValue(reader, reader.pos + length, 1)) fine = false;
    } else reader.skip(tag);
  }
  reader.end = outer;
  return fine;
}

export function checkResource(bytes: Buffer): void {
  if (!checkMessage(limited(bytes), bytes.length, RESOURCE))
    throw new WireError('resource: values nest too deeply');
}

/** Opens a reader of a message whose own fields were not counted before. Throws FieldLimitError. */
function limited(bytes: Buffer): WireReader {
  const reader = new WireReader(bytes);
  reader.fieldsLeft = MAX_FIELDS_AT_ONCE;
  return reader;
}

export function checkScope(bytes: Buffer): void {
  const reader = limited(bytes);
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === ((1 << 3) | WIRE_BYTES)) {
      const length = reader.length();
      if (!checkMessage(reader, reader.pos + length, SCOPE))
        throw new WireError('scope: values nest too deeply');
    } else reader.skip(tag);
  }
}

/** The positions inside nested values are not used. */
const nested = new KeyValue();

const checkKeyValue = (reader: WireReader, end: number, depth: number): boolean =>
  nested.readChecked(reader, end, depth, checkAnyValue);

/**
 * Checks a value and leaves the reader at `end`. Below the depth limit nothing is checked, because the span will be
 * rejected.
 */
export function checkAnyValue(reader: WireReader, end: number, depth: number): boolean {
  if (depth > MAX_VALUE_DEPTH) {
    reader.pos = end;
    return false;
  }
  if (isShortText(reader, end)) {
    reader.pos = end;
    return true;
  }
  const outer = reader.end;
  reader.end = end;
  let fine = true;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    switch (tag) {
      case (5 << 3) | WIRE_BYTES:
      case (6 << 3) | WIRE_BYTES: {
        const length = reader.length();
        if (!checkValues(reader, reader.pos + length, depth + 1, tag >>> 3 === 6)) fine = false;
        break;
      }
      case (1 << 3) | WIRE_BYTES:
      case (2 << 3) | WIRE_VARINT:
      case (3 << 3) | WIRE_VARINT:
      case (4 << 3) | WIRE_FIXED64:
      case (7 << 3) | WIRE_BYTES:
        reader.skip(tag);
        break;
      default:
        skipUnknown(reader, tag, 7);
    }
  }
  reader.end = outer;
  return fine;
}

const TEXT_TAG = (1 << 3) | WIRE_BYTES;

/** Reports whether an AnyValue is one string of less than 128 bytes, as nearly every value is. */
function isShortText({ buffer, pos }: WireReader, end: number): boolean {
  const length = end - pos - 2;
  return length >= 0 && length < 128 && buffer[pos] === TEXT_TAG && buffer[pos + 1] === length;
}

/** Checks the values of an ArrayValue, or the pairs of a KeyValueList. */
function checkValues(reader: WireReader, end: number, depth: number, pairs: boolean): boolean {
  const outer = reader.end;
  reader.end = end;
  let fine = true;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === ((1 << 3) | WIRE_BYTES)) {
      const length = reader.length();
      const next = reader.pos + length;
      if (!(pairs ? checkKeyValue(reader, next, depth) : checkAnyValue(reader, next, depth))) fine = false;
    } else skipUnknown(reader, tag, 1);
  }
  reader.end = outer;
  return fine;
}
