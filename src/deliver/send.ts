import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../runtime/log.ts';
import type { Attempt, AttemptEnd } from './attempt.ts';
import type { GuardedClient } from './guarded-client.ts';

/** Number of retries to store a response that the store rejected, and the pause before each. */
const STORE_RETRIES = 30;
const STORE_RETRY_MS = 1_000;

export interface SendOptions {
  /** Returns the client for requests of an application; called for each request. */
  clientFor: (application: number) => GuardedClient;
  /** Stores a span of the service itself, encoded as an OTLP message. */
  storeSpan: (application: number, span: Buffer) => Promise<void>;
  log: Log;
  now: () => number;
}

/** Sends an attempt that was recorded, and stores its span and its result. Throws the abort reason of the signal. */
export async function sendAttempt(
  { clientFor, storeSpan, log, now }: SendOptions,
  attempt: Attempt,
  finish: (end: AttemptEnd) => Promise<void>,
  signal: AbortSignal,
): Promise<AttemptEnd> {
  const { application, testId } = attempt.delivery;
  const end = await attempt.send(clientFor(application), now, signal);
  // The span links the trace to the test, so it must be stored before the attempt counts as finished.
  await storeSpan(application, end.span).catch((error: unknown) => {
    log.warn('the span of a delivery was not stored', { testId, error });
  });
  await insist(() => finish(end));
  return end;
}

/**
 * Stores a result, with retries: a busy store must not lose the response, without which it is unknown whether the app
 * ran.
 */
async function insist(store: () => Promise<void>): Promise<void> {
  for (let left = STORE_RETRIES; ; left -= 1) {
    try {
      return await store();
    } catch (error) {
      if (left === 0) throw error;
      await delay(STORE_RETRY_MS);
    }
  }
}
