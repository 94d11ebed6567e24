import { pipeline, Readable, type Transform } from 'node:stream';
import {
  type BrotliOptions,
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  type ZlibOptions,
  type ZstdOptions,
  zstdCompress,
} from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { chooseEncoding, type Encoding } from './accept-encoding.ts';

/** A smaller response fits into one packet anyway. */
const MIN_BYTES = 1_400;
/** Responses that are compressed at the same time, in threads that the file system uses too; others are sent as they are. */
const MAX_AT_ONCE = 8;
/** Images and the like are compressed already. */
const COMPRESSIBLE = /^(?:application\/(?:json|x-ndjson|vnd\.touchstone\.span-index)|text\/(?!event-stream))/;

// Quick settings with small windows: most readers are near, and the memory of each response is bounded.
const GZIP: ZlibOptions = { level: 4 };
const BROTLI: BrotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 20 },
};
const ZSTD: ZstdOptions = {
  params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_windowLog]: 20 },
};

type Done = (error: Error | null, bytes: Uint8Array) => void;

const COMPRESSION: Readonly<
  Record<Encoding, { all: (bytes: Uint8Array | string, done: Done) => void; stream: () => Transform }>
> = {
  gzip: { all: (bytes, done) => gzip(bytes, GZIP, done), stream: () => createGzip(GZIP) },
  br: {
    all: (bytes, done) => brotliCompress(bytes, BROTLI, done),
    stream: () => createBrotliCompress(BROTLI),
  },
  zstd: { all: (bytes, done) => zstdCompress(bytes, ZSTD, done), stream: () => createZstdCompress(ZSTD) },
};

/**
 * Compresses the responses of reads whose callers accept that. Never the response of a change: it may show a secret, of
 * which its size could tell. A large response arrives here as a stream of pieces, and is compressed piece by piece.
 */
export function compressResponses(app: FastifyInstance): void {
  let running = 0;
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!isCompressible(request, reply, payload)) {
      done(null, payload);
      return;
    }
    void reply.header('vary', vary(reply.getHeader('vary')));
    const encoding = chooseEncoding(request.headers['accept-encoding']?.toString());
    const isGone = request.method === 'HEAD' || reply.raw.destroyed;
    if (encoding === null || running >= MAX_AT_ONCE || isGone) {
      done(null, payload);
      return;
    }
    running += 1;
    reply.raw.once('close', () => (running -= 1));
    void reply.header('content-encoding', encoding).removeHeader('content-length');
    if (payload instanceof Readable) done(null, compressStream(payload, encoding));
    else COMPRESSION[encoding].all(payload, done);
  });
}

function isCompressible(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): payload is string | Uint8Array | Readable {
  const { isRead = request.method === 'GET' } = request.routeOptions.config;
  if (!isRead || reply.hasHeader('content-encoding') || reply.statusCode === 304) return false;
  if (!COMPRESSIBLE.test(String(reply.getHeader('content-type') ?? ''))) return false;
  if (payload instanceof Readable) return true;
  return (typeof payload === 'string' || payload instanceof Uint8Array) && payload.length >= MIN_BYTES;
}

/** Destroys both ends if either fails or the client disconnects. */
function compressStream(pieces: Readable, encoding: Encoding): Readable {
  const compressed = COMPRESSION[encoding].stream();
  pipeline(pieces, compressed, () => undefined);
  return compressed;
}

function vary(given: number | string | string[] | undefined): string {
  const names = String(given ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name.toLowerCase() !== 'accept-encoding');
  return [...names, 'accept-encoding'].join(', ');
}
