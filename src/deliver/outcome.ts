import type { Failure } from '../tests/failures.ts';

/** Milliseconds each step took; a step that was not reached or not needed is left out. */
export interface Timings {
  dnsMs?: number;
  connectMs?: number;
  tlsMs?: number;
  /** Milliseconds from the open connection to the response headers. */
  headersMs?: number;
  totalMs: number;
}

export type NotSentReason = 'dns' | 'refused' | 'tls' | 'blocked' | 'unreachable' | 'invalid_url';

/** Outcome of one request. `message` names host and port, never headers, bodies or secrets. */
export type Outcome = { timings: Timings } & (
  | {
      kind: 'answered';
      status: number;
      /** Names in lower case; of a header that came more than once, the values joined by `, `. */
      headers: Readonly<Record<string, string>>;
      /** The first bytes of the answer's body. */
      body: Buffer;
      /** Bytes read of the body. */
      bodyBytes: number;
      /** True if more of the body came than `body` holds. */
      truncated: boolean;
    }
  /** The request surely never reached the app. */
  | { kind: 'not_sent'; reason: NotSentReason; message: string; hint: string }
  | { kind: 'timeout'; phase: TimeoutPhase; wasSent: boolean; message: string }
  /** The connection broke, or what came was not HTTP, after the request may have reached the app. */
  | { kind: 'lost'; message: string }
);

export type TimeoutPhase = 'connect' | 'headers' | 'body';

/** Returns why the delivery failed; null when the app accepted it, which only status 200 means. */
export function failureOf(outcome: Outcome): Failure | null {
  if (outcome.kind === 'answered') {
    const { status } = outcome;
    if (status === 200) return null;
    const message = `The webhook answered with status ${status}.`;
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

/** Reports whether sending it again can help and cannot make the app run the test twice. */
export function isRetryable(outcome: Outcome): boolean {
  if (outcome.kind === 'timeout') return !outcome.wasSent;
  return outcome.kind === 'not_sent' && outcome.reason !== 'blocked' && outcome.reason !== 'invalid_url';
}

const LOST_HINT =
  "The app may have run the test: look into its log for a crash or a restart, and into a proxy's for a time limit.";

const TIMEOUT_HINTS: Readonly<Record<TimeoutPhase, string>> = {
  connect: 'Check host and port, and whether a firewall between the service and the app drops connections.',
  headers:
    "The handler must answer within the webhook's time limit: raise timeoutMs, or answer 200 first and run the app afterwards.",
  body: 'The handler began to answer and did not finish: make sure that it ends the response.',
};

const STATUS_HINTS: Readonly<Record<number, string>> = {
  400: 'The handler refused the request: check that it reads the body as JSON, and see its log.',
  401: 'Check that the handler verifies the signature with the secret of this webhook, over the body as it came, and that the configured headers carry the credentials it asks for.',
  403: 'Check the credentials among the configured headers, and whether a proxy or firewall in front of the app lets the service in.',
  404: "Check the path of the webhook's URL: nothing answers there.",
  405: 'Check that the handler takes POST at this path.',
  407: 'A proxy in front of the app asks for credentials: configure the address of the app itself.',
  408: 'The app or a proxy in front of it gave up waiting for the request: see its log and its time limit.',
  410: "Check the path of the webhook's URL: what was there is gone.",
  411: 'The app does not know HTTP/1.1 well enough: put a current server in front of it.',
  413: "Raise the limit of the app, or of a proxy in front of it, on the size of a request's body.",
  415: 'Let the handler take application/json.',
  422: "The handler did not find what it expects in the body: compare it with the payload's fields.",
  429: 'The app limits how often it is called: raise that limit for the service, or trigger fewer tests at once.',
  502: 'A proxy answered for the app: check that the app runs and listens where the proxy looks for it.',
  503: 'The app or a proxy in front of it is not ready or overloaded: check that the app runs.',
  504: 'A proxy in front of the app gave up waiting: raise its time limit, or answer 200 first and run the app afterwards.',
};

function statusHint(status: number): string {
  const known = STATUS_HINTS[status];
  if (known !== undefined) return known;
  if (status < 300) return 'The handler must answer exactly 200, also when it has nothing to say.';
  if (status < 400)
    return 'Redirects are not followed: configure the final address as the URL of the webhook.';
  if (status < 500) return 'The handler refused the request: see its log.';
  return "The handler failed: look for the error in the app's log.";
}
