/** Decompresses LZ4 frames (github.com/lz4/lz4: doc/lz4_Frame_format.md, doc/lz4_Block_format.md). */
import { type Steps, Turn } from '../runtime/steps.ts';
import { xxh32, xxh32Steps } from './checksums.ts';
import { EmptyInput } from './empty-input.ts';
import type { OutputBuffer } from './output-buffer.ts';

const FRAME = 0x184d2204;
/** Frames of any content that decoders skip have one of sixteen numbers. */
const SKIPPABLE_FRAME = 0x184d2a50;
const PLAIN_BLOCK = 0x8000_0000;
const MIN_MATCH = 4;
/** Sequences of a block after which the clock is read. */
const SEQUENCES_A_LOOK = 1_024;

/** Reads numbers from the input, and throws where it ends. */
class Input {
  at = 0;
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  uint(size: 1 | 2 | 4): number {
    return this.take(size).readUIntLE(0, size);
  }

  take(length: number): Buffer {
    if (length > this.bytes.length - this.at) throw new Error('unexpected end of the data');
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
}

/** Decompresses all frames of a body. */
export function* decompressLz4(body: Buffer, output: OutputBuffer): Steps<void> {
  const input = new Input(body);
  const turn = new Turn();
  const empty = new EmptyInput();
  do {
    const magic = input.uint(4);
    if (magic === FRAME) yield* readFrame(input, output, { turn, empty });
    else if ((magic & ~15) >>> 0 === SKIPPABLE_FRAME) input.take(input.uint(4));
    else throw new Error('the frame header is missing');
    empty.check(input.at, output.size);
    if (turn.isOver()) yield* turn.pause();
  } while (!input.isAtEnd);
}

function* readFrame(
  input: Input,
  output: OutputBuffer,
  { turn, empty }: { turn: Turn; empty: EmptyInput },
): Steps<void> {
  const { hasBlockChecksums, hasChecksum } = readHeader(input);
  const start = output.size;
  for (let size = input.uint(4); size !== 0; size = input.uint(4)) {
    const block = input.take((size & ~PLAIN_BLOCK) >>> 0);
    if (hasBlockChecksums) yield* check(block, input.uint(4), turn);
    if (size >= PLAIN_BLOCK) output.append(block, 0, block.length);
    else yield* readBlock(block, output, turn);
    empty.check(input.at, output.size);
    if (turn.isOver()) yield* turn.pause();
  }
  if (hasChecksum) yield* check(output.from(start), input.uint(4), turn);
}

function readHeader(input: Input): { hasBlockChecksums: boolean; hasChecksum: boolean } {
  const start = input.at;
  const flags = input.uint(1);
  if (flags >>> 6 !== 1) throw new Error(`unknown version ${flags >>> 6}`);
  if (flags & 1) throw new Error('dictionaries are not supported');
  const hasContentSize = (flags & 8) !== 0;
  input.take(hasContentSize ? 9 : 1);
  const descriptor = input.bytes.subarray(start, input.at);
  if (((xxh32(descriptor) >>> 8) & 0xff) !== input.uint(1)) throw new Error('a checksum does not match');
  return { hasBlockChecksums: (flags & 16) !== 0, hasChecksum: (flags & 4) !== 0 };
}

function* check(bytes: Buffer, checksum: number, turn: Turn): Steps<void> {
  if ((yield* xxh32Steps(bytes, turn)) !== checksum) throw new Error('a checksum does not match');
}

function* readBlock(block: Buffer, output: OutputBuffer, turn: Turn): Steps<void> {
  const input = new Input(block);
  for (let sequence = 1; ; sequence++) {
    if (sequence % SEQUENCES_A_LOOK === 0 && turn.isOver()) yield* turn.pause();
    const token = input.uint(1);
    const literals = readLength(input, token >>> 4, block.length);
    output.append(block, input.at, literals);
    input.at += literals;
    // The last sequence of a block has only literals.
    if (input.isAtEnd) return;
    const distance = input.uint(2);
    output.repeat(distance, readLength(input, token & 15, output.left) + MIN_MATCH);
  }
}

/** Reads a length, of which the rest is left unread once it exceeds `most`: its reader then rejects it. */
function readLength(input: Input, short: number, most: number): number {
  if (short < 15) return short;
  let length = short;
  for (let more = 255; more === 255 && length <= most; length += more) more = input.uint(1);
  return length;
}
