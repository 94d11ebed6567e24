/** Checksums of compressed formats that Node's zlib does not have. */
import { inOneTurn, type Steps, Turn } from '../runtime/steps.ts';

const CRC32C_POLYNOMIAL = 0x82f63b78;
const CRC32C_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ CRC32C_POLYNOMIAL : value >>> 1;
  return value;
});

/** Returns the CRC-32C of bytes (RFC 3720, appendix B.4). */
export function crc32c(bytes: Uint8Array): number {
  let crc = 0xffff_ffff;
  for (const byte of bytes) crc = (CRC32C_TABLE[(crc ^ byte) & 0xff] as number) ^ (crc >>> 8);
  return (crc ^ 0xffff_ffff) >>> 0;
}

const [PRIME_1, PRIME_2, PRIME_3, PRIME_4, PRIME_5] = [
  0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f, 0x165667b1,
] as const;

const rotate = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits));
const round = (lane: number, input: number): number =>
  Math.imul(rotate((lane + Math.imul(input, PRIME_2)) | 0, 13), PRIME_1);

/** Returns the xxHash-32 of bytes with seed 0 (github.com/Cyan4973/xxHash, doc/xxhash_spec.md). */
export const xxh32 = (bytes: Buffer): number => inOneTurn(xxh32Steps(bytes, new Turn()));

/** Bytes after which the clock is read. */
const BYTES_A_LOOK = 1024 * 1024;

/** Computes `xxh32` in steps. */
export function* xxh32Steps(bytes: Buffer, turn: Turn): Steps<number> {
  let at = 0;
  let hash: number;
  if (bytes.length >= 16) {
    let [a, b, c, d] = [(PRIME_1 + PRIME_2) | 0, PRIME_2 | 0, 0, -PRIME_1 | 0];
    for (; at + 16 <= bytes.length; at += 16) {
      if (at % BYTES_A_LOOK === 0 && turn.isOver()) yield* turn.pause();
      a = round(a, bytes.readInt32LE(at));
      b = round(b, bytes.readInt32LE(at + 4));
      c = round(c, bytes.readInt32LE(at + 8));
      d = round(d, bytes.readInt32LE(at + 12));
    }
    hash = rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18);
  } else {
    hash = PRIME_5;
  }
  hash = (hash + bytes.length) | 0;
  for (; at + 4 <= bytes.length; at += 4) {
    hash = Math.imul(rotate((hash + Math.imul(bytes.readInt32LE(at), PRIME_3)) | 0, 17), PRIME_4);
  }
  for (; at < bytes.length; at++) {
    hash = Math.imul(rotate((hash + Math.imul(bytes[at] as number, PRIME_5)) | 0, 11), PRIME_1);
  }
  hash = Math.imul(hash ^ (hash >>> 15), PRIME_2);
  hash = Math.imul(hash ^ (hash >>> 13), PRIME_3);
  return (hash ^ (hash >>> 16)) >>> 0;
}
