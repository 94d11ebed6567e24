import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Codec of stored bytes, in their first byte (0 = plain, 1 = zstd); the content follows. */
const PLAIN = 0;
const ZSTD = 1;
/** Size below which compression saves less than it costs. */
const MIN_COMPRESSED = 4096;

export function pack(plain: Uint8Array): Buffer {
  const packed = plain.length < MIN_COMPRESSED ? plain : compress(plain);
  const isSmaller = packed.length < plain.length;
  const out = Buffer.allocUnsafe(1 + (isSmaller ? packed.length : plain.length));
  out[0] = isSmaller ? ZSTD : PLAIN;
  out.set(isSmaller ? packed : plain, 1);
  return out;
}

export function unpack(packed: Buffer): Buffer {
  const content = packed.subarray(1);
  return packed[0] === ZSTD ? zstdDecompressSync(content) : content;
}

/**
 * Compresses with zstd's default level, 3: for 10 kB half the time is setup, so that levels 1 to 3 cost the same.
 * With a known size, zstd sets up smaller tables and the output fits the first buffer, which saves a fifth of the
 * time.
 */
function compress(plain: Uint8Array): Buffer {
  return zstdCompressSync(plain, { pledgedSrcSize: plain.length, chunkSize: plain.length });
}
