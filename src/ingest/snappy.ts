/** Decompresses Snappy (github.com/google/snappy: format_description.txt, framing_format.txt). */
import { type Steps, Turn } from '../runtime/steps.ts';
import { crc32c } from './checksums.ts';
import { EmptyInput } from './empty-input.ts';
import type { OutputBuffer } from './output-buffer.ts';

/** First chunk of the framing format. */
const STREAM_IDENTIFIER = Buffer.from('ff060000734e61507059', 'hex');
const MAX_CHUNK_OUTPUT = 65_536;
/** Elements of a block after which the clock is read. */
const ELEMENTS_A_LOOK = 1_024;

export const isSnappyFramed = (body: Buffer): boolean =>
  body.subarray(0, STREAM_IDENTIFIER.length).equals(STREAM_IDENTIFIER);

/** Decompresses one block, without frames. */
export const decompressSnappy = (body: Buffer, output: OutputBuffer): Steps<void> =>
  readBlock(body, output, new Turn());

/** Decompresses a stream of chunks in the framing format. */
export function* decompressSnappyFramed(body: Buffer, output: OutputBuffer): Steps<void> {
  if (!isSnappyFramed(body)) throw new Error('the stream identifier is missing');
  const turn = new Turn();
  const empty = new EmptyInput();
  for (let at = 0; at < body.length; ) {
    if (at + 4 > body.length) throw new Error('unexpected end of the data');
    const type = body[at] as number;
    const length = body.readUIntLE(at + 1, 3);
    const chunk = body.subarray(at + 4, at + 4 + length);
    if (chunk.length < length) throw new Error('unexpected end of the data');
    at += 4 + length;
    if (type <= 1) yield* readChunk(type, chunk, output, turn);
    else if (type < 0x80) throw new Error(`unknown chunk type ${type}`);
    empty.check(at, output.size);
    if (turn.isOver()) yield* turn.pause();
  }
}

/** Reads a chunk of compressed (0) or plain (1) data, which begins with a masked checksum of its content. */
function* readChunk(type: number, chunk: Buffer, output: OutputBuffer, turn: Turn): Steps<void> {
  if (chunk.length < 4) throw new Error('unexpected end of the data');
  const start = output.size;
  if (type === 1) output.append(chunk, 4, chunk.length - 4);
  else yield* readBlock(chunk.subarray(4), output, turn);
  if (output.size - start > MAX_CHUNK_OUTPUT) throw new Error('a chunk is too long');
  const crc = crc32c(output.from(start));
  const masked = (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
  if (masked !== chunk.readUInt32LE(0)) throw new Error('a checksum does not match');
}

function* readBlock(block: Buffer, output: OutputBuffer, turn: Turn): Steps<void> {
  let { value: length, at } = readLength(block);
  output.reserve(length);
  const end = output.size + length;
  for (let element = 1; at < block.length; element++) {
    if (element % ELEMENTS_A_LOOK === 0 && turn.isOver()) yield* turn.pause();
    const tag = block[at] as number;
    const kind = tag & 3;
    // Bytes of the length of a literal, or of the distance of a copy, that follow the tag.
    const extra = kind === 0 ? Math.max(0, (tag >>> 2) - 59) : ([0, 1, 2, 4][kind] as number);
    if (at + 1 + extra > block.length) throw new Error('unexpected end of the data');
    const number = extra === 0 ? 0 : block.readUIntLE(at + 1, extra);
    at += 1 + extra;
    if (kind === 0) {
      length = (extra === 0 ? tag >>> 2 : number) + 1;
      output.append(block, at, length);
      at += length;
    } else if (kind === 1) output.repeat(((tag >>> 5) << 8) | number, ((tag >>> 2) & 7) + 4);
    else output.repeat(number, (tag >>> 2) + 1);
    if (output.size > end) break;
  }
  if (output.size !== end) throw new Error('the length does not match');
}

/** Reads the length of a decompressed block: a varint of at most 32 bits. */
function readLength(block: Buffer): { value: number; at: number } {
  let value = 0;
  for (let at = 0; at < 5; at++) {
    const byte = block[at];
    if (byte === undefined) throw new Error('unexpected end of the data');
    value += (byte & 0x7f) * 2 ** (7 * at);
    if (byte < 0x80) return { value, at: at + 1 };
  }
  throw new Error('the length is too long');
}
