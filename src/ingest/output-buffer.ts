import { releaseMemory } from '../runtime/release-memory.ts';

/** The output would exceed the limit. */
export class OutputTooLarge extends Error {}

/** Memory of an output, which is taken before it is allocated. */
interface OutputMemory {
  take: (bytes: number) => void;
  giveBack: (bytes: number) => void;
}

/** Collects decompressed bytes up to a limit. */
export class OutputBuffer {
  size = 0;
  private bytes: Buffer;
  private readonly limit: number;
  private readonly memory: OutputMemory;

  /** `guess` is the first capacity; a longer output moves to buffers of twice the size, up to the limit. */
  constructor(guess: number, limit: number, memory: OutputMemory) {
    memory.take(guess);
    this.limit = limit;
    this.memory = memory;
    // The system provides the memory of pages only when they are written.
    this.bytes = Buffer.allocUnsafeSlow(guess);
  }

  /** Number of bytes up to the limit. */
  get left(): number {
    return this.limit - this.size;
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

  /** Makes space for `length` more bytes. Throws OutputTooLarge over the limit, and the errors of the memory. */
  reserve(length: number): void {
    if (length <= this.bytes.length - this.size) return;
    if (length > this.left) throw new OutputTooLarge();
    const capacity = Math.min(this.limit, Math.max(2 * this.bytes.length, this.size + length));
    this.memory.take(capacity);
    const before = this.bytes;
    const capacityBefore = before.length;
    this.bytes = Buffer.allocUnsafeSlow(capacity);
    before.copy(this.bytes, 0, 0, this.size);
    releaseMemory([before]);
    this.memory.giveBack(capacityBefore);
  }

  /** Returns unused space behind the output, of at most `most` bytes; see `advance`. */
  free(most: number): Buffer {
    if (this.size === this.limit) return Buffer.allocUnsafe(1);
    this.reserve(1);
    return this.bytes.subarray(this.size, this.size + most);
  }

  /** Appends the bytes that were written into the space that `free` returned. Throws OutputTooLarge over the limit. */
  advance(length: number): void {
    if (length > this.left) throw new OutputTooLarge();
    this.size += length;
  }

  /** Returns the bytes from an offset to the end. */
  from(offset: number): Buffer {
    return this.bytes.subarray(offset, this.size);
  }

  /** Ends the output, and gives back the memory that it does not use. */
  finish(): Buffer {
    this.memory.giveBack(this.bytes.length - this.size);
    return this.from(0);
  }

  /** Gives back all memory. */
  discard(): void {
    const { length } = this.bytes;
    releaseMemory([this.bytes]);
    this.memory.giveBack(length);
  }
}
