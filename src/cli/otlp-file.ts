import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { StartupError } from '../errors.ts';
import { OtlpDecodeError } from '../ingest/otlp/decode-error.ts';
import { encodeLogsJson, encodeTracesJson } from '../ingest/otlp/json-to-protobuf.ts';

/** Largest line or message of a file. */
const MAX_PART_BYTES = 256 * 1024 * 1024;
const GZIP = Buffer.from('1f8b', 'hex');
const ZSTD = Buffer.from('28b52ffd', 'hex');
const NEWLINE = 10;
const BRACE = 0x7b;

export type FileSignal = 'traces' | 'logs';

/** A line or a message of a file, as the request that it makes. */
export interface OtlpPart {
  signal: FileSignal;
  /** Protobuf bytes. */
  bytes: Buffer;
  /** Bytes of the file that have been read. */
  fileBytes: number;
}

/**
 * Yields the spans and log records of a file of the OpenTelemetry Collector or of an export: lines of OTLP/JSON, or protobuf
 * messages after four bytes of length; compressed with gzip or zstd, or not. Metrics are skipped. Throws StartupError.
 */
export async function* readOtlpFile(path: string): AsyncGenerator<OtlpPart, void> {
  let fileBytes = 0;
  let number = 0;
  for await (const { part, isJson } of partsOf(path, (count) => (fileBytes += count))) {
    number += 1;
    const signal = isJson ? signalOf(part) : 'traces';
    if (signal === null) continue;
    try {
      yield { signal, bytes: isJson ? encode(signal, part) : part, fileBytes };
    } catch (error) {
      if (!(error instanceof OtlpDecodeError)) throw error;
      throw new StartupError(`${path}, line ${number}: ${error.message}`);
    }
  }
}

const encode = (signal: FileSignal, line: Buffer): Buffer =>
  signal === 'logs' ? encodeLogsJson(line) : encodeTracesJson(line);

/** Returns the signal of a line by its first member; null for metrics. */
function signalOf(line: Buffer): FileSignal | null {
  const name = /^\s*\{\s*"resource_?(\w+)"/.exec(line.toString('latin1', 0, 64))?.[1]?.toLowerCase();
  if (name === 'metrics') return null;
  return name === 'logs' ? 'logs' : 'traces';
}

interface Part {
  part: Buffer;
  isJson: boolean;
}

/** Yields the lines or messages of a file. */
async function* partsOf(path: string, onRead: (bytes: number) => void): AsyncGenerator<Part, void> {
  const tooLarge = new StartupError(`${path} has a line or message of more than ${MAX_PART_BYTES} bytes.`);
  let waiting: Buffer[] = [];
  let size = 0;
  let isJson: boolean | null = null;
  for await (const chunk of openedFile(path, onRead)) {
    isJson ??= chunk[0] === BRACE;
    waiting.push(chunk);
    size += chunk.length;
    if (size > MAX_PART_BYTES) throw tooLarge;
    // Joined only when a part has become complete, because a large part has many chunks.
    if (isJson ? !chunk.includes(NEWLINE) : size < neededBytes(waiting)) continue;
    const { parts, rest } = isJson ? linesOf(Buffer.concat(waiting)) : messagesOf(Buffer.concat(waiting));
    for (const part of parts) yield { part, isJson };
    [waiting, size] = [[rest], rest.length];
    if (!isJson && neededBytes(waiting) > MAX_PART_BYTES) throw tooLarge;
  }
  const last = Buffer.concat(waiting);
  if (isJson !== true && last.length > 0)
    throw new StartupError(`${path} ends within a message; it is incomplete, or not a file of OTLP.`);
  if (last.toString('latin1').trim() !== '') yield { part: last, isJson: true };
}

/** Returns the size of the first message with its length; what is needed to read the length if that is incomplete. */
function neededBytes(waiting: readonly Buffer[]): number {
  let first = waiting[0] ?? Buffer.alloc(0);
  if (first.length < 4) first = Buffer.concat(waiting);
  return first.length < 4 ? 4 : 4 + first.readUInt32BE();
}

function linesOf(bytes: Buffer): { parts: Buffer[]; rest: Buffer } {
  const parts: Buffer[] = [];
  let from = 0;
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
    const line = bytes.subarray(from, end);
    if (line.some((byte) => byte > 0x20)) parts.push(line);
    from = end + 1;
  }
  return { parts, rest: bytes.subarray(from) };
}

function messagesOf(bytes: Buffer): { parts: Buffer[]; rest: Buffer } {
  const parts: Buffer[] = [];
  let from = 0;
  while (bytes.length - from >= 4) {
    const end = from + 4 + bytes.readUInt32BE(from);
    if (end > bytes.length) break;
    parts.push(bytes.subarray(from + 4, end));
    from = end;
  }
  return { parts, rest: bytes.subarray(from) };
}

/** Opens a file and decompresses it by its first bytes. */
function openedFile(path: string, onRead: (bytes: number) => void): AsyncIterable<Buffer> {
  const first = firstBytes(path);
  const file = createReadStream(path).on('data', (chunk) => onRead(chunk.length));
  const decompress = first.subarray(0, 2).equals(GZIP)
    ? createGunzip()
    : first.equals(ZSTD)
      ? createZstdDecompress()
      : null;
  if (!decompress) return file;
  file.on('error', (error) => decompress.destroy(error));
  return file.pipe(decompress);
}

function firstBytes(path: string): Buffer {
  const bytes = Buffer.alloc(4);
  const descriptor = openSync(path, 'r');
  try {
    return bytes.subarray(0, readSync(descriptor, bytes));
  } finally {
    closeSync(descriptor);
  }
}
