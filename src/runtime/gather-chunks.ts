import type { IncomingMessage } from 'node:http';
import type { PacedQueue } from './paced-queue.ts';

/** Size of the buffers into which small chunks are copied; larger chunks are passed on unchanged. */
const BUFFER_BYTES = 16 * 1024;
const SMALL_BYTES = 4 * 1024;
/** Number of chunks in one turn of the event loop above which the connection pauses before it is read again. */
const DENSE_CHUNKS = 1_024;
/**
 * Pause per chunk. Parsing a chunk takes 1.4 microseconds, so such connections use at most a fifteenth of the time.
 */
const PAUSE_MS_PER_CHUNK = 0.02;

/** Number of chunks of a body that have arrived, and their bytes. */
export interface ArrivedChunks {
  count: number;
  bytes: number;
}

const arrived = new WeakMap<object, ArrivedChunks>();

/** Returns the chunks that have arrived of a gathered body; undefined for any other body. */
export const arrivedChunksOf = (request: object): ArrivedChunks | undefined => arrived.get(request);

/**
 * Gathers small chunks of a body into buffers before they reach its stream. Node allocates some 400 bytes of objects
 * for each chunk, and a stream that is not being read retains them: 4 MiB for 64 KiB of one-byte chunks, which V8
 * does not count. A connection that sends many chunks waits in `dense` before it is read again: 64 KiB of one-byte
 * chunks stop the event loop for 15 ms, which delays all other clients. Call it when the head of the request has
 * arrived.
 */
export function gatherChunks(request: IncomingMessage, dense: PacedQueue): void {
  const push = request.push.bind(request);
  const read = request._read.bind(request);
  const chunks: ArrivedChunks = { count: 0, bytes: 0 };
  arrived.set(request, chunks);
  let buffer: Buffer | null = null;
  let filled = 0;
  let inThisTurn = 0;
  let pauseMs = 0;
  let isWanted = false;
  let isWaiting = false;
  const flush = (): void => {
    if (buffer === null) return;
    const gathered = buffer.subarray(0, filled);
    [buffer, filled] = [null, 0];
    if (!request.destroyed) push(gathered);
  };
  const endTurn = (): void => {
    if (inThisTurn >= DENSE_CHUNKS) pauseMs = inThisTurn * PAUSE_MS_PER_CHUNK;
    inThisTurn = 0;
    flush();
    if (isWanted) request._read(BUFFER_BYTES);
  };
  request.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
    if (!(chunk instanceof Buffer)) {
      flush();
      return push(chunk, encoding);
    }
    chunks.count += 1;
    chunks.bytes += chunk.length;
    // Runs after all chunks that were read from the socket together; a nextTick callback would run after each.
    if (inThisTurn === 0) setImmediate(endTurn);
    inThisTurn += 1;
    if (filled + chunk.length > BUFFER_BYTES || chunk.length > SMALL_BYTES) flush();
    if (chunk.length > SMALL_BYTES) return push(chunk);
    buffer ??= Buffer.allocUnsafeSlow(BUFFER_BYTES);
    filled += chunk.copy(buffer, filled);
    return inThisTurn < DENSE_CHUNKS && request.readableLength + filled < request.readableHighWaterMark;
  };
  request._read = (size) => {
    isWanted = inThisTurn >= DENSE_CHUNKS;
    if (isWaiting || isWanted) return;
    if (pauseMs === 0) {
      read(size);
      return;
    }
    isWaiting = true;
    dense.add(pauseMs, () => {
      isWaiting = false;
      pauseMs = 0;
      if (!request.destroyed) read(size);
    });
  };
}
