import { constants, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib';
import { type Steps, Turn } from '../runtime/steps.ts';
import { EmptyInput } from './empty-input.ts';
import type { OutputBuffer } from './output-buffer.ts';

/** Input of one call, and its most output: either takes a few milliseconds. */
const INPUT_PIECE = 32 * 1024;
const OUTPUT_PIECE = 512 * 1024;

/**
 * The binding under a stream of Node's zlib, which Node's own functions for complete buffers call in the same way. The public
 * functions inflate a complete body at once, or in the threads of the process that also read its files.
 */
interface Engine {
  _handle: {
    writeSync: (
      flush: number,
      input: Buffer,
      inputAt: number,
      inputLength: number,
      output: Buffer,
      outputAt: number,
      outputLength: number,
    ) => void;
  };
  /** Bytes of the output and of the input that the last call left. */
  _writeState: Uint32Array;
  close: () => void;
}

const create = {
  gzip: createGunzip,
  deflate: createInflate,
  raw: createInflateRaw,
  zstd: createZstdDecompress,
};
export type Stream = keyof typeof create;

/** Inflates a body in steps. Throws the errors of OutputBuffer, and Error for bytes that are not of this format. */
export function* inflatePieces(body: Buffer, stream: Stream, output: OutputBuffer): Steps<void> {
  const engine = create[stream]() as unknown as Engine;
  const { _handle: handle, _writeState: left } = engine;
  let failure: string | null = null;
  const onerror = (message: string): void => void (failure = message);
  Object.assign(handle, { onerror });
  const end = stream === 'zstd' ? constants.ZSTD_e_end : constants.Z_FINISH;
  const turn = new Turn();
  try {
    const empty = new EmptyInput();
    for (let at = 0; ; ) {
      const length = Math.min(INPUT_PIECE, body.length - at);
      const isLast = at + length === body.length;
      const room = output.free(OUTPUT_PIECE);
      handle.writeSync(isLast ? end : 0, body, at, length, room, 0, room.length);
      if (failure !== null) throw new Error(failure);
      const [roomLeft = 0, inputLeft = 0] = left;
      at += length - inputLeft;
      output.advance(room.length - roomLeft);
      empty.check(at, output.size);
      // With output left, all input was read, or what remains follows the end of the stream.
      if (roomLeft > 0 && (isLast || inputLeft > 0)) return;
      if (turn.isOver()) yield* turn.pause();
    }
  } finally {
    engine.close();
  }
}
