import type { IncomingMessage } from 'node:http';
import type { OnePerTurn } from './one-per-turn.ts';

/** Small chunks are copied into blocks of this size; larger ones are passed on as they are. */
const BLOCK_BYTES = 16 * 1024;
const SMALL_BYTES = 4 * 1024;
/** After so many chunks at once the socket is read no further in this turn: other connections come first. */
const CHUNKS_AT_ONCE = 1_024;

/** Chunks of a body that have arrived, and their bytes. */
export interface ArrivedChunks {
  count: number;
  bytes: number;
}

const arrived = new WeakMap<IncomingMessage, ArrivedChunks>();

/** What has arrived of a body whose chunks are gathered; undefined of any other. */
export const chunksOf = (request: IncomingMessage): ArrivedChunks | undefined => arrived.get(request);

/**
 * Gathers small chunks of a body into blocks before its stream gets them. Node makes objects of some 400 bytes for each
 * chunk, and a stream that nobody reads at that moment keeps them: 4 MiB for 64 KiB of chunks of one byte, which V8
 * does not count. A connection that sends many is read again in a turn of its own: 64 KiB of chunks of one byte take the
 * parser some 15 ms, which would add up over such connections. To be called when the head of the request has arrived.
 */
export function gatherChunks(request: IncomingMessage, turns: OnePerTurn): void {
  const push = request.push.bind(request);
  const read = request._read.bind(request);
  const chunks: ArrivedChunks = { count: 0, bytes: 0 };
  arrived.set(request, chunks);
  let block: Buffer | null = null;
  let filled = 0;
  let atOnce = 0;
  let isDense = false;
  let isWaiting = false;
  const flush = (): void => {
    if (block === null) return;
    const gathered = block.subarray(0, filled);
    [block, filled, atOnce] = [null, 0, 0];
    if (!request.destroyed) push(gathered);
  };
  request.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
    if (!(chunk instanceof Buffer)) {
      flush();
      return push(chunk, encoding);
    }
    chunks.count += 1;
    chunks.bytes += chunk.length;
    if (filled + chunk.length > BLOCK_BYTES || chunk.length > SMALL_BYTES) flush();
    if (chunk.length > SMALL_BYTES) return push(chunk);
    if (block === null) {
      block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
      // After all chunks that were read from the socket together: what is put off to the next tick runs after each.
      setImmediate(flush);
    }
    filled += chunk.copy(block, filled);
    atOnce += 1;
    if (atOnce >= CHUNKS_AT_ONCE) isDense = true;
    return atOnce < CHUNKS_AT_ONCE && request.readableLength + filled < request.readableHighWaterMark;
  };
  request._read = (size) => {
    if (!isDense) {
      read(size);
      return;
    }
    if (isWaiting) return;
    isWaiting = true;
    turns.add(() => {
      isDense = isWaiting = false;
      if (!request.destroyed) read(size);
    });
  };
}
