import { AppError } from '../errors.ts';

/** Returns the error for a request that needs memory while none is free. */
export const noMemory = (): AppError =>
  new AppError('unavailable', 'no memory is free for this request at the moment; retry later');

/**
 * Count of charged bytes that all threads share. `tryCharge` never exceeds the limit, even when threads charge at the
 * same time, and fails only when the budget is really exhausted.
 */
export class MemoryBudget {
  readonly buffer: SharedArrayBuffer;
  readonly limit: number;
  private readonly cell: Int32Array<SharedArrayBuffer>;

  /** Creates a budget; `limit` is at most 1 GiB, so that forced charges fit into 32 bits. */
  constructor(limit: number, buffer: SharedArrayBuffer = new SharedArrayBuffer(4)) {
    if (!Number.isInteger(limit) || limit < 1 || limit > 2 ** 30) {
      throw new RangeError(`a memory budget must have between 1 byte and 1 GiB; got ${limit} bytes`);
    }
    this.limit = limit;
    this.buffer = buffer;
    this.cell = new Int32Array(buffer);
  }

  /** Opens the same budget in another thread. */
  static over(buffer: SharedArrayBuffer, limit: number): MemoryBudget {
    return new MemoryBudget(limit, buffer);
  }

  get used(): number {
    return Atomics.load(this.cell, 0);
  }

  tryCharge(bytes: number): boolean {
    checkSize(bytes);
    for (;;) {
      const used = this.used;
      if (used + bytes > this.limit) return false;
      if (Atomics.compareExchange(this.cell, 0, used, used + bytes) === used) return true;
    }
  }

  /** Charges bytes that already exist, even above the limit. */
  force(bytes: number): void {
    checkSize(bytes);
    Atomics.add(this.cell, 0, bytes);
  }

  /** Releases charged bytes, in one call or several. */
  release(bytes: number): void {
    checkSize(bytes);
    if (Atomics.sub(this.cell, 0, bytes) < bytes) {
      Atomics.add(this.cell, 0, bytes);
      throw new Error(`released ${bytes} bytes, more than were charged`);
    }
  }
}

function checkSize(bytes: number): void {
  if (!Number.isInteger(bytes) || bytes < 0 || bytes > 2 ** 30)
    throw new RangeError(`a charge of ${bytes} bytes`);
}
