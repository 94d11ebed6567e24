import type { Failure } from '../tests/failures.ts';
import { withQuote } from '../tests/message-quote.ts';
import { quoteAnswer } from './quote-answer.ts';

/** Duration of each step in milliseconds. Steps that were not reached or not needed are absent. */
export interface Timings {
  dnsMs?: number;
  connectMs?: number;
  tlsMs?: number;
  /** Milliseconds from the open connection to the response headers. */
  headersMs?: number;
  totalMs: number;
}

export type NotSentReason = 'dns' | 'refused' | 'tls' | 'blocked' | 'unreachable' | 'invalid_url';

/** Outcome of one request. `message` contains host and port, but never headers, bodies or secrets. */
export type Outcome = { timings: Timings } & (
  | {
      kind: 'answered';
      status: number;
      /** Header names in lower case. Values of a repeated header are joined by `, `. */
      headers: Readonly<Record<string, string>>;
      /** First bytes of the response body. */
      body: Buffer;
      /** Number of bytes read of the body. */
      bodyBytes: number;
      /** True if the response body was longer than `body`. */
      truncated: boolean;
    }
  /** The request certainly did not reach the app. */
  | { kind: 'not_sent'; reason: NotSentReason; message: string; hint: string }
  | { kind: 'timeout'; phase: TimeoutPhase; wasSent: boolean; message: string }
  /** The connection broke, or the response was not HTTP, after the request may have reached the app. */
  | { kind: 'lost'; message: string }
);

export type TimeoutPhase = 'connect' | 'headers' | 'body';

/**
 * Returns why the delivery failed; null when the app accepted it. Only status 200 means acceptance. The message quotes the
 * beginning of what the app responded.
 */
export function failureOf(outcome: Outcome): Failure | null {
  if (outcome.kind === 'answered') {
    const { status } = outcome;
    if (status === 200) return null;
    const message = withQuote(`The webhook responded with status ${status}`, quoteAnswer(outcome));
    return { code: 'webhook_status', message, hint: statusHint(status) };
  }
  const { message } = outcome;
  if (outcome.kind === 'timeout') {
    return { code: 'webhook_timeout', message, hint: TIMEOUT_HINTS[outcome.phase] };
  }
  if (outcome.kind === 'lost') return { code: 'delivery_unknown', message, hint: LOST_HINT };
  const code = outcome.reason === 'blocked' ? 'webhook_blocked_address' : 'webhook_unreachable';
  return { code, message, hint: outcome.hint };
}

/** Reports whether a retry may help and cannot make the app run the test twice. */
export function isRetryable(outcome: Outcome): boolean {
  if (outcome.kind === 'timeout') return !outcome.wasSent;
  return outcome.kind === 'not_sent' && outcome.reason !== 'blocked' && outcome.reason !== 'invalid_url';
}

/** Statuses by which an app, or a proxy in front of it, says that it has too much to do or did not keep up. */
const OVERLOADED: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Reports whether fewer requests at once may help. An app that never answered is down or has another address: it gets no fewer,
 * so that its tests fail as soon as they would.
 */
export function isOverloaded(outcome: Outcome): boolean {
  return outcome.kind === 'answered'
    ? OVERLOADED.has(outcome.status)
    : outcome.kind === 'timeout' || outcome.kind === 'lost';
}

const LOST_HINT =
  'The app may have run the test: check its log for a crash or a restart, and the logs of proxies for a timeout.';

const TIMEOUT_HINTS: Readonly<Record<TimeoutPhase, string>> = {
  connect: 'Check host and port, and whether a firewall between the service and the app drops connections.',
  headers:
    "The handler must respond within the webhook's time limit: raise timeoutMs, or respond with 200 first and run the app afterwards.",
  body: 'The handler began its response and did not finish it: make sure that it ends the response.',
};

const STATUS_HINTS: Readonly<Record<number, string>> = {
  400: 'The handler rejected the request: check that it reads the body as JSON, and see its log.',
  401: 'Check that the handler verifies the signature with the secret of this webhook, over the unchanged body, and that the configured headers contain the credentials it requires.',
  403: 'Check the credentials in the configured headers, and that proxies and firewalls in front of the app admit the service.',
  404: "Check the path of the webhook's URL: the app has no route for it.",
  405: 'Check that the handler accepts POST at this path.',
  407: 'A proxy in front of the app requires credentials: configure the address of the app itself.',
  408: 'The app or a proxy in front of it timed out while it waited for the request: see its log and its time limit.',
  410: "Check the path of the webhook's URL: its route was removed.",
  411: 'The app does not support this HTTP/1.1 request: put a current server in front of it.',
  413: 'Raise the limit for request bodies in the app or in a proxy in front of it.',
  415: 'Make the handler accept application/json.',
  422: 'The handler did not find the fields it expects in the body: compare them with those of the payload.',
  429: 'The app limits its request rate: raise that limit for the service, or trigger fewer tests at once.',
  502: 'A proxy responded instead of the app: check that the app runs and listens where the proxy expects it.',
  503: 'The app or a proxy in front of it is not ready or is overloaded: check that the app runs.',
  504: 'A proxy in front of the app timed out: raise its time limit, or respond with 200 first and run the app afterwards.',
};

function statusHint(status: number): string {
  const known = STATUS_HINTS[status];
  if (known !== undefined) return known;
  if (status < 300) return 'The handler must respond with exactly 200, even if the response has no body.';
  if (status < 400) return 'Redirects are not followed: configure the final URL as the URL of the webhook.';
  if (status < 500) return 'The handler rejected the request: see its log.';
  return "The handler failed: see the error in the app's log.";
}
