/** The output would exceed the limit. It has the code of the same error of Node's zlib. */
class OutputTooLarge extends Error {
  readonly code = 'ERR_BUFFER_TOO_LARGE';
}

/** Collects decompressed bytes up to a limit. */
export class OutputBuffer {
  size = 0;
  private readonly bytes: Buffer;

  constructor(limit: number) {
    // The system provides the memory of pages only when they are written.
    this.bytes = Buffer.allocUnsafeSlow(limit);
  }

  /** Appends bytes of the input. */
  append(input: Buffer, from: number, length: number): void {
    if (length > input.length - from) throw new Error('unexpected end of the data');
    this.reserve(length);
    input.copy(this.bytes, this.size, from, from + length);
    this.size += length;
  }

  /** Appends bytes that begin `distance` bytes before the end; they may overlap the appended ones. */
  repeat(distance: number, length: number): void {
    if (distance === 0 || distance > this.size) throw new Error('a copy begins before the data');
    this.reserve(length);
    const { bytes } = this;
    const from = this.size - distance;
    // Each round copies all bytes that exist, which doubles them.
    for (let left = length; left > 0; ) {
      const count = Math.min(left, this.size - from);
      bytes.copyWithin(this.size, from, from + count);
      this.size += count;
      left -= count;
    }
  }

  /** Throws unless `length` more bytes fit. */
  reserve(length: number): void {
    if (length > this.bytes.length - this.size) throw new OutputTooLarge();
  }

  /** Returns the bytes from an offset to the end. */
  from(offset: number): Buffer {
    return this.bytes.subarray(offset, this.size);
  }
}
