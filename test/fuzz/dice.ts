/** Random choices that are the same for the same seed. */
import { mulberry32 } from '../support/random.ts';

export class Dice {
  private readonly next: () => number;

  constructor(seed: number) {
    this.next = mulberry32(seed);
  }

  /** A whole number from 0 to `count` - 1. */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  /** True once in `count` times. */
  oneIn(count: number): boolean {
    return this.below(count) === 0;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }

  bytes(length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    for (let i = 0; i < length; i++) bytes[i] = this.below(256);
    return bytes;
  }
}

/** The seed of one input, so that it can be made again without those before it. */
export function seedOf(seed: number, kind: string, index: number): number {
  let hash = seed | 0;
  for (const letter of kind) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
  return Math.imul(hash ^ index, 0x9e3779b1) ^ (index >>> 3);
}
