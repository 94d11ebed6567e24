import { gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { AppError } from '../errors.ts';
import { type MemoryBudget, noMemory } from '../runtime/memory-budget.ts';

export const CONTENT_ENCODINGS = ['identity', 'gzip', 'x-gzip', 'deflate', 'zstd'] as const;
export type ContentEncoding = (typeof CONTENT_ENCODINGS)[number];

/**
 * First estimate of the ratio of inflated to compressed size: sufficient for nearly every body, so that the limit
 * itself is seldom reserved.
 */
const USUAL_RATIO = 16;
const MIN_GUESS = 64 * 1024;

export interface Inflated {
  bytes: Buffer;
  /** Number of bytes charged to the budget; the caller releases them. */
  charged: number;
}

/**
 * Decodes a Content-Encoding. Memory is charged before it is allocated and never exceeds `limit`. Throws AppError:
 * `too_large` when the result would exceed the limit, `bad_request` when the bytes do not match the header,
 * `unavailable` when the budget is used up.
 */
export function inflate(
  body: Buffer,
  encoding: ContentEncoding,
  limit: number,
  budget: MemoryBudget,
): Inflated {
  if (encoding === 'identity') return { bytes: body, charged: 0 };
  const guess = Math.min(limit, Math.max(MIN_GUESS, body.length * USUAL_RATIO));
  return (
    tryInflate(body, encoding, guess, budget) ?? tryInflate(body, encoding, limit, budget) ?? tooLarge(limit)
  );
}

/** Inflates up to `room` bytes; null when the result is longer. */
function tryInflate(
  body: Buffer,
  encoding: ContentEncoding,
  room: number,
  budget: MemoryBudget,
): Inflated | null {
  if (!budget.tryCharge(room)) throw noMemory();
  try {
    const bytes = decompress(body, encoding, room);
    budget.release(room - bytes.length);
    return { bytes, charged: bytes.length };
  } catch (error) {
    budget.release(room);
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return null;
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError(
      'bad_request',
      `the body is not valid ${encoding}, which its Content-Encoding declares: ${reason}`,
    );
  }
}

function decompress(body: Buffer, encoding: ContentEncoding, maxOutputLength: number): Buffer {
  if (encoding === 'zstd') return zstdDecompressSync(body, { maxOutputLength });
  if (encoding !== 'deflate') return gunzipSync(body, { maxOutputLength });
  // "deflate" in HTTP means the zlib format (RFC 1950), but some senders omit its header.
  const hasHeader = ((body[0] ?? 0) & 0x0f) === 8 && (((body[0] ?? 0) << 8) | (body[1] ?? 0)) % 31 === 0;
  return hasHeader ? inflateSync(body, { maxOutputLength }) : inflateRawSync(body, { maxOutputLength });
}

function tooLarge(limit: number): never {
  throw new AppError(
    'too_large',
    `the body is larger than ${limit} bytes after decompression; send smaller batches`,
  );
}
