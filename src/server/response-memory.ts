import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import type { FairShare } from '../runtime/fair-share.ts';
import { onceResponded } from './once-responded.ts';

/** Size below which responses are limited by the number of connections alone. */
const SMALL_BYTES = 16 * 1024;
/** Size of the pieces of larger responses, so that the progress of a slow reader is visible. */
const PIECE_BYTES = 256 * 1024;

/**
 * Charges responses to `responses` until they have been sent. A read whose response exceeds the budget is rejected
 * with `unavailable`. Any other request has taken effect by then, so its response is sent without a charge. A
 * response larger than `limit`, the size of the pool, takes all of it.
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
      const message = 'Too many large responses are waiting to be read; read them, then retry this request.';
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

/** Charges `size` bytes until the response has ended; returns false when the budget is exhausted. */
function charge(
  { principal }: FastifyRequest,
  { raw }: FastifyReply,
  size: number,
  responses: FairShare,
): boolean {
  const share = responses.open(principal?.application ?? null);
  onceResponded(raw, () => share.close());
  return share.tryTake(size);
}

/** Sends copies of the pieces, so that the original bytes can be released while the last copies are being sent. */
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

/** Releases the memory at once. V8 would do so much later, because it counts little of it. */
function letGo({ buffer, length }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0);
}
