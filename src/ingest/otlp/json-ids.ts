import type { JsonWalk } from './json-walk.ts';

export const TRACE_ID_SIZE = 16;
export const SPAN_ID_SIZE = 8;

const NO_BYTES = Buffer.alloc(0);
const idBytes = { 8: Buffer.alloc(SPAN_ID_SIZE), 16: Buffer.alloc(TRACE_ID_SIZE) };

type IdSize = keyof typeof idBytes;

/**
 * Writes an id in hex as bytes. An invalid id still gets its field, so that the decoder can reject this span alone:
 * empty when absent, else its text, in a length that no valid id has.
 */
export function writeId(walk: JsonWalk, field: number, name: string, value: unknown, size: IdSize): void {
  const text = idText(walk, name, value, size);
  walk.out.bytesField(field, text === '' ? NO_BYTES : (hexBytes(text, size) ?? wrongBytes(text, size)));
}

/** Writes an id like `writeId`; a missing or empty id is omitted. */
export function writeOptionalId(
  walk: JsonWalk,
  field: number,
  name: string,
  value: unknown,
  size: IdSize,
): void {
  if (value != null && value !== '') writeId(walk, field, name, value, size);
}

/**
 * Writes an id like `writeId`; an invalid id becomes empty, because a bad link must not cause its span to be
 * rejected.
 */
export function writeLinkId(walk: JsonWalk, field: number, name: string, value: unknown, size: IdSize): void {
  walk.out.bytesField(field, hexBytes(idText(walk, name, value, size), size) ?? NO_BYTES);
}

function idText(walk: JsonWalk, name: string, value: unknown, size: IdSize): string {
  if (typeof value === 'string') return value;
  if (value == null) return '';
  throw walk.expected(name, `a string of ${size * 2} hex digits`, value);
}

/** Returns the bytes of `size * 2` hex digits, valid until the next call; null for any other text. */
function hexBytes(text: string, size: IdSize): Buffer | null {
  if (text.length !== size * 2) return null;
  const bytes = idBytes[size];
  for (let at = 0; at < size; at++) {
    const value = (hexDigit(text.charCodeAt(at * 2)) << 4) | hexDigit(text.charCodeAt(at * 2 + 1));
    if (value < 0) return null;
    bytes[at] = value;
  }
  return bytes;
}

/** Returns the value of a hex digit; negative for any other character. */
function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** Returns the text that `writeId` wrote as these bytes; the hex digits of a valid id are in lower case. */
export function idAsSent(bytes: Buffer, size: IdSize): string {
  if (bytes.length === size) return bytes.toString('hex');
  const isPadded = bytes.length === size + 1 && bytes[size] === 0;
  return bytes.toString('utf8', 0, isPadded ? size : bytes.length);
}

function wrongBytes(text: string, size: IdSize): Buffer {
  const bytes = Buffer.from(text);
  return bytes.length === size ? Buffer.concat([bytes, Buffer.alloc(1)]) : bytes;
}
