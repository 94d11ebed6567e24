import { randomUUID } from 'node:crypto';
import { AppError } from '../errors.ts';
import type { GuardedClient, OutboundRequest } from './guarded-client.ts';
import type { Outcome, Timings } from './outcome.ts';

const MAX_LISTENERS = 100;
const MAX_PER_APPLICATION = 10;
const MAX_UNDER_WAY = 64;
/** Bytes kept of a response body. */
export const ANSWER_BYTES = 16 * 1024;

/** A request for a listener to send on: headers and bytes as the webhook would have got them. */
export interface RelayedRequest {
  id: string;
  headers: Readonly<Record<string, string>>;
  /** UTF-8 of it is what was signed. */
  body: string;
  timeoutMs: number;
}

/** Outcome of a request as a listener reports it. */
export type RelayedAnswer =
  | { status: number; headers: Readonly<Record<string, string>>; body: string }
  | { error: { kind: 'refused' | 'timeout' | 'dns' | 'lost'; message: string } };

/** The way to a listener. */
export interface Sink {
  /** False when it takes no more now; nothing of the request has gone out then. */
  send: (request: RelayedRequest) => boolean;
  /** Called once the relay has let go of the listener by itself. */
  end: () => void;
}

type Ending = (timings: Timings) => Outcome;

interface Listener {
  application: number;
  sink: Sink;
  /** Requests sent to the listener without a response yet, by id, and how to end each. */
  underWay: Map<string, (ending: Ending) => void>;
}

/** Hands requests for webhooks to listeners: programs that keep a stream open and send them on where they run. */
export class Relay {
  /** Listeners in order of arrival. */
  private readonly listeners = new Set<Listener>();
  private isClosed = false;

  /**
   * Sends the application's requests to `sink` until the returned function is called. Throws `rate_limited`,
   * `unavailable`.
   */
  listen(application: number, sink: Sink): () => void {
    if (this.isClosed) throw new AppError('unavailable', 'The server is stopping');
    const ofApplication = [...this.listeners].filter((listener) => listener.application === application);
    if (ofApplication.length >= MAX_PER_APPLICATION) {
      throw new AppError('rate_limited', `${MAX_PER_APPLICATION} listeners are connected: end one`, {
        retryAfter: 10,
      });
    }
    if (this.listeners.size >= MAX_LISTENERS) {
      throw new AppError('unavailable', `There are ${MAX_LISTENERS} listeners already`, { retryAfter: 10 });
    }
    const listener: Listener = { application, sink, underWay: new Map() };
    this.listeners.add(listener);
    return () => this.remove(listener);
  }

  /** Sends to the newest listener of the application; null = there is none. */
  clientFor(application: number): GuardedClient | null {
    const listener = [...this.listeners].findLast((one) => one.application === application);
    return listener ? { request: (request) => this.request(listener, request) } : null;
  }

  /** Ends a request with what its listener says. False when the application has no such request under way. */
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

  /** Lets go of all listeners and takes no more. */
  close(): void {
    this.isClosed = true;
    for (const listener of this.listeners) {
      this.remove(listener);
      listener.sink.end();
    }
  }

  private remove(listener: Listener): void {
    this.listeners.delete(listener);
    for (const settle of listener.underWay.values()) settle(lost(BROKEN));
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

const BROKEN = 'The connection of the listener ended before it had answered.';
const FORWARD_HINT = 'Check that the app runs and answers at the address the listener forwards to.';

const lost =
  (message: string): Ending =>
  (timings) => ({ timings, kind: 'lost', message });

const timeout =
  (message: string): Ending =>
  (timings) => ({ timings, kind: 'timeout', phase: 'headers', wasSent: true, message });

const timedOut = (timeoutMs: number): Ending =>
  timeout(`Within ${timeoutMs} ms no answer came from the listener.`);

const notTaken: Ending = (timings) => ({
  timings,
  kind: 'not_sent',
  reason: 'unreachable',
  message: 'The listener could not take the request.',
  hint: `Check that it is still connected and has fewer than ${MAX_UNDER_WAY} requests to answer.`,
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
