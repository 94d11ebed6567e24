import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { AppError } from '../errors.ts';
import type { Share } from '../runtime/fair-share.ts';
import { type ArrivedChunks, arrivedChunksOf } from '../runtime/gather-chunks.ts';
import { noMemory } from '../runtime/memory-budget.ts';
import { releaseMemory } from '../runtime/release-memory.ts';
import { ReadTurns } from './read-turns.ts';

/** Approximate memory of a request in flight besides its body. */
const REQUEST_OVERHEAD = 2_048;
/** Initial capacity for a body of several chunks. */
const FIRST_CAPACITY = 64 * 1024;
/** Unused bytes above which the buffer is shrunk when the body is complete. */
const MAX_UNUSED = 16 * 1024;

/**
 * Most small chunks of a body: each costs the thread that serves all connections as much as kilobytes of a large one.
 */
const MAX_SMALL_CHUNKS = 4_096;
const MIN_AVERAGE_CHUNK = 32;

type Bytes = Uint8Array<ArrayBuffer>;

/** The sender disconnected, or was too slow, before its body was complete. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
  /** Label of the metric of rejected requests. */
  readonly reason: 'client_gone' | 'slow_body';

  constructor(message: string, reason: ClientGone['reason'] = 'client_gone') {
    super(message);
    this.reason = reason;
  }
}

/** Bytes of a body as they arrive. */
export type BodyStream = Pick<Readable, 'destroyed' | 'on' | 'off' | 'pause' | 'resume'>;

/** Turns of all bodies, because all servers of a process share its event loop. */
const readTurns = new ReadTurns();

export interface BodyOptions {
  /** Largest size in bytes. */
  limit: number;
  /** Size that the sender has announced; 0 if it has not. */
  announced: number;
  share: Share;
  /** Returns what is wrong with the bytes so far, of which `chunk` is the latest. */
  check: (chunk: Uint8Array) => AppError | null;
  /** Ends the read with its reason. */
  signal?: AbortSignal;
}

/** Reads the body of an HTTP request; see `readStream`. */
export function readBody(
  request: IncomingMessage,
  limit: number,
  share: Share,
  signal?: AbortSignal,
): Promise<Bytes> {
  const announced = Number(request.headers['content-length'] ?? 0);
  const check = chunkCheck(request);
  return readStream(request, { limit, announced, share, check, ...(signal && { signal }) });
}

/**
 * Reads a complete body into a buffer of its own, which can move to another thread, and charges `share` with all
 * memory used for it, whatever the sizes of its chunks. The caller closes the share. Throws AppError without reading
 * the rest: `too_large` over `limit`, `unavailable` when no memory is left, and the errors of `check`. Throws
 * ClientGone when the sender disconnects, and the reason of an aborted `signal`.
 */
export function readStream(
  stream: BodyStream,
  { limit, announced, share, check, signal }: BodyOptions,
): Promise<Bytes> {
  // A sender that has already disconnected emits no more events.
  if (stream.destroyed) return Promise.reject(new ClientGone('the sender disconnected'));
  if (signal?.aborted) return Promise.reject(signal.reason as Error);
  if (announced > limit) return Promise.reject(tooLarge(limit));
  if (!share.tryTake(REQUEST_OVERHEAD)) return Promise.reject(noMemory());
  return new Promise((resolve, reject) => {
    const body = new GrowingBody(announced, limit, share);
    let isOver = false;
    const stop = (): void => {
      isOver = true;
      stream.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      signal?.removeEventListener('abort', onAbort);
    };
    const fail = (error: Error): void => {
      stop();
      stream.pause();
      reject(error);
    };
    const onData = (chunk: Buffer): void => {
      const { length } = chunk;
      if (body.size + chunk.length > limit) fail(tooLarge(limit));
      else if (!body.append(chunk)) fail(noMemory());
      else {
        const failure = check(chunk);
        body.release(chunk);
        if (failure) fail(failure);
        else if (readTurns.isOver(length) && body.size !== announced) {
          stream.pause();
          readTurns.wait(share.group, () => isOver || stream.resume());
        }
      }
    };
    const onEnd = (): void => {
      stop();
      resolve(body.finish());
    };
    const onClose = (): void => fail(new ClientGone('the sender disconnected'));
    const onAbort = (): void => fail(signal?.reason as Error);
    stream.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
    signal?.addEventListener('abort', onAbort);
  });
}

/**
 * Returns a function that receives every piece of a body as the stream delivers it, and returns what is wrong with
 * its chunks.
 */
export function chunkCheck(request: object): (piece: Uint8Array) => AppError | null {
  const seen: ArrivedChunks = { count: 0, bytes: 0 };
  return ({ length }) => {
    seen.count += 1;
    seen.bytes += length;
    const { count, bytes } = arrivedChunksOf(request) ?? seen;
    if (count <= MAX_SMALL_CHUNKS || bytes >= count * MIN_AVERAGE_CHUNK) return null;
    const message = `The body is sent in chunks of ${Math.ceil(bytes / count)} bytes on average; larger bodies need chunks of at least ${MIN_AVERAGE_CHUNK} bytes.`;
    return new AppError('bad_request', message);
  };
}

/** Collects chunks in one buffer, which grows with the received bytes, not with the announced length. */
class GrowingBody {
  size = 0;
  private bytes: Bytes = new Uint8Array(0);
  private readonly announced: number;
  private readonly limit: number;
  private readonly share: Share;

  constructor(announced: number, limit: number, share: Share) {
    this.announced = announced;
    this.limit = limit;
    this.share = share;
  }

  /** Appends a chunk; returns false when no memory is left. */
  append(chunk: Buffer): boolean {
    const size = this.size + chunk.length;
    if (this.size === 0 && ownsItsMemory(chunk)) {
      // Most bodies arrive in one chunk, which is used without a copy.
      if (!this.share.tryTake(size)) return false;
      this.bytes = new Uint8Array(chunk.buffer);
    } else {
      if (size > this.bytes.length && !this.resize(this.nextCapacity(size))) return false;
      this.bytes.set(chunk, this.size);
    }
    this.size = size;
    return true;
  }

  /** Frees the memory of an appended chunk that was copied. Garbage of large bodies makes V8 stop the thread often. */
  release(chunk: Buffer): void {
    if (chunk.buffer !== this.bytes.buffer) releaseMemory([chunk]);
  }

  finish(): Bytes {
    if (this.bytes.length - this.size > MAX_UNUSED) this.resize(this.size);
    return this.bytes.subarray(0, this.size);
  }

  private nextCapacity(needed: number): number {
    const { announced, limit } = this;
    const largest = announced >= needed ? announced : limit;
    // A body never exceeds its announced length, so larger steps waste no memory in the end.
    const step = this.bytes.length * (announced >= needed ? 4 : 2);
    return Math.min(largest, Math.max(needed, step, FIRST_CAPACITY));
  }

  /** Moves the bytes to a buffer of another size. Both are charged during the copy. */
  private resize(capacity: number): boolean {
    if (!this.share.tryTake(capacity)) return false;
    const before = this.bytes;
    this.bytes = new Uint8Array(Buffer.allocUnsafeSlow(capacity).buffer);
    this.bytes.set(before.subarray(0, this.size));
    this.share.giveBack(before.length);
    releaseMemory([before]);
    return true;
  }
}

const ownsItsMemory = (chunk: Buffer): chunk is Buffer<ArrayBuffer> =>
  chunk.buffer instanceof ArrayBuffer && chunk.buffer.byteLength === chunk.length;

export function tooLarge(limit: number): AppError {
  return new AppError('too_large', `the body is larger than ${limit} bytes; send smaller batches`);
}
