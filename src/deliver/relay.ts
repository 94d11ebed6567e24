import { randomUUID } from 'node:crypto';
import { AppError } from '../errors.ts';
import type { GuardedClient, OutboundRequest } from './guarded-client.ts';
import type { Outcome, Timings } from './outcome.ts';

const MAX_LISTENERS = 100;
const MAX_PER_APPLICATION = 10;
const MAX_UNDER_WAY = 64;
/** Bytes of a response body that are kept. */
export const ANSWER_BYTES = 16 * 1024;

/** A request for a listener to forward, with the headers and bytes that the webhook would have received. */
export interface RelayedRequest {
  id: string;
  headers: Readonly<Record<string, string>>;
  /** Body of the request; its UTF-8 form was signed. */
  body: string;
  timeoutMs: number;
}

/** Outcome of a request as a listener reports it. */
export type RelayedAnswer =
  | { status: number; headers: Readonly<Record<string, string>>; body: string }
  | { error: { kind: 'refused' | 'timeout' | 'dns' | 'lost'; message: string } };

/** Connection to a listener. */
export interface Sink {
  /** Sends a request; returns false, without sending any part of it, when the listener cannot accept more now. */
  send: (request: RelayedRequest) => boolean;
  /** Called once when the relay itself disconnects the listener. */
  end: () => void;
}

type Ending = (timings: Timings) => Outcome;

interface Listener {
  application: number;
  sink: Sink;
  /** Requests that the listener has not responded to yet: id → function that ends the request. */
  underWay: Map<string, (ending: Ending) => void>;
}

/**
 * Passes webhook requests to listeners: programs that keep a stream open and forward requests on their own machine.
 */
export class Relay {
  /** Listeners in order of arrival. */
  private readonly listeners = new Set<Listener>();
  private isClosed = false;

  /**
   * Sends the application's requests to `sink` until the returned function is called, which ends the requests in progress
   * with a reason. Throws `rate_limited` and `unavailable`.
   */
  listen(application: number, sink: Sink): (reason?: string) => void {
    if (this.isClosed) throw new AppError('unavailable', 'the server is stopping');
    const ofApplication = [...this.listeners].filter((listener) => listener.application === application);
    if (ofApplication.length >= MAX_PER_APPLICATION) {
      throw new AppError(
        'rate_limited',
        `${MAX_PER_APPLICATION} listeners of this application are connected; disconnect one first`,
        {
          retryAfter: 10,
        },
      );
    }
    if (this.listeners.size >= MAX_LISTENERS) {
      throw new AppError('unavailable', `${MAX_LISTENERS} listeners are connected, the most of this server`, {
        retryAfter: 10,
      });
    }
    const listener: Listener = { application, sink, underWay: new Map() };
    this.listeners.add(listener);
    return (reason) => this.remove(listener, reason);
  }

  /** Returns a client that sends to the newest listener of the application; null when there is none. */
  clientFor(application: number): GuardedClient | null {
    const listener = [...this.listeners].findLast((one) => one.application === application);
    return listener ? { request: (request) => this.request(listener, request) } : null;
  }

  /**
   * Ends a request with the response of its listener. Returns false when the application has no such request in
   * progress.
   */
  answer(application: number, id: string, answer: RelayedAnswer): boolean {
    for (const listener of this.listeners) {
      const settle = listener.application === application ? listener.underWay.get(id) : undefined;
      if (!settle) continue;
      listener.underWay.delete(id);
      settle(answered(answer));
      return true;
    }
    return false;
  }

  /** Disconnects all listeners and accepts no new ones. */
  close(): void {
    this.isClosed = true;
    for (const listener of this.listeners) {
      this.remove(listener);
      listener.sink.end();
    }
  }

  private remove(listener: Listener, reason = BROKEN): void {
    this.listeners.delete(listener);
    for (const settle of listener.underWay.values()) settle(lost(reason));
    listener.underWay.clear();
  }

  /** Sends a request through a listener; same contract as GuardedClient. */
  private async request(
    listener: Listener,
    { headers, body, timeoutMs, signal }: OutboundRequest,
  ): Promise<Outcome> {
    signal?.throwIfAborted();
    const startedAt = performance.now();
    const { promise, resolve, reject } = Promise.withResolvers<Ending>();
    const abort = (): void => reject(signal?.reason as Error);
    signal?.addEventListener('abort', abort);
    const timer = setTimeout(() => resolve(timedOut(timeoutMs)), timeoutMs);
    const id = randomUUID();
    const request: RelayedRequest = { id, headers, body: body.toString('utf8'), timeoutMs };
    const isTaken =
      this.listeners.has(listener) && listener.underWay.size < MAX_UNDER_WAY && listener.sink.send(request);
    if (isTaken) listener.underWay.set(id, resolve);
    else resolve(notTaken);
    try {
      const ending = await promise;
      return ending({ totalMs: performance.now() - startedAt });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      listener.underWay.delete(id);
    }
  }
}

const BROKEN = 'The listener disconnected before it responded.';
const FORWARD_HINT = 'Check that the app runs and responds at the address to which the listener forwards.';

const lost =
  (message: string): Ending =>
  (timings) => ({ timings, kind: 'lost', message });

const timeout =
  (message: string): Ending =>
  (timings) => ({ timings, kind: 'timeout', phase: 'headers', wasSent: true, message });

const timedOut = (timeoutMs: number): Ending =>
  timeout(`The listener did not respond within ${timeoutMs} ms.`);

const notTaken: Ending = (timings) => ({
  timings,
  kind: 'not_sent',
  reason: 'unreachable',
  message: 'The listener could not accept the request.',
  hint: `Check that it is still connected and has fewer than ${MAX_UNDER_WAY} requests in progress.`,
});

function answered(answer: RelayedAnswer): Ending {
  if (!('error' in answer)) return response(answer);
  const { kind: reason, message } = answer.error;
  if (reason === 'lost') return lost(message);
  if (reason === 'timeout') return timeout(message);
  return (timings) => ({ timings, kind: 'not_sent', reason, message, hint: FORWARD_HINT });
}

function response({ status, headers, body }: Extract<RelayedAnswer, { status: number }>): Ending {
  const bytes = Buffer.from(body);
  return (timings) => ({
    timings,
    kind: 'answered',
    status,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    body: bytes.subarray(0, ANSWER_BYTES),
    bodyBytes: bytes.length,
    truncated: bytes.length > ANSWER_BYTES,
  });
}
