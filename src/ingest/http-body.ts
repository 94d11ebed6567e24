import type { IncomingMessage } from 'node:http';
import { AppError } from '../errors.ts';
import type { MemoryBudget } from '../runtime/memory-budget.ts';

/** Beside its bytes, what a request under way takes of memory, roughly. */
const REQUEST_OVERHEAD = 2_048;

export interface Body {
  /** In a buffer of its own, so that it can move to another thread. */
  bytes: Uint8Array<ArrayBuffer>;
  /** Charged to the budget; the caller releases it when the request is answered. */
  charged: number;
}

/** The sender hung up before its body was whole; there is nobody left to answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/**
 * Reads a body whole, charging the budget as bytes come. Never needs a Content-Length.
 * Throws AppError `too_large` over `limit`, `unavailable` over the budget – in both cases the rest is not read –
 * and ClientGone when the sender hangs up.
 */
export function readBody(request: IncomingMessage, limit: number, budget: MemoryBudget): Promise<Body> {
  // Who hung up before this has no event left to tell of it.
  if (request.destroyed) return Promise.reject(new ClientGone('the sender hung up'));
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > limit) return Promise.reject(tooLarge(limit));
  if (!budget.tryCharge(REQUEST_OVERHEAD)) return Promise.reject(busy());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let charged = REQUEST_OVERHEAD;
    const stop = (): void => {
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
    };
    const fail = (error: Error): void => {
      stop();
      request.pause();
      budget.release(charged);
      reject(error);
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > limit) return fail(tooLarge(limit));
      if (!budget.tryCharge(chunk.length)) return fail(busy());
      charged += chunk.length;
      chunks.push(chunk);
    };
    const onEnd = (): void => {
      stop();
      const bytes = new Uint8Array(size);
      let at = 0;
      for (const chunk of chunks) {
        bytes.set(chunk, at);
        at += chunk.length;
      }
      resolve({ bytes, charged });
    };
    const onClose = (): void => fail(new ClientGone('the sender hung up'));
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

function tooLarge(limit: number): AppError {
  return new AppError('too_large', `the body is larger than ${limit} bytes; send smaller batches`);
}

function busy(): AppError {
  return new AppError('unavailable', 'no memory left for this request right now; send again');
}
