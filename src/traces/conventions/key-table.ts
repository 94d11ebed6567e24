import { fnv1a } from '../fnv.ts';
import { type CompiledRule, rulesFor } from './rule-set.ts';

/** A power of two. */
const SLOTS = 4_096;

interface Slot {
  key: Buffer;
  rules: readonly CompiledRule[];
}

/**
 * Finds the rules of attribute keys in their encoded form. Senders repeat few keys, which are recognised by their
 * bytes without decoding a text. Each slot stores the last key of its hash, so the table never grows.
 */
export class KeyTable {
  private readonly slots: (Slot | undefined)[];
  private readonly find: (key: string) => readonly CompiledRule[];

  /** `find` returns the rules of a key; `slots` is a power of two. */
  constructor(find: (key: string) => readonly CompiledRule[] = rulesFor, slots = SLOTS) {
    this.find = find;
    this.slots = new Array<Slot | undefined>(slots);
  }

  /** Returns the rules for the key at `buffer[start, end)`. */
  rulesAt(buffer: Buffer, start: number, end: number): readonly CompiledRule[] {
    const hash = fnv1a(buffer, start, end);
    const slot = (hash ^ (hash >>> 15)) & (this.slots.length - 1);
    const known = this.slots[slot];
    if (known !== undefined && isSame(known.key, buffer, start, end)) return known.rules;
    const key = buffer.toString('latin1', start, end);
    const rules = this.find(key);
    this.slots[slot] = { key: Buffer.from(key, 'latin1'), rules };
    return rules;
  }
}

function isSame(key: Buffer, buffer: Buffer, start: number, end: number): boolean {
  const length = end - start;
  if (key.length !== length) return false;
  for (let i = 0; i < length; i++) if (key[i] !== buffer[start + i]) return false;
  return true;
}
