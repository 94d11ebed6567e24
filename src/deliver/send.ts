import { setTimeout as delay } from 'node:timers/promises';
import type { Masker } from '../masking/masker.ts';
import type { MaskedCount } from '../masking/tally.ts';
import type { Log } from '../runtime/log.ts';
import type { CountedDelivery } from '../runtime/metric-values.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { betweenEvents } from '../runtime/steps.ts';
import type { Attempt, AttemptEnd } from './attempt.ts';
import type { GuardedClient } from './guarded-client.ts';
import { maskAnswer } from './mask-answer.ts';

/** Number of retries to store a response that the store rejected, and the pause before each. */
const STORE_RETRIES = 30;
const STORE_RETRY_MS = 1_000;

/** Masking of the parts of responses that are stored. */
export interface MaskAnswers {
  /** Returns a masker for texts of an application; null when it has no rules. */
  open: (application: number) => Promise<Masker | null>;
  count: (application: number, counts: readonly MaskedCount[]) => void;
}

export interface SendOptions {
  /** Returns the client for requests of an application; called for each request. */
  clientFor: (application: number) => GuardedClient;
  /** Stores a span of the service itself, encoded as an OTLP message. */
  storeSpan: (application: number, span: Buffer) => Promise<void>;
  masking: MaskAnswers;
  metrics: Pick<Metrics, 'deliveries'>;
  log: Log;
  now: () => number;
}

/** Sends an attempt that was recorded, and stores its span and its result. Throws the abort reason of the signal. */
export async function sendAttempt(
  { clientFor, storeSpan, masking, metrics, log, now }: SendOptions,
  attempt: Attempt,
  finish: (end: AttemptEnd) => Promise<void>,
  signal: AbortSignal,
): Promise<AttemptEnd> {
  const { application, testId } = attempt.delivery;
  const masker = await masking.open(application);
  const sent = await attempt.send(clientFor(application), now, signal);
  metrics.deliveries.inc({ outcome: countedOutcome(sent) });
  const end = masker ? await maskEnd(sent, masker) : sent;
  if (masker) masking.count(application, masker.tally.list());
  // The span links the trace to the test, so it must be stored before the attempt counts as finished.
  await storeSpan(application, end.span).catch((error: unknown) => {
    log.warn('the span of a delivery was not stored', { testId, error });
  });
  await insist(() => finish(end));
  return end;
}

/** Masks what is stored of a response; the failure quotes it. */
async function maskEnd(end: AttemptEnd, masker: Masker): Promise<AttemptEnd> {
  const delivery = await betweenEvents(maskAnswer(end.delivery, masker));
  const failure = end.failure && { ...end.failure, message: delivery.message ?? end.failure.message };
  return { ...end, delivery, failure };
}

function countedOutcome({ delivery, failure }: AttemptEnd): CountedDelivery {
  const { statusCode, outcome } = delivery;
  if (statusCode === null) return outcome === null || outcome === 'answered' ? 'lost' : outcome;
  return failure ? 'rejected' : 'accepted';
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
