/** Protobuf wire format, writing side: one growing buffer, nested messages written in place. */
export class WireWriter {
  /** Called with the additional size before the buffer grows; null when its memory is not counted. */
  onGrowth: ((bytes: number) => void) | null = null;
  private buffer: Buffer;
  private pos = 0;

  constructor(size = 4096) {
    this.buffer = Buffer.allocUnsafe(size);
  }

  get length(): number {
    return this.pos;
  }

  /** Clears the buffer, which is used again. */
  reset(): void {
    this.pos = 0;
  }

  /** Removes what was written after the first `length` bytes. */
  rewind(length: number): void {
    this.pos = length;
  }

  /** Returns a view of the written bytes, valid until the next write or reset. */
  view(): Buffer {
    return this.buffer.subarray(0, this.pos);
  }

  /** Returns a copy of the written bytes. */
  toBuffer(): Buffer {
    return Buffer.from(this.view());
  }

  tag(field: number, wireType: number): void {
    this.varint((field << 3) | wireType);
  }

  /** Writes an unsigned integer below 2^53. */
  varint(value: number): void {
    this.reserve(10);
    const { buffer } = this;
    while (value >= 0x80) {
      buffer[this.pos++] = (value % 0x80) | 0x80;
      value = Math.floor(value / 0x80);
    }
    buffer[this.pos++] = value;
  }

  /** Writes a 64-bit integer as a varint; negative numbers take ten bytes, as in protobuf. */
  int64(value: bigint): void {
    let rest = BigInt.asUintN(64, value);
    this.reserve(10);
    while (rest >= 0x80n) {
      this.buffer[this.pos++] = Number(rest & 0x7fn) | 0x80;
      rest >>= 7n;
    }
    this.buffer[this.pos++] = Number(rest);
  }

  fixed64(value: bigint): void {
    this.reserve(8);
    this.buffer.writeBigUInt64LE(BigInt.asUintN(64, value), this.pos);
    this.pos += 8;
  }

  fixed32(value: number): void {
    this.reserve(4);
    this.buffer.writeUInt32LE(value >>> 0, this.pos);
    this.pos += 4;
  }

  double(value: number): void {
    this.reserve(8);
    this.buffer.writeDoubleLE(value, this.pos);
    this.pos += 8;
  }

  /** Writes bytes unchanged, without a length. */
  raw(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.buffer.set(bytes, this.pos);
    this.pos += bytes.length;
  }

  /** Writes a length-delimited field of bytes. */
  bytesField(field: number, bytes: Uint8Array): void {
    this.tag(field, 2);
    this.varint(bytes.length);
    this.raw(bytes);
  }

  /** Writes a length-delimited field of UTF-8 text. */
  stringField(field: number, text: string): void {
    this.tag(field, 2);
    // A UTF-16 unit takes at most three bytes of UTF-8, so short texts are written without measuring first.
    if (text.length < 42) {
      this.reserve(1 + text.length * 3);
      const size = this.buffer.write(text, this.pos + 1);
      this.buffer[this.pos] = size;
      this.pos += size + 1;
      return;
    }
    const size = Buffer.byteLength(text);
    this.varint(size);
    this.reserve(size);
    this.pos += this.buffer.write(text, this.pos);
  }

  /** Begins a nested message; pass the result to `end`. */
  begin(field: number): number {
    this.tag(field, 2);
    this.reserve(1);
    this.pos += 1;
    return this.pos;
  }

  /** Ends the nested message that `begin` opened. Moves it when its length takes more than one byte. */
  end(start: number): void {
    const size = this.pos - start;
    if (size < 0x80) {
      this.buffer[start - 1] = size;
      return;
    }
    const extra = varintSize(size) - 1;
    this.reserve(extra);
    this.buffer.copyWithin(start + extra, start, this.pos);
    const finish = this.pos + extra;
    this.pos = start - 1;
    this.varint(size);
    this.pos = finish;
  }

  private reserve(size: number): void {
    const needed = this.pos + size;
    if (needed <= this.buffer.length) return;
    const capacity = Math.max(needed, this.buffer.length * 2);
    this.onGrowth?.(capacity - this.buffer.length);
    const grown = Buffer.allocUnsafe(capacity);
    this.buffer.copy(grown, 0, 0, this.pos);
    this.buffer = grown;
  }
}

/** Returns the number of bytes of `value` as a varint. */
export function varintSize(value: number): number {
  let size = 1;
  while (value >= 0x80) {
    value = Math.floor(value / 0x80);
    size += 1;
  }
  return size;
}
