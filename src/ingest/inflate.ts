import { gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { AppError } from '../errors.ts';
import type { Share } from '../runtime/fair-share.ts';
import { noMemory } from '../runtime/memory-budget.ts';
import { decompressLz4 } from './lz4.ts';
import { decompressSnappy, decompressSnappyFramed, isSnappyFramed } from './snappy.ts';

/** Every encoding that an OpenTelemetry Collector can be set to (its package config/configcompression), and `x-gzip`. */
export const CONTENT_ENCODINGS = [
  'identity',
  'gzip',
  'x-gzip',
  'deflate',
  'zlib',
  'zstd',
  'snappy',
  'x-snappy-framed',
  'lz4',
] as const;
export type ContentEncoding = (typeof CONTENT_ENCODINGS)[number];

/**
 * First estimate of the ratio of inflated to compressed size: sufficient for nearly every body, so that the limit
 * itself is seldom reserved.
 */
const USUAL_RATIO = 16;
const MIN_GUESS = 64 * 1024;
/** Smallest chunk that zlib accepts. */
const MIN_CHUNK = 64;

type Memory = Pick<Share, 'tryTake' | 'giveBack'>;

export interface Inflated {
  bytes: Buffer;
  /** Number of bytes taken from the share; the caller gives them back. */
  charged: number;
}

/**
 * Decodes a Content-Encoding. Memory is charged before it is allocated and never exceeds `limit`. Throws AppError:
 * `too_large` when the result would exceed the limit, `bad_request` when the bytes do not match the header,
 * `unavailable` when the memory of the share is used up.
 */
export function inflate(body: Buffer, encoding: ContentEncoding, limit: number, share: Memory): Inflated {
  if (encoding === 'identity') return { bytes: body, charged: 0 };
  const guess = Math.min(limit, Math.max(MIN_GUESS, body.length * USUAL_RATIO));
  return (
    tryInflate(body, encoding, guess, share) ?? tryInflate(body, encoding, limit, share) ?? tooLarge(limit)
  );
}

/** Inflates up to `room` bytes; null when the result is longer. */
function tryInflate(
  body: Buffer,
  encoding: Exclude<ContentEncoding, 'identity'>,
  room: number,
  share: Memory,
): Inflated | null {
  if (!share.tryTake(room)) throw noMemory();
  try {
    // One buffer for all output, of which the system provides the pages that are written: chunks would be copied.
    const bytes = DECOMPRESS[encoding](body, { maxOutputLength: room, chunkSize: room + MIN_CHUNK });
    share.giveBack(room - bytes.length);
    return { bytes, charged: bytes.length };
  } catch (error) {
    share.giveBack(room);
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return null;
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError(
      'bad_request',
      `the body is not valid ${encoding}, which its Content-Encoding declares: ${reason}`,
    );
  }
}

type Decompress = (body: Buffer, options: { maxOutputLength: number; chunkSize: number }) => Buffer;

const DECOMPRESS: Readonly<Record<Exclude<ContentEncoding, 'identity'>, Decompress>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: decompressDeflate,
  zlib: decompressDeflate,
  zstd: zstdDecompressSync,
  // Collectors send plain blocks or the framing format under this name, depending on their version.
  snappy: (body, { maxOutputLength }) =>
    isSnappyFramed(body)
      ? decompressSnappyFramed(body, maxOutputLength)
      : decompressSnappy(body, maxOutputLength),
  'x-snappy-framed': (body, { maxOutputLength }) => decompressSnappyFramed(body, maxOutputLength),
  lz4: (body, { maxOutputLength }) => decompressLz4(body, maxOutputLength),
};

function decompressDeflate(body: Buffer, options: { maxOutputLength: number; chunkSize: number }): Buffer {
  // "deflate" in HTTP means the zlib format (RFC 1950), but some senders omit its header.
  const hasHeader = ((body[0] ?? 0) & 0x0f) === 8 && (((body[0] ?? 0) << 8) | (body[1] ?? 0)) % 31 === 0;
  return hasHeader ? inflateSync(body, options) : inflateRawSync(body, options);
}

function tooLarge(limit: number): never {
  throw new AppError(
    'too_large',
    `the body is larger than ${limit} bytes after decompression; send smaller batches`,
  );
}
