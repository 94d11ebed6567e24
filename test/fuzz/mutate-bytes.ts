import type { Dice } from './dice.ts';

const HUGE_VARINT = Buffer.from('ffffffffffffffffff01', 'hex');
const OVERLONG_VARINT = Buffer.from('ffffffffffffffffffffffff7f', 'hex');
const MAX_BYTES = 256 * 1024;

/** Length-delimited fields within each other, each as long as its content. */
function nested(levels: number, field: number): Buffer {
  let bytes = Buffer.alloc(0);
  for (let i = 0; i < levels && bytes.length < MAX_BYTES; i++) {
    const length: number[] = [];
    for (let left = bytes.length; ; left >>>= 7) {
      if (left < 128) {
        length.push(left);
        break;
      }
      length.push((left & 0x7f) | 0x80);
    }
    bytes = Buffer.concat([Buffer.from([(field << 3) | 2, ...length]), bytes]);
  }
  return bytes;
}

type Mutation = (bytes: Buffer, dice: Dice, other: Buffer) => Buffer;

const insert = (bytes: Buffer, at: number, more: Uint8Array): Buffer =>
  Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at)]);
const place = (bytes: Buffer, dice: Dice): number => dice.below(bytes.length + 1);

const MUTATIONS: readonly Mutation[] = [
  (bytes, dice) => {
    const copy = Buffer.from(bytes);
    if (copy.length > 0) copy[dice.below(copy.length)]! ^= 1 << dice.below(8);
    return copy;
  },
  (bytes, dice) => {
    const copy = Buffer.from(bytes);
    if (copy.length > 0) copy[dice.below(copy.length)] = dice.pick([0, 1, 0x7f, 0x80, 0xff, dice.below(256)]);
    return copy;
  },
  // Another wire type, where the byte is a tag.
  (bytes, dice) => {
    const copy = Buffer.from(bytes);
    const at = dice.below(Math.max(1, copy.length));
    if (copy.length > 0) copy[at] = ((copy[at] as number) & 0xf8) | dice.below(8);
    return copy;
  },
  (bytes, dice) => bytes.subarray(0, place(bytes, dice)),
  (bytes, dice) => insert(bytes, place(bytes, dice), dice.bytes(1 + dice.below(12))),
  (bytes, dice) => insert(bytes, place(bytes, dice), HUGE_VARINT),
  (bytes, dice) => insert(bytes, place(bytes, dice), OVERLONG_VARINT),
  (bytes, dice) => insert(bytes, place(bytes, dice), nested(1 + dice.below(400), 1 + dice.below(12))),
  (bytes, dice) => {
    const from = place(bytes, dice);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + 1 + dice.below(16))]);
  },
  (bytes, dice) => {
    const from = place(bytes, dice);
    const part = bytes.subarray(from, from + dice.below(200));
    return insert(bytes, place(bytes, dice), part);
  },
  (bytes, dice, other) =>
    Buffer.concat([bytes.subarray(0, place(bytes, dice)), other.subarray(place(other, dice))]),
  (bytes, _dice, other) => Buffer.concat([bytes, other]),
];

/** A message with some bytes changed: none at times, at times nothing but random ones. */
export function mutateBytes(dice: Dice, pool: readonly Buffer[]): Buffer {
  if (dice.oneIn(40)) return dice.bytes(dice.below(300));
  let bytes = dice.pick(pool);
  for (let left = dice.pick([0, 1, 1, 1, 2, 3, 6]); left > 0 && bytes.length < MAX_BYTES; left--) {
    bytes = dice.pick(MUTATIONS)(bytes, dice, dice.pick(pool));
  }
  return bytes;
}
