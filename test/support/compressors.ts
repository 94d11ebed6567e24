/**
 * Compresses by formats that Node does not have. Only runs of one byte become shorter, which is enough to use every
 * part of the formats.
 */
import { crc32c, xxh32 } from '../../src/ingest/checksums.ts';

const uint = (value: number, size: number): Buffer => {
  const bytes = Buffer.alloc(size);
  bytes.writeUIntLE(value, 0, size);
  return bytes;
};

/** Pieces of bytes: those that are new, and how many times the last of them is repeated. */
function* runs(bytes: Buffer, minRun: number): Generator<{ literals: Buffer; repeated: number }> {
  let from = 0;
  for (let at = 0; at < bytes.length; ) {
    let end = at + 1;
    while (end < bytes.length && bytes[end] === bytes[at]) end++;
    if (end - at > minRun) {
      yield { literals: bytes.subarray(from, at + 1), repeated: end - at - 1 };
      from = end;
    }
    at = end;
  }
  yield { literals: bytes.subarray(from), repeated: 0 };
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return Buffer.from([...bytes, left]);
    bytes.push((left % 128) | 0x80);
  }
}

/** One block, with literals and copies of every length. */
export function compressSnappy(bytes: Buffer): Buffer {
  const parts: Buffer[] = [varint(bytes.length)];
  for (const { literals, repeated } of runs(bytes, 8)) {
    const length = literals.length - 1;
    const size = length < 60 ? 0 : length < 256 ? 1 : length < 65_536 ? 2 : length < 2 ** 24 ? 3 : 4;
    if (length >= 0) {
      const head =
        size === 0
          ? Buffer.from([length << 2])
          : Buffer.concat([Buffer.from([(59 + size) << 2]), uint(length, size)]);
      parts.push(head, literals);
    }
    let left = repeated;
    // Copies of two and four bytes of distance take turns; a short rest is a copy of the first kind.
    for (let turn = 0; left > 11; turn++) {
      const count = Math.min(64, left);
      parts.push(
        turn % 2 === 0
          ? Buffer.from([((count - 1) << 2) | 2, 1, 0])
          : Buffer.from([((count - 1) << 2) | 3, 1, 0, 0, 0]),
      );
      left -= count;
    }
    if (left >= 4) parts.push(Buffer.from([((left - 4) << 2) | 1, 1]));
    else if (left > 0) parts.push(Buffer.from([((left - 1) << 2) | 2, 1, 0]));
  }
  return Buffer.concat(parts);
}

/** A stream in the framing format: of chunks that are compressed, plain and to be skipped. */
export function compressSnappyFramed(bytes: Buffer): Buffer {
  const parts: Buffer[] = [
    Buffer.from('ff060000734e61507059', 'hex'),
    Buffer.from('fe0300000102038001000000', 'hex'),
  ];
  for (let at = 0; at < bytes.length; at += 65_536) {
    const piece = bytes.subarray(at, at + 65_536);
    const crc = crc32c(piece);
    const masked = (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
    const isPlain = (at / 65_536) % 3 === 1;
    const data = isPlain ? piece : compressSnappy(piece);
    parts.push(Buffer.from([isPlain ? 1 : 0]), uint(data.length + 4, 3), uint(masked, 4), data);
  }
  return Buffer.concat(parts);
}

const LZ4_BLOCK = 65_536;

/** A frame with all checksums and its size; blocks are compressed where that is shorter. */
export function compressLz4(bytes: Buffer): Buffer {
  const descriptor = Buffer.concat([Buffer.from([0x5c, 0x40]), uint(bytes.length, 4), uint(0, 4)]);
  const parts: Buffer[] = [uint(0x184d2204, 4), descriptor, Buffer.from([(xxh32(descriptor) >>> 8) & 0xff])];
  for (let at = 0; at < bytes.length; at += LZ4_BLOCK) {
    const piece = bytes.subarray(at, at + LZ4_BLOCK);
    const block = lz4Block(piece);
    const isPlain = block.length >= piece.length;
    const data = isPlain ? piece : block;
    parts.push(uint(isPlain ? data.length + 0x8000_0000 : data.length, 4), data, uint(xxh32(data), 4));
  }
  return Buffer.concat([...parts, uint(0, 4), uint(xxh32(bytes), 4)]);
}

function lz4Block(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  // The last five bytes are always literals.
  const body = bytes.subarray(0, Math.max(0, bytes.length - 5));
  let rest: Uint8Array = Buffer.alloc(0);
  for (const { literals, repeated } of runs(body, 8)) {
    if (repeated === 0) rest = literals;
    else parts.push(lz4Sequence(literals, repeated));
  }
  parts.push(lz4Sequence(Buffer.concat([rest, bytes.subarray(body.length)]), null));
  return Buffer.concat(parts);
}

function lz4Sequence(literals: Buffer, repeated: number | null): Buffer {
  const match = repeated === null ? 0 : repeated - 4;
  const token = (Math.min(15, literals.length) << 4) | Math.min(15, match);
  const end = repeated === null ? [] : [Buffer.from([1, 0]), moreLength(match)];
  return Buffer.concat([Buffer.from([token]), moreLength(literals.length), literals, ...end]);
}

function moreLength(length: number): Buffer {
  if (length < 15) return Buffer.alloc(0);
  const left = length - 15;
  return Buffer.concat([Buffer.alloc(Math.floor(left / 255), 255), Buffer.from([left % 255])]);
}
