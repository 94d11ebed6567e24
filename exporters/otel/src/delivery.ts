import { ExportError, noResponse } from './failure.ts';
import { monotonicMillis, sleep } from './runtime.ts';
import type { HttpResponse, Transport } from './transport.ts';

/** Answers that say "later": OTLP/HTTP names these four. */
const RETRYABLE = new Set([429, 502, 503, 504]);
const REDIRECTS = new Set([307, 308]);
const MAX_REDIRECTS = 3;
/** Wait before the first retry; each further one waits half as long again. */
const FIRST_WAIT_MILLIS = 1_000;
const MAX_WAIT_MILLIS = 5_000;

/** A request as it is sent until the server answers it. */
export interface Delivery {
  url: URL;
  headers: Record<string, string>;
  body: Uint8Array;
  /** Time limit in milliseconds, retries included. */
  timeoutMillis: number;
}

/**
 * Sends a request until the server answers it otherwise than by "later", or until the next retry would come too late.
 * Resolves with the last response, rejects with an {@link ExportError} where none came. If the time ends during a
 * retry, the result is that of the attempt before it, which says more than that time is up.
 */
export async function deliver(http: Transport, delivery: Delivery): Promise<HttpResponse> {
  const deadline = monotonicMillis() + delivery.timeoutMillis;
  const signal = AbortSignal.timeout(delivery.timeoutMillis);
  let { url } = delivery;
  let redirects = 0;
  let before: HttpResponse | ExportError | undefined;
  for (let attempt = 0; ; attempt += 1) {
    const result = await attemptOf(http, { ...delivery, url }, signal, before);
    if (result instanceof ExportError) {
      before = result;
      if (!result.isRetryable || !(await waitsFor(backoff(attempt), deadline))) throw result;
      continue;
    }
    const target = redirects < MAX_REDIRECTS ? redirectOf(result, url) : undefined;
    if (target) {
      url = target;
      redirects += 1;
      continue;
    }
    if (!RETRYABLE.has(result.status)) return result;
    before = result;
    const wait = retryAfter(result.headers['retry-after'], Date.now()) ?? backoff(attempt);
    if (!(await waitsFor(wait, deadline))) return result;
  }
}

async function attemptOf(
  http: Transport,
  { url, headers, body, timeoutMillis }: Delivery,
  signal: AbortSignal,
  before: HttpResponse | ExportError | undefined,
): Promise<HttpResponse | ExportError> {
  try {
    return await http.send(url, { headers, body, signal });
  } catch (error) {
    return isTimeout(error, signal)
      ? (before ?? noResponse({ timeoutMillis }, url))
      : noResponse({ error }, url);
  }
}

/** Reports whether the signal ended a request; an error of the connection may come at the same time, and says more. */
const isTimeout = (error: unknown, { aborted, reason }: AbortSignal): boolean =>
  aborted && (error === reason || (error as { name?: unknown } | undefined)?.name === 'AbortError');

/** Waits, unless the wait would end after the deadline. */
async function waitsFor(millis: number, deadline: number): Promise<boolean> {
  if (monotonicMillis() + millis >= deadline) return false;
  await sleep(millis);
  return true;
}

/** Up to a fifth more or less, so that apps that lost the server together do not come back together. */
function backoff(attempt: number): number {
  const wait = Math.min(FIRST_WAIT_MILLIS * 1.5 ** attempt, MAX_WAIT_MILLIS);
  return wait * (0.8 + 0.4 * Math.random());
}

/** Milliseconds of a Retry-After header: seconds, or a date (RFC 9110, 10.2.3). */
export function retryAfter(header: string | string[] | undefined, now: number): number | undefined {
  if (typeof header !== 'string') return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1_000;
  // Without a name of a day, parse() takes much for a date that is none.
  const date = /^[A-Za-z]+,? /.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** The address that a response names; none of another origin, which must not get the API key. */
function redirectOf({ status, headers: { location } }: HttpResponse, url: URL): URL | undefined {
  if (!REDIRECTS.has(status) || typeof location !== 'string') return undefined;
  const target = URL.parse(location, url);
  return target?.origin === url.origin ? target : undefined;
}
