import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Stored bytes: u8 codec (0 = plain, 1 = zstd), then the content. */
const PLAIN = 0;
const ZSTD = 1;
/** Below this, compression saves less than it costs. */
const MIN_COMPRESSED = 4096;
const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

export function pack(plain: Uint8Array): Buffer {
  const packed = plain.length < MIN_COMPRESSED ? plain : zstdCompressSync(plain, COMPRESSION);
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
