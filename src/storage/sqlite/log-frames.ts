/**
 * Frames of a write-ahead log, as SQLite writes them (https://sqlite.org/walformat.html). SQLite reads a log up to its
 * first frame with a wrong checksum and ignores all others: after a torn tail nothing is lost, after a damaged frame in
 * the middle everything that was committed behind it.
 */
import { closeSync, openSync, readSync } from 'node:fs';

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const USUAL_PAGE_BYTES = 4096;
const MAX_PAGE_BYTES = 65_536;
/** First bytes of a log with little-endian checksums; those of one with big-endian checksums are greater by one. */
export const LOG_MAGIC = 0x377f0682;
/** Frames that are read at once. */
const FRAMES_AT_ONCE = 1_024;

/** Two 32-bit words, compared and computed as signed integers. */
type Pair = readonly [first: number, second: number];

/** Frames behind the one at which SQLite would stop. */
export interface FramesBehind {
  /** Number of the bad frame, from 1; 0 when the header of the log is bad. */
  badFrame: number;
  /** Position of the bad frame in the file. */
  offset: number;
  /** Frames behind it with the salt of the log, which only a frame of this log has. */
  frames: number;
  /** Number of these frames that end a commit. */
  commits: number;
  /** True if the bad frame has the salt of the log and the mark of the end of a commit. */
  endsCommit: boolean;
  salt: Pair;
}

/** Computes the checksum of SQLite over words, starting with that of what is before them. */
function checksum(words: Uint32Array, from: number, to: number, start: Pair, isSwapped: boolean): Pair {
  let [a, b] = start;
  for (let at = from; at < to; at += 2) {
    const [x, y] = [words[at] as number, words[at + 1] as number];
    a = (a + (isSwapped ? swapped(x) : x) + b) | 0;
    b = (b + (isSwapped ? swapped(y) : y) + a) | 0;
  }
  return [a, b];
}

const swapped = (word: number): number =>
  ((word & 0xff) << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24);

const pairAt = (bytes: Buffer, offset: number): Pair => [
  bytes.readInt32BE(offset),
  bytes.readInt32BE(offset + 4),
];
const areEqual = (one: Pair, other: Pair): boolean => one[0] === other[0] && one[1] === other[1];

const IS_LITTLE_ENDIAN = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

/** Reads the frames of a log in order, and remembers where the first bad one is and what follows it. */
class FrameScan {
  private readonly salt: Pair;
  private readonly pageBytes: number;
  private readonly isSwapped: boolean;
  /** Checksum of the frame before. */
  private before: Pair;
  private bad: FramesBehind | null = null;
  private frames = 0;

  constructor(header: Buffer, firstFrame: Buffer) {
    const magic = header.readUInt32BE(0);
    const pageBytes = header.readUInt32BE(8);
    const isPageSize = pageBytes >= 512 && pageBytes <= MAX_PAGE_BYTES && (pageBytes & (pageBytes - 1)) === 0;
    this.pageBytes = isPageSize ? pageBytes : USUAL_PAGE_BYTES;
    this.isSwapped = (magic === LOG_MAGIC + 1) === IS_LITTLE_ENDIAN;
    const sum = checksum(wordsOf(header), 0, 6, [0, 0], this.isSwapped);
    const isGood =
      (magic === LOG_MAGIC || magic === LOG_MAGIC + 1) && isPageSize && areEqual(sum, pairAt(header, 24));
    this.before = sum;
    this.salt = isGood ? pairAt(header, 16) : pairAt(firstFrame, 8);
    if (!isGood) this.bad = this.nothingBehind(0, 0, false);
  }

  get frameBytes(): number {
    return FRAME_HEADER_BYTES + this.pageBytes;
  }

  /** Returns what follows the first bad frame; null if there is none. */
  get result(): FramesBehind | null {
    return this.bad;
  }

  /** Reads one frame, which begins at `offset` of `bytes`; `words` are the same bytes. */
  next(bytes: Buffer, words: Uint32Array, offset: number): void {
    this.frames += 1;
    const isOfLog = bytes.readUInt32BE(offset) !== 0 && areEqual(pairAt(bytes, offset + 8), this.salt);
    const endsCommit = isOfLog && bytes.readUInt32BE(offset + 4) !== 0;
    if (this.bad !== null) {
      if (isOfLog) this.bad.frames += 1;
      if (endsCommit) this.bad.commits += 1;
      return;
    }
    const sum = this.sumOf(words, offset / 4);
    if (isOfLog && areEqual(sum, pairAt(bytes, offset + 16))) this.before = sum;
    else {
      const position = HEADER_BYTES + (this.frames - 1) * this.frameBytes;
      this.bad = this.nothingBehind(this.frames, position, endsCommit);
    }
  }

  private sumOf(words: Uint32Array, at: number): Pair {
    const begun = checksum(words, at, at + 2, this.before, this.isSwapped);
    return checksum(words, at + FRAME_HEADER_BYTES / 4, at + this.frameBytes / 4, begun, this.isSwapped);
  }

  private nothingBehind(badFrame: number, offset: number, endsCommit: boolean): FramesBehind {
    return { badFrame, offset, frames: 0, commits: 0, endsCommit, salt: this.salt };
  }
}

const wordsOf = (bytes: Buffer): Uint32Array =>
  new Uint32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.byteLength / 4));

/**
 * Reads a log and returns what follows its first bad frame; null if there is no bad frame, or no log: another program that closes
 * the store last copies the log and deletes it. Changes nothing.
 */
export function framesBehindBad(log: string): FramesBehind | null {
  const descriptor = openIfThere(log);
  if (descriptor === null) return null;
  try {
    const read = (bytes: Buffer, position: number): number =>
      readSync(descriptor, bytes, 0, bytes.length, position);
    const [header, first] = [Buffer.alloc(HEADER_BYTES), Buffer.alloc(FRAME_HEADER_BYTES)];
    if (read(header, 0) < HEADER_BYTES) return null;
    if (read(first, HEADER_BYTES) < FRAME_HEADER_BYTES) return null;
    const scan = new FrameScan(header, first);
    const { frameBytes } = scan;
    const bytes = Buffer.alloc(FRAMES_AT_ONCE * frameBytes);
    const words = wordsOf(bytes);
    for (let position = HEADER_BYTES; ; ) {
      const frames = Math.floor(read(bytes, position) / frameBytes);
      for (let frame = 0; frame < frames; frame++) scan.next(bytes, words, frame * frameBytes);
      if (frames < FRAMES_AT_ONCE) return scan.result;
      position += frames * frameBytes;
    }
  } finally {
    closeSync(descriptor);
  }
}

function openIfThere(file: string): number | null {
  try {
    return openSync(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Bytes of one of the two copies of the header of an index. */
const INDEX_HEADER_BYTES = 48;

/**
 * Returns the number of committed frames by the index of a log with this salt; 0 when the index is missing, incomplete
 * or of another log. SQLite counts a frame there after the frame is on the disk.
 */
export function committedFrames(index: string, salt: Pair): number {
  const bytes = Buffer.alloc(2 * INDEX_HEADER_BYTES);
  let descriptor: number;
  try {
    descriptor = openSync(index, 'r');
  } catch {
    return 0;
  }
  try {
    if (readSync(descriptor, bytes, 0, bytes.length, 0) < bytes.length) return 0;
  } finally {
    closeSync(descriptor);
  }
  const words = wordsOf(bytes);
  const header = bytes.subarray(0, INDEX_HEADER_BYTES);
  const isWhole =
    header.equals(bytes.subarray(INDEX_HEADER_BYTES)) &&
    areEqual(checksum(words, 0, 10, [0, 0], false), [(words[10] as number) | 0, (words[11] as number) | 0]);
  return isWhole && areEqual(pairAt(header, 32), salt) ? (words[4] as number) : 0;
}
