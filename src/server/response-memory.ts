import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import type { FairShare } from '../runtime/fair-share.ts';

/** Smaller responses are limited by the number of connections alone. */
const SMALL_BYTES = 16 * 1024;
/** A larger response is sent in pieces of this size, so that a slow reader's progress shows. */
const PIECE_BYTES = 256 * 1024;

/**
 * Charges responses to `responses` until they have been sent. A read whose response has no room is rejected as
 * `unavailable`; anything else has been done by then, so its response is sent uncharged. A response that is larger than
 * `limit`, the size of the whole pool, takes all of it.
 */
export function chargeResponses(app: FastifyInstance, responses: FairShare, limit: number): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!isLarge(payload) || request.method === 'HEAD') {
      done(null, payload);
      return;
    }
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
    const { isRead = request.method === 'GET', isShared = false } = request.routeOptions.config;
    if (!isShared && !charge(request, reply, Math.min(bytes.length, limit), responses) && isRead) {
      letGo(bytes);
      const message =
        'Too many large responses are waiting to be read. Read them, then send this request again.';
      done(new AppError('unavailable', message));
      return;
    }
    if (bytes.length <= PIECE_BYTES) {
      done(null, bytes);
      return;
    }
    void reply.header('content-length', String(bytes.length));
    done(null, inPieces(bytes, isShared));
  });
}

const isLarge = (payload: unknown): payload is string | Uint8Array =>
  (typeof payload === 'string' || payload instanceof Uint8Array) && payload.length > SMALL_BYTES;

/** Takes `size` bytes until the response has ended; false when there is no room. */
function charge(
  { scope }: FastifyRequest,
  { raw }: FastifyReply,
  size: number,
  responses: FairShare,
): boolean {
  const share = responses.open(scope?.application ?? null);
  if (raw.destroyed) share.close();
  else raw.once('close', () => share.close());
  return share.tryTake(size);
}

/** Sends copies of the pieces, so that the bytes themselves can be let go of while the last ones are on their way. */
function inPieces(bytes: Uint8Array, isShared: boolean): Readable {
  let at = 0;
  return new Readable({
    read() {
      this.push(at < bytes.length ? Buffer.from(bytes.subarray(at, at + PIECE_BYTES)) : null);
      at += PIECE_BYTES;
    },
    destroy(error, done) {
      if (!isShared) letGo(bytes);
      done(error);
    },
  });
}

/** Frees the memory at once. V8 would do so much later, as it weighs little of it. */
function letGo({ buffer, length }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0);
}
