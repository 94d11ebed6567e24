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
 * Reports whether an AnyValue says nothing: it is empty, as senders write null, or a text without characters or of blanks
 * only, which many send for a field that they do not have, or no bytes. Such an attribute counts as absent.
 */
export function isEmptyValue(buffer: Buffer, start: number, end: number): boolean {
  if (end === start) return true;
  // Nearly every value is one text, the length of which shows that nothing follows it.
  const [tag, length, more] = [buffer[start], buffer[start + 1] as number, buffer[start + 2] as number];
  if (tag === TEXT_TAG) {
    if (length < 0x80 && start + 2 + length === end) return isBlank(buffer, start + 2, end);
    if (length >= 0x80 && more < 0x80 && start + 3 + (length & 0x7f) + (more << 7) === end)
      return isBlank(buffer, start + 3, end);
  }
  const reader = new WireReader(buffer, start, end);
  let isNothing = true;
  for (let field = reader.tag(); field !== 0; field = reader.tag()) {
    if (field === TEXT_TAG) {
      const text = reader.bytes();
      isNothing = isBlank(text, 0, text.length);
    } else if (field === BYTES_TAG) isNothing = reader.bytes().length === 0;
    else {
      isNothing &&= field >>> 3 > LAST_VALUE_FIELD;
      reader.skip(field);
    }
  }
  return isNothing;
}

const EMPTY_LISTS = ['\x2a\x00', '\x0a\x02[]'].map((bytes) => Buffer.from(bytes, 'latin1'));

/** Reports whether an AnyValue is an empty list, or the JSON of one. */
export const isEmptyList = (buffer: Buffer, start: number, end: number): boolean =>
  end - start <= 4 && EMPTY_LISTS.some((list) => list.equals(buffer.subarray(start, end)));

const NONE = Buffer.from('\x0a\x04none', 'latin1');

/** Reports whether an AnyValue is the text `none`, which Micrometer writes for values that it does not have. */
export const isNone = (buffer: Buffer, start: number, end: number): boolean =>
  end - start === NONE.length && NONE.equals(buffer.subarray(start, end));

const SPACE = 0x20;
/** Most bytes of a text of other blanks than those of ASCII that are looked at. */
const MAX_OTHER_BLANKS = 64;

/** Reports whether a text has no characters besides blanks. Nearly every text shows at its first byte that it has. */
function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  while (at < end && (bytes[at] as number) <= SPACE) at += 1;
  if (at === end) return true;
  const isOther = (bytes[at] as number) >= 0xc2 && end - at <= MAX_OTHER_BLANKS;
  return isOther && Buffer.from(bytes.subarray(at, end)).toString('utf8').trim() === '';
}
