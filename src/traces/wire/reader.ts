/**
 * Protobuf wire format, reading side (https://protobuf.dev/programming-guides/encoding/). Works on a window of one
 * buffer and never copies; callers copy what they keep.
 */
export const WIRE_VARINT = 0;
export const WIRE_FIXED64 = 1;
export const WIRE_BYTES = 2;
const WIRE_GROUP_START = 3;
export const WIRE_GROUP_END = 4;
export const WIRE_FIXED32 = 5;

/** Deepest nesting of groups, which are obsolete; bounds the recursion that a sender can cause. */
const MAX_GROUP_DEPTH = 64;

/** Error of bytes that are not a well-formed protobuf message of the expected type. */
export class WireError extends Error {
  override readonly name = 'WireError';
}

/** Error of a message with more fields than its reader may read. */
export class FieldLimitError extends Error {
  override readonly name = 'FieldLimitError';
}

/** More fields than any body has that the service accepts. */
const NO_LIMIT = 2 ** 30;

/**
 * A cursor over `buffer[pos, end)`. Read a tag with `tag()`, then exactly one value (or `skip`) per tag. Every method
 * throws WireError on truncated or overlong input, and never reads past `end`.
 */
export class WireReader {
  buffer: Buffer;
  pos: number;
  end: number;
  /** Number of further fields that may be read. */
  fieldsLeft = NO_LIMIT;

  constructor(buffer: Buffer, pos = 0, end: number = buffer.length) {
    this.buffer = buffer;
    this.pos = pos;
    this.end = end;
  }

  /** Reads the field number and wire type as `(field << 3) | wireType`; returns 0 at the end of the window. */
  tag(): number {
    if (this.pos >= this.end) return 0;
    if (--this.fieldsLeft < 0) throw new FieldLimitError('too many fields');
    const tag = this.exact32();
    if (tag >>> 3 === 0) throw new WireError('field number 0');
    return tag;
  }

  /** Reads a varint, truncated to 32 unsigned bits as protobuf decoders do for (u)int32, enums and bools. */
  uint32(): number {
    const { buffer, end } = this;
    let pos = this.pos;
    if (pos >= end) throw truncated();
    let byte = buffer[pos++] as number;
    if (byte < 0x80) {
      this.pos = pos;
      return byte;
    }
    let value = byte & 0x7f;
    for (let shift = 7; shift < 70; shift += 7) {
      if (pos >= end) throw truncated();
      byte = buffer[pos++] as number;
      if (shift < 32) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) {
        this.pos = pos;
        return value >>> 0;
      }
    }
    throw new WireError('varint longer than 10 bytes');
  }

  /** Reads a varint as a signed 64-bit integer. */
  int64(): bigint {
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.pos >= this.end) throw truncated();
      const byte = this.buffer[this.pos++] as number;
      const bits = byte & 0x7f;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high |= bits >>> 4;
      } else if (shift < 64) high |= bits << (shift - 32);
      if (byte < 0x80) return (BigInt(high | 0) << 32n) | BigInt(low >>> 0);
    }
    throw new WireError('varint longer than 10 bytes');
  }

  /** Skips 8 bytes and returns their position. */
  fixed64(): number {
    return this.advance(8);
  }

  /** Skips 4 bytes and returns their position. */
  fixed32(): number {
    return this.advance(4);
  }

  /** Reads the length of a length-delimited value, which fits the window; `pos` is then its first byte. */
  length(): number {
    const length = this.exact32();
    if (length > this.end - this.pos) throw truncated();
    return length;
  }

  double(): number {
    return this.buffer.readDoubleLE(this.fixed64());
  }

  string(): string {
    const length = this.length();
    const start = this.pos;
    this.pos += length;
    return this.buffer.toString('utf8', start, this.pos);
  }

  /** Reads a length-delimited value as a view, without a copy. */
  bytes(): Buffer {
    const length = this.length();
    const start = this.pos;
    this.pos += length;
    return this.buffer.subarray(start, this.pos);
  }

  /** Makes a length-delimited value the window; returns the end of the former one, which the caller restores. */
  enter(): number {
    const length = this.length();
    const outer = this.end;
    this.end = this.pos + length;
    return outer;
  }

  /** Skips the value that belongs to `tag`. */
  skip(tag: number, depth = 0): void {
    switch (tag & 7) {
      case WIRE_VARINT:
        this.uint32();
        return;
      case WIRE_FIXED64:
        this.fixed64();
        return;
      case WIRE_BYTES: {
        const length = this.length();
        this.pos += length;
        return;
      }
      case WIRE_GROUP_START:
        this.skipGroup(tag >>> 3, depth);
        return;
      case WIRE_FIXED32:
        this.fixed32();
        return;
      default:
        throw new WireError(`unexpected wire type ${tag & 7}`);
    }
  }

  /** Reads a varint that must not lose bits: truncated tags and lengths would read as other, shorter ones. */
  private exact32(): number {
    const start = this.pos;
    const value = this.uint32();
    const size = this.pos - start;
    if (size > 5 || (size === 5 && (this.buffer[this.pos - 1] as number) > 0x0f)) {
      throw new WireError('tag or length over 32 bits');
    }
    return value;
  }

  private skipGroup(field: number, depth: number): void {
    if (depth >= MAX_GROUP_DEPTH) throw new WireError('groups nested too deeply');
    for (;;) {
      const tag = this.tag();
      if (tag === 0) throw truncated();
      if ((tag & 7) === WIRE_GROUP_END) {
        if (tag >>> 3 !== field) throw new WireError('group ends with another field number');
        return;
      }
      this.skip(tag, depth + 1);
    }
  }

  private advance(size: number): number {
    const start = this.pos;
    if (size > this.end - start) throw truncated();
    this.pos = start + size;
    return start;
  }
}

/** Skips an unknown field; throws for a known one (up to `lastKnown`), which has the wrong wire type here. */
export function skipUnknown(reader: WireReader, tag: number, lastKnown: number): void {
  if (tag >>> 3 <= lastKnown) throw wrongWireType(tag);
  reader.skip(tag);
}

export function wrongWireType(tag: number): WireError {
  return new WireError(`field ${tag >>> 3} has wire type ${tag & 7}`);
}

function truncated(): WireError {
  return new WireError('message is truncated');
}
