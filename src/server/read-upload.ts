import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { invalid } from '../contract/errors.ts';
import { MAX_UPLOAD_BYTES, type RawUpload, type UploadedFile } from '../contract/upload.ts';
import { AppError } from '../errors.ts';
import { chunkCheck } from '../ingest/http-body.ts';
import type { FairShare, ShareOwner } from '../runtime/fair-share.ts';
import { unlessRevoked } from '../runtime/open-calls.ts';
import { noMemory } from '../runtime/memory-budget.ts';
import { inBuffers } from './buffers.ts';

const MAX_FIELDS = 20;
const MAX_FIELD_BYTES = 16 * 1024;
/** Largest size of a form: its file and the other parts. */
const MAX_FORM_BYTES = MAX_UPLOAD_BYTES + 512 * 1024;
const MAX_NAME = 255;
/** Memory charged for an upload: its fields, and buffers of the file that are being written. */
const UPLOAD_MEMORY = 512 * 1024;
const BUFFER_BYTES = 64 * 1024;

export interface UploadLimits {
  /** Concurrent uploads; each may occupy disk space for one file. */
  slots: FairShare;
  bodies: FairShare;
}

/** A body that is the file itself: its name, and the fields that a form would have. */
export interface PlainFile {
  name: string;
  fields: Readonly<Record<string, string | string[]>>;
}

interface UploadSender {
  owner: ShareOwner;
  /** The body if it is the file itself; null for a form. */
  plain: PlainFile | null;
  /** Ends the upload with its reason. */
  revoked: AbortSignal;
}

/**
 * Reads a form of `multipart/form-data`, with its parts in any order, or a body that is a file, and passes it to `use`.
 * The file is first written to an unnamed temporary file, so that no work starts on a file that is too large or never
 * ends.
 * Throws AppError `too_large`, `invalid`, `bad_request`, or `unavailable` while the application, or all together, have
 * too many uploads in progress.
 */
export async function withUpload<T>(
  request: IncomingMessage,
  { owner, plain, revoked }: UploadSender,
  { slots, bodies }: UploadLimits,
  use: (form: RawUpload) => Promise<T>,
): Promise<T> {
  const slot = slots.open(owner);
  const memory = bodies.open(owner);
  try {
    if (!slot.tryTake(1)) {
      throw new AppError('unavailable', 'Too many uploads are in progress; wait until they end, then retry.');
    }
    if (!memory.tryTake(UPLOAD_MEMORY)) {
      throw noMemory();
    }
    const spool = await openSpool();
    try {
      return await use(
        await (plain ? receiveFile(request, spool, plain, revoked) : receive(request, spool, revoked)),
      );
    } finally {
      await spool.close();
    }
  } finally {
    slot.close();
    memory.close();
  }
}

/** Opens a temporary file that disappears when it is closed or the process dies. */
async function openSpool(): Promise<FileHandle> {
  const path = join(tmpdir(), `touchstone-upload-${randomUUID()}`);
  const spool = await open(path, 'wx+', 0o600);
  await unlink(path);
  return spool;
}

function receive(request: IncomingMessage, spool: FileHandle, revoked: AbortSignal): Promise<RawUpload> {
  if (request.destroyed) return Promise.reject(ended());
  if (Number(request.headers['content-length'] ?? 0) > MAX_FORM_BYTES) {
    discard(request);
    return Promise.reject(tooLarge());
  }
  return new FormReceiver(request, spool).receive(revoked);
}

/** Receives a body that is the file itself. */
async function receiveFile(
  request: IncomingMessage,
  spool: FileHandle,
  { name, fields }: PlainFile,
  revoked: AbortSignal,
): Promise<RawUpload> {
  if (request.destroyed) throw ended();
  try {
    const size = await unlessRevoked(revoked, store(Readable.from(checkedPieces(request, revoked)), spool));
    const mimeType = request.headers['content-type'] ?? '';
    return { ...fields, file: { name, mimeType, size, stream: streamOf(spool) } };
  } catch (error) {
    if (error instanceof AppError) discard(request);
    throw error instanceof AppError || request.complete ? error : ended();
  }
}

/** Yields the pieces of a body. Throws `too_large`, the reason of `revoked`, and `bad_request` for many tiny pieces. */
async function* checkedPieces(request: IncomingMessage, revoked: AbortSignal): AsyncGenerator<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_UPLOAD_BYTES) throw tooLarge();
  const checkChunk = chunkCheck(request);
  let received = 0;
  for await (const piece of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    revoked.throwIfAborted();
    received += piece.length;
    const fault = received > MAX_UPLOAD_BYTES ? tooLarge() : checkChunk(piece);
    if (fault) throw fault;
    yield piece;
  }
}

/** Receives one form. Its first fault rejects it; later data is ignored. */
class FormReceiver {
  private readonly request: IncomingMessage;
  private readonly spool: FileHandle;
  private readonly form: BusboyInstance;
  /** Joins chunks, because the parser and the file allocate an object for each, however small. */
  private readonly buffers = inBuffers(BUFFER_BYTES);
  private readonly checkChunk: ReturnType<typeof chunkCheck>;
  private readonly result = Promise.withResolvers<RawUpload>();
  private readonly fields = new Map<string, string | string[]>();
  private content: Readable | null = null;
  private file: Promise<UploadedFile | null> = Promise.resolve(null);
  private received = 0;
  private isOver = false;

  /** Throws `bad_request` if the headers do not describe a form. */
  constructor(request: IncomingMessage, spool: FileHandle) {
    this.request = request;
    this.spool = spool;
    this.form = newForm(request);
    this.checkChunk = chunkCheck(request);
  }

  receive(revoked: AbortSignal): Promise<RawUpload> {
    const onRevoked = (): void => this.fail(revoked.reason as Error);
    if (revoked.aborted) {
      onRevoked();
      return this.result.promise;
    }
    revoked.addEventListener('abort', onRevoked);
    const { form, request } = this;
    // The name is undefined for a part without one, contrary to the types.
    form.on('field', (name: string | undefined, value, _nameIsTruncated, valueIsTruncated) =>
      this.onField(name ?? '', value, valueIsTruncated),
    );
    form.on('file', (name: string | undefined, stream, fileName, _encoding, mimeType) =>
      this.onFile(name ?? '', stream, { name: safeName(fileName), mimeType }),
    );
    form.once('filesLimit', () => this.fail(wrong('too_big', 'file', 'must be one file')));
    form.once('fieldsLimit', () =>
      this.fail(wrong('too_big', '', `The form has more than ${MAX_FIELDS} fields`)),
    );
    form.on('error', () => this.fail(malformed()));
    form.once('finish', () => this.onFinish());
    request.on('data', this.onData).once('close', this.onClose);
    request.pipe(this.buffers).pipe(form);
    return this.result.promise;
  }

  private readonly onData = (chunk: Buffer): void => {
    this.received += chunk.length;
    const failure = this.checkChunk(chunk);
    if (this.received > MAX_FORM_BYTES) this.fail(tooLarge());
    else if (failure) this.fail(failure, (rest) => rest.pause());
  };

  private readonly onClose = (): void => {
    if (!this.request.complete) this.fail(ended());
  };

  private onField(name: string, value: string, isTruncated: boolean): void {
    if (isTruncated) this.fail(wrong('too_big', name, `must have at most ${MAX_FIELD_BYTES} bytes`));
    // A form sends empty values for fields that were not filled in.
    else if (value !== '') this.fields.set(name, append(this.fields.get(name), value));
  }

  private onFile(field: string, stream: Readable, about: Pick<UploadedFile, 'name' | 'mimeType'>): void {
    this.content = stream;
    stream.on('error', () => this.fail(malformed()));
    stream.once('limit', () => this.fail(tooLarge()));
    if (field !== 'file') {
      this.fail(wrong('custom', field, 'must not be a file: the file belongs in the field `file`'));
      return;
    }
    const { spool } = this;
    this.file = store(stream, spool).then((size) => ({
      ...about,
      size,
      stream: streamOf(spool),
    }));
    this.file.catch((error: Error) => this.fail(error));
  }

  private onFinish(): void {
    // A rejected form finishes too, but its file is no longer needed.
    if (this.isOver) return;
    this.stop();
    this.result.resolve(
      this.file.then((file) => ({ ...Object.fromEntries(this.fields), ...(file && { file }) })),
    );
  }

  private fail(error: Error, readOn: (rest: IncomingMessage) => void = discard): void {
    if (this.isOver) return;
    this.stop();
    readOn(this.request);
    this.buffers.destroy();
    this.content?.destroy();
    this.result.reject(error);
  }

  private stop(): void {
    this.isOver = true;
    this.request.off('data', this.onData).off('close', this.onClose).unpipe(this.buffers);
  }
}

/**
 * Reads the rest of a rejected body, so that its sender can read the response. `Connections` ends this after a while.
 */
function discard(request: IncomingMessage): void {
  let left = MAX_FORM_BYTES;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
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
    throw new AppError('bad_request', 'Content-Type multipart/form-data must have a boundary');
  }
}

/** Writes a file to `spool`; resolves to its size in bytes. */
async function store(stream: Readable, spool: FileHandle): Promise<number> {
  let size = 0;
  for await (const buffer of stream.compose(inBuffers(BUFFER_BYTES)) as AsyncIterable<Uint8Array>) {
    await spool.appendFile(buffer);
    size += buffer.length;
  }
  return size;
}

const streamOf = (spool: FileHandle): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => contentOf(spool),
});

async function* contentOf(spool: FileHandle): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await spool.read(
      Buffer.allocUnsafe(BUFFER_BYTES),
      0,
      BUFFER_BYTES,
      position,
    );
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

const append = (before: string | string[] | undefined, value: string): string | string[] =>
  before === undefined ? value : [before, value].flat();

/** Keeps the end of the name, which has the extension. */
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
