import { randomInt } from 'node:crypto';

/** Differs from process to process, so that no sender can choose ids that collide. */
const SEED = randomInt(2 ** 32);

/** Finds rows by span ids, which are given in two halves. An open-addressing hash table: no string for each id. */
export class RowOfId {
  private readonly high: Uint32Array;
  private readonly low: Uint32Array;
  /** 1 + row; 0 = free. */
  private readonly slots: Uint32Array;
  private readonly mask: number;

  /** `high` and `low` are the ids of all rows; `count` is how many of them are added at most. */
  constructor(high: Uint32Array, low: Uint32Array, count: number) {
    this.high = high;
    this.low = low;
    const size = 2 ** Math.ceil(Math.log2(count * 2 + 2));
    this.slots = new Uint32Array(size);
    this.mask = size - 1;
  }

  /** Adds a row, unless there is one with its id, which it returns; else -1. */
  add(row: number): number {
    const slot = this.slotOf(this.high[row] as number, this.low[row] as number);
    const found = this.slots[slot] as number;
    if (found === 0) this.slots[slot] = row + 1;
    return found - 1;
  }

  /** Returns the row of an id, or -1. */
  find(high: number, low: number): number {
    return (this.slots[this.slotOf(high, low)] as number) - 1;
  }

  /** Returns the slot of an id, or the free slot where it belongs. */
  private slotOf(high: number, low: number): number {
    let slot = hash(high, low) & this.mask;
    for (;;) {
      const row = (this.slots[slot] as number) - 1;
      if (row < 0 || (this.high[row] === high && this.low[row] === low)) return slot;
      slot = (slot + 1) & this.mask;
    }
  }
}

/** Mixes both halves by the steps of MurmurHash3. */
function hash(high: number, low: number): number {
  return mix(mix(high ^ SEED) ^ low);
}

function mix(value: number): number {
  let h = value ^ (value >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
