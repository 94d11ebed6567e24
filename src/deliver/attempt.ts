import { randomBytes, randomUUID } from 'node:crypto';
import { MASK } from '../runtime/mask.ts';
import type { Failure } from '../tests/failures.ts';
import { encodeDeliverySpan } from './delivery-span.ts';
import type { FinishedDelivery, NewDelivery } from './delivery-record.ts';
import type { GuardedClient } from './guarded-client.ts';
import { failureOf, isOverloaded, isRetryable, type Outcome } from './outcome.ts';
import { sign } from './signature.ts';

/** Endpoint of the tests of an application, with its secrets in plain text. */
export interface Webhook {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Signing secrets, newest first. */
  secrets: readonly [string, ...string[]];
  timeoutMs: number;
}

export interface AttemptOf {
  application: number;
  testId: string;
  /** Trace id, 16 bytes. All attempts of a test are spans of one trace. */
  traceId: Uint8Array;
  webhook: Webhook;
  body: Buffer;
  /** Number of this attempt; the first is 1. */
  attempt: number;
  isSample: boolean;
  replayOf: string | null;
  /** Start of the attempt, in Unix milliseconds. */
  at: number;
}

/** One attempt to send a test: the record to store before it, and the request to send. */
export interface Attempt {
  delivery: NewDelivery;
  send: (client: GuardedClient, now: () => number, signal?: AbortSignal) => Promise<AttemptEnd>;
}

export interface AttemptEnd {
  delivery: FinishedDelivery;
  /** Failure of the attempt; null when the response was 200. */
  failure: Failure | null;
  /** True if the request certainly did not reach the app, so it is safe to send it again. */
  isRetryable: boolean;
  /** True if the app may have had too much to do. */
  isOverloaded: boolean;
  /** Span of the attempt, encoded as OTLP. */
  span: Buffer;
}

export const USER_AGENT = 'Touchstone';

export function prepareAttempt(of: AttemptOf): Attempt {
  const spanId = randomBytes(8);
  const id = randomUUID();
  const own = ownHeaders(of, spanId);
  // Configured headers must not replace those of the service.
  const configured = Object.fromEntries(
    Object.entries(of.webhook.headers).filter(([name]) => !Object.hasOwn(own, name.toLowerCase())),
  );
  const hidden = Object.fromEntries(Object.keys(configured).map((name) => [name, MASK]));
  const { application, testId, attempt, isSample, replayOf, at } = of;
  const delivery: NewDelivery = {
    id,
    application,
    testId,
    attempt,
    isSample,
    replayOf,
    spanId,
    sentAt: at,
    url: of.webhook.url,
    requestHeaders: { ...hidden, ...own },
    requestBody: of.body,
  };
  const send: Attempt['send'] = async (client, now, signal) => {
    const outcome = await client.request({
      url: of.webhook.url,
      method: 'POST',
      headers: { ...configured, ...own },
      body: of.body,
      timeoutMs: of.webhook.timeoutMs,
      ...(signal && { signal }),
    });
    return attemptEnd(of, delivery, outcome, now());
  };
  return { delivery, send };
}

function ownHeaders(
  { testId, traceId, webhook, body, at }: AttemptOf,
  spanId: Buffer,
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    traceparent: `00-${Buffer.from(traceId).toString('hex')}-${spanId.toString('hex')}-01`,
    baggage: `service.test.id=${testId}`,
    ...sign({ secrets: webhook.secrets, id: testId, body, timestampMs: at }),
  };
}

function attemptEnd(of: AttemptOf, begun: NewDelivery, outcome: Outcome, finishedAt: number): AttemptEnd {
  const failure = failureOf(outcome);
  const answer = outcome.kind === 'answered' ? outcome : null;
  const message = failure?.message ?? null;
  return {
    delivery: {
      id: begun.id,
      application: of.application,
      testId: of.testId,
      outcome: outcome.kind,
      statusCode: answer?.status ?? null,
      message,
      responseHeaders: answer?.headers ?? null,
      responseBody: answer?.body ?? null,
      timings: { ...outcome.timings },
      finishedAt,
    },
    failure,
    isRetryable: isRetryable(outcome),
    isOverloaded: isOverloaded(outcome),
    span: encodeDeliverySpan({
      traceId: of.traceId,
      spanId: begun.spanId,
      testId: of.testId,
      url: of.webhook.url,
      startedAt: of.at,
      finishedAt,
      statusCode: answer?.status ?? null,
      error: message,
    }),
  };
}

/** Returns the result of an attempt that was cancelled. */
export function cancelledDelivery(
  { id, application, testId }: NewDelivery,
  finishedAt: number,
): FinishedDelivery {
  return {
    id,
    application,
    testId,
    finishedAt,
    outcome: 'cancelled',
    statusCode: null,
    message: 'The test was cancelled.',
    responseHeaders: null,
    responseBody: null,
    timings: {},
  };
}
