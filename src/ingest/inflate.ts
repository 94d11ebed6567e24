import { AppError } from '../errors.ts';
import type { Share } from '../runtime/fair-share.ts';
import { noMemory } from '../runtime/memory-budget.ts';
import type { Steps } from '../runtime/steps.ts';
import { inflatePieces } from './inflate-pieces.ts';
import { decompressLz4 } from './lz4.ts';
import { OutputBuffer, OutputTooLarge } from './output-buffer.ts';
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

/** First estimate of the ratio of inflated to compressed size: sufficient for nearly every body. */
const USUAL_RATIO = 16;
const MIN_GUESS = 64 * 1024;
const MAX_GUESS = 4 * 1024 * 1024;

export interface Inflated {
  bytes: Buffer;
  /** Number of bytes taken from the share; the caller gives them back. */
  charged: number;
}

/**
 * Decodes a Content-Encoding in steps. Memory is charged before it is allocated. Throws AppError: `too_large` when the result
 * would exceed the limit, `bad_request` when the bytes do not match the header, `unavailable` when the memory of the share is
 * used up.
 */
export function* inflate(
  body: Buffer,
  encoding: ContentEncoding,
  limit: number,
  share: Pick<Share, 'tryTake' | 'giveBack'>,
): Steps<Inflated> {
  if (encoding === 'identity') return { bytes: body, charged: 0 };
  const guess = Math.min(limit, MAX_GUESS, Math.max(MIN_GUESS, body.length * USUAL_RATIO));
  const output = new OutputBuffer(guess, limit, {
    take: (bytes) => {
      if (!share.tryTake(bytes)) throw noMemory();
    },
    giveBack: (bytes) => share.giveBack(bytes),
  });
  try {
    yield* DECOMPRESS[encoding](body, output);
  } catch (error) {
    output.discard();
    if (error instanceof AppError) throw error;
    if (error instanceof OutputTooLarge) throw tooLarge(limit);
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError(
      'bad_request',
      `the body is not valid ${encoding}, which its Content-Encoding declares: ${reason}`,
    );
  }
  const bytes = output.finish();
  return { bytes, charged: bytes.length };
}

type Decompress = (body: Buffer, output: OutputBuffer) => Steps<void>;

const gunzip: Decompress = (body, output) => inflatePieces(body, 'gzip', output);

const DECOMPRESS: Readonly<Record<Exclude<ContentEncoding, 'identity'>, Decompress>> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  deflate: decompressDeflate,
  zlib: decompressDeflate,
  zstd: (body, output) => inflatePieces(body, 'zstd', output),
  // Collectors send plain blocks or the framing format under this name, depending on their version.
  snappy: (body, output) =>
    isSnappyFramed(body) ? decompressSnappyFramed(body, output) : decompressSnappy(body, output),
  'x-snappy-framed': decompressSnappyFramed,
  lz4: decompressLz4,
};

function decompressDeflate(body: Buffer, output: OutputBuffer): Steps<void> {
  // "deflate" in HTTP means the zlib format (RFC 1950), but some senders omit its header.
  const hasHeader = ((body[0] ?? 0) & 0x0f) === 8 && (((body[0] ?? 0) << 8) | (body[1] ?? 0)) % 31 === 0;
  return inflatePieces(body, hasHeader ? 'deflate' : 'raw', output);
}

const tooLarge = (limit: number): AppError =>
  new AppError(
    'too_large',
    `the body is larger than ${limit} bytes after decompression; send smaller batches`,
  );
