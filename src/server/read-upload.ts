import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { invalid } from '../contract/errors.ts';
import { MAX_UPLOAD_BYTES, type RawUpload, type UploadedFile } from '../contract/upload.ts';
import { AppError } from '../errors.ts';
import { chunkCheck } from '../ingest/http-body.ts';
import type { FairShare, Owner } from '../runtime/fair-share.ts';
import { noMemory } from '../runtime/memory-budget.ts';
import { inBlocks } from './blocks.ts';

const MAX_FIELDS = 20;
const MAX_FIELD_BYTES = 16 * 1024;
/** A file and what may be around it. */
const MAX_FORM_BYTES = MAX_UPLOAD_BYTES + 512 * 1024;
const MAX_NAME = 255;
/** Memory that an upload is charged with: its fields, and pieces of the file on their way to the disk. */
const UPLOAD_MEMORY = 512 * 1024;
const PIECE_BYTES = 64 * 1024;

export interface UploadLimits {
  /** Uploads at the same time; each may hold a file's worth of disk. */
  slots: FairShare;
  bodies: FairShare;
}

/**
 * Reads a form of `multipart/form-data`, whatever the order of its parts, and gives it to `use`. The file waits in an
 * unnamed temporary file meanwhile, so that nothing is begun with one that is too large or never ends.
 * Throws AppError `too_large`, `invalid`, `bad_request`, or `unavailable` while the application, or all together, have
 * too many uploads in progress.
 */
export async function withUpload<T>(
  request: IncomingMessage,
  owner: Owner,
  { slots, bodies }: UploadLimits,
  use: (form: RawUpload) => Promise<T>,
): Promise<T> {
  const slot = slots.open(owner);
  const memory = bodies.open(owner);
  try {
    if (!slot.tryTake(1)) {
      throw new AppError(
        'unavailable',
        'Too many uploads are in progress. Wait for them to end, then send this one again.',
      );
    }
    if (!memory.tryTake(UPLOAD_MEMORY)) {
      throw noMemory();
    }
    const spool = await openSpool();
    try {
      return await use(await receive(request, spool));
    } finally {
      await spool.close();
    }
  } finally {
    slot.close();
    memory.close();
  }
}

/** A temporary file that is gone when it is closed, and when the process dies. */
async function openSpool(): Promise<FileHandle> {
  const path = join(tmpdir(), `touchstone-upload-${randomUUID()}`);
  const spool = await open(path, 'wx+', 0o600);
  await unlink(path);
  return spool;
}

function receive(request: IncomingMessage, spool: FileHandle): Promise<RawUpload> {
  if (request.destroyed) return Promise.reject(ended());
  if (Number(request.headers['content-length'] ?? 0) > MAX_FORM_BYTES) {
    discard(request);
    return Promise.reject(tooLarge());
  }
  return new Promise((resolve, reject) => {
    const form = newForm(request);
    const blocks = inBlocks(PIECE_BYTES);
    const fields = new Map<string, string | string[]>();
    let content: Readable | null = null;
    let file: Promise<UploadedFile | null> = Promise.resolve(null);
    const checkChunk = chunkCheck(request);
    let received = 0;
    let isOver = false;

    const stop = (): void => {
      isOver = true;
      request.off('data', onData).off('close', onClose).unpipe(blocks);
    };
    const fail = (error: Error, readOn: (rest: IncomingMessage) => void = discard): void => {
      if (isOver) return;
      stop();
      readOn(request);
      blocks.destroy();
      content?.destroy();
      reject(error);
    };
    const onData = (piece: Buffer): void => {
      received += piece.length;
      const failure = checkChunk(piece);
      if (received > MAX_FORM_BYTES) fail(tooLarge());
      else if (failure) fail(failure, (rest) => rest.pause());
    };
    const onClose = (): void => {
      if (!request.complete) fail(ended());
    };

    // A part without a name has undefined, whatever the types say.
    form.on('field', (given: string | undefined, value, _nameIsCut, valueIsCut) => {
      const name = given ?? '';
      if (valueIsCut) fail(wrong('too_big', name, `must have at most ${MAX_FIELD_BYTES} bytes`));
      // A form sends the fields that nobody filled in as empty ones.
      else if (value !== '') fields.set(name, append(fields.get(name), value));
    });
    form.on('file', (given: string | undefined, stream, fileName, _encoding, mimeType) => {
      const name = given ?? '';
      content = stream;
      stream.on('error', () => fail(malformed()));
      stream.once('limit', () => fail(tooLarge()));
      if (name !== 'file') {
        fail(wrong('custom', name, 'must not be a file: the file belongs in the field `file`'));
        return;
      }
      file = store(stream, spool).then((size) => ({
        name: safeName(fileName),
        mimeType,
        size,
        stream: { [Symbol.asyncIterator]: () => contentOf(spool) },
      }));
      file.catch((error: Error) => fail(error));
    });
    form.once('filesLimit', () => fail(wrong('too_big', 'file', 'must be one file')));
    form.once('fieldsLimit', () => fail(wrong('too_big', '', `The form has more than ${MAX_FIELDS} fields`)));
    form.on('error', () => fail(malformed()));
    form.once('finish', () => {
      // A form that was rejected ends all the same, and nobody waits for its file any more.
      if (isOver) return;
      stop();
      resolve(file.then((stored) => ({ ...Object.fromEntries(fields), ...(stored && { file: stored }) })));
    });
    request.on('data', onData).once('close', onClose);
    // In blocks, for the parser and the file keep an object for each piece, however small.
    request.pipe(blocks).pipe(form);
  });
}

/**
 * Reads what a rejected sender still sends, so that it gets to see the response. `Connections` ends that after a while.
 */
function discard(request: IncomingMessage): void {
  let left = MAX_FORM_BYTES;
  request.on('data', (piece: Buffer) => {
    left -= piece.length;
    if (left < 0) request.destroy();
  });
  request.resume();
}

function newForm({ headers }: IncomingMessage): BusboyInstance {
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      limits: {
        fields: MAX_FIELDS,
        fieldSize: MAX_FIELD_BYTES,
        files: 1,
        fileSize: MAX_UPLOAD_BYTES,
        headerPairs: 20,
        headerSize: 8 * 1024,
      },
    });
  } catch {
    throw new AppError('bad_request', 'Content-Type must name the boundary of the multipart/form-data');
  }
}

/** Writes a file to `spool`; resolves to its size in bytes. */
async function store(stream: Readable, spool: FileHandle): Promise<number> {
  let size = 0;
  for await (const piece of stream.compose(inBlocks(PIECE_BYTES)) as AsyncIterable<Uint8Array>) {
    await spool.appendFile(piece);
    size += piece.length;
  }
  return size;
}

async function* contentOf(spool: FileHandle): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await spool.read(Buffer.allocUnsafe(PIECE_BYTES), 0, PIECE_BYTES, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

const append = (before: string | string[] | undefined, value: string): string | string[] =>
  before === undefined ? value : [before, value].flat();

/** Its end is kept, which tells what kind of file it is. */
const safeName = (name: string): string =>
  name
    .replaceAll(/^.*[/\\]|[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '')
    .slice(-MAX_NAME)
    .toWellFormed();

const ended = (): AppError => new AppError('bad_request', 'The request body ended early');
const malformed = (): AppError => new AppError('bad_request', 'The body is not valid multipart/form-data');
const tooLarge = (): AppError =>
  new AppError('too_large', `The file is larger than ${MAX_UPLOAD_BYTES / 1024 / 1024} MiB`);
const wrong = (code: string, field: string, message: string): AppError =>
  invalid([{ code, message, path: field === '' ? [] : [field] }]);
