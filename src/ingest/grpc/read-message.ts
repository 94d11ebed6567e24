import { AppError } from '../../errors.ts';
import type { Share } from '../../runtime/fair-share.ts';
import { type BodyStream, chunkCheck, readStream, tooLarge } from '../http-body.ts';
import { CONTENT_ENCODINGS, type ContentEncoding } from '../inflate.ts';

/** Compression flag, and length of the message as a big-endian 32-bit integer. */
const PREFIX_BYTES = 5;

export interface MessageOptions {
  /** Largest message in bytes, as sent. */
  limit: number;
  share: Share;
  /** Header `grpc-encoding`: compression of messages that have the flag. */
  encoding: string;
  /** Aborts the read with its reason. */
  signal: AbortSignal;
  /** Called with the size of each chunk. */
  onBytes: (count: number) => void;
}

export interface GrpcMessage {
  body: Uint8Array;
  encoding: ContentEncoding;
}

/**
 * Reads the only message of a call, still compressed, and charges `share` with its memory; see `readStream`, whose
 * errors it throws. Throws AppError `bad_request` unless the call has exactly one complete message.
 */
export async function readMessage(
  stream: BodyStream,
  { limit, share, encoding, signal, onBytes }: MessageOptions,
): Promise<GrpcMessage> {
  const checkChunks = chunkCheck(stream);
  const prefix = new Prefix(limit);
  const reading = readStream(stream, {
    limit: limit + PREFIX_BYTES,
    announced: 0,
    share,
    signal,
    check: (chunk) => {
      onBytes(chunk.length);
      return prefix.add(chunk) ?? checkChunks(chunk);
    },
  });
  stream.resume();
  const bytes = await reading;
  const { length, isCompressed } = prefix.read();
  if (bytes.length - PREFIX_BYTES !== length) throw wrongLength(length, bytes.length - PREFIX_BYTES);
  return {
    body: bytes.subarray(PREFIX_BYTES),
    encoding: isCompressed ? messageEncoding(encoding) : 'identity',
  };
}

/** Prefix of a message, which arrives in one chunk or several. */
class Prefix {
  private readonly bytes = Buffer.alloc(PREFIX_BYTES);
  private readonly limit: number;
  private filled = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Adds the next chunk of the body; returns what is wrong with the prefix once it is complete. */
  add(chunk: Uint8Array): AppError | null {
    if (this.filled === PREFIX_BYTES) return null;
    const part = chunk.subarray(0, PREFIX_BYTES - this.filled);
    this.bytes.set(part, this.filled);
    this.filled += part.length;
    if (this.filled < PREFIX_BYTES) return null;
    const flag = this.bytes.readUInt8(0);
    if (flag > 1) return badMessage(`the compression flag of the message must be 0 or 1; got ${flag}`);
    return this.bytes.readUInt32BE(1) > this.limit ? tooLarge(this.limit) : null;
  }

  read(): { length: number; isCompressed: boolean } {
    if (this.filled < PREFIX_BYTES) throw badMessage('the call ended before its message');
    return { length: this.bytes.readUInt32BE(1), isCompressed: this.bytes.readUInt8(0) === 1 };
  }
}

function wrongLength(announced: number, received: number): AppError {
  return badMessage(
    received < announced
      ? `the call ended within its message, after ${received} of ${announced} bytes`
      : `the call must have one message of ${announced} bytes, as its prefix states; got ${received} bytes`,
  );
}

function messageEncoding(header: string): ContentEncoding {
  const known = CONTENT_ENCODINGS.find((name) => name === header.trim().toLowerCase());
  if (known === 'identity') throw badMessage('the message has the compression flag, but no grpc-encoding');
  if (known) return known;
  throw new AppError(
    'unsupported_media_type',
    `grpc-encoding ${header.slice(0, 40)} is not supported; use ${CONTENT_ENCODINGS.join(', ')}`,
  );
}

const badMessage = (message: string): AppError => new AppError('bad_request', message);
