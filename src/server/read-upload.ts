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

const MAX_FIELDS = 20;
const MAX_FIELD_BYTES = 16 * 1024;
/** A file and what may be around it. */
const MAX_FORM_BYTES = MAX_UPLOAD_BYTES + 512 * 1024;
const MAX_NAME = 255;
/** Each of them may hold a file's worth of disk. */
const MAX_AT_ONCE = 8;
const PIECE_BYTES = 16 * 1024;

let underWay = 0;

/**
 * Reads a form of `multipart/form-data`, whatever the order of its parts, and gives it to `use`. The file waits in an
 * unnamed temporary file meanwhile, so that nothing is begun with one that is too large or never ends.
 * Throws AppError `too_large`, `invalid`, `bad_request`, or `unavailable` while too many uploads are under way.
 */
export async function withUpload<T>(
  request: IncomingMessage,
  use: (form: RawUpload) => Promise<T>,
): Promise<T> {
  if (underWay >= MAX_AT_ONCE) throw new AppError('unavailable', 'Too many uploads at once; send again');
  underWay += 1;
  try {
    const spool = await openSpool();
    try {
      return await use(await receive(request, spool));
    } finally {
      await spool.close();
    }
  } finally {
    underWay -= 1;
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
    const fields = new Map<string, string | string[]>();
    let content: Readable | null = null;
    let file: Promise<UploadedFile | null> = Promise.resolve(null);
    let received = 0;
    let isOver = false;

    const stop = (): void => {
      isOver = true;
      request.off('data', onData).off('close', onClose).unpipe(form);
    };
    const fail = (error: Error): void => {
      if (isOver) return;
      stop();
      discard(request);
      content?.destroy();
      reject(error);
    };
    const onData = (piece: Buffer): void => {
      received += piece.length;
      if (received > MAX_FORM_BYTES) fail(tooLarge());
    };
    const onClose = (): void => {
      if (!request.complete) fail(ended());
    };

    form.on('field', (name, value, _nameIsCut, valueIsCut) => {
      if (valueIsCut) fail(wrong('too_big', name, `must have at most ${MAX_FIELD_BYTES} bytes`));
      // A form sends the fields that nobody filled in as empty ones.
      else if (value !== '') fields.set(name, append(fields.get(name), value));
    });
    form.on('file', (name, stream, fileName, _encoding, mimeType) => {
      content = stream;
      stream.on('error', () => fail(malformed()));
      stream.once('limit', () => fail(tooLarge()));
      if (name !== 'file') {
        fail(wrong('custom', name, 'must be no file: the file belongs in the field `file`'));
        return;
      }
      file = store(stream, spool).then((size) => ({
        name: safeName(fileName),
        mimeType,
        size,
        stream: { [Symbol.asyncIterator]: () => contentOf(spool) },
      }));
      file.catch(fail);
    });
    form.once('filesLimit', () => fail(wrong('too_big', 'file', 'must be one file')));
    form.once('fieldsLimit', () => fail(wrong('too_big', '', `The form has more than ${MAX_FIELDS} fields`)));
    form.on('error', () => fail(malformed()));
    form.once('finish', () => {
      stop();
      resolve(file.then((stored) => ({ ...Object.fromEntries(fields), ...(stored && { file: stored }) })));
    });
    request.on('data', onData).once('close', onClose).pipe(form);
  });
}

/** Reads what a refused sender still sends, so that it comes to see the answer; from one that never ends not for ever. */
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

/** How many bytes there were. */
async function store(stream: Readable, spool: FileHandle): Promise<number> {
  let size = 0;
  for await (const piece of stream as AsyncIterable<Uint8Array>) {
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

const ended = (): AppError => new AppError('bad_request', 'The body ended before it was whole');
const malformed = (): AppError => new AppError('bad_request', 'The body is not valid multipart/form-data');
const tooLarge = (): AppError =>
  new AppError('too_large', `The file is larger than ${MAX_UPLOAD_BYTES / 1024 / 1024} MiB`);
const wrong = (code: string, field: string, message: string): AppError =>
  invalid([{ code, message, path: field === '' ? [] : [field] }]);
