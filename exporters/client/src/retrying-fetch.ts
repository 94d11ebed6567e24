const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);
/** The server has done nothing. */
const BUSY = new Set([429, 503]);
/** A server in between had no response. */
const UNANSWERED = new Set([502, 504]);
const FIRST_WAIT_MILLIS = 500;
const MAX_WAIT_MILLIS = 60_000;

/** Returns a `fetch` that sends a request up to `retries` times again if it may then succeed and nothing happens twice. */
export function retryingFetch(retries: number): (request: Request) => Promise<Response> {
  return async (request) => {
    for (let retry = 0; retry < retries; retry += 1) {
      const response = await attempt(request.clone());
      if (response && !isRetryable(request, response.status)) return response;
      const backoff = FIRST_WAIT_MILLIS * 2 ** retry * (0.8 + 0.4 * Math.random());
      await response?.body?.cancel();
      await pause(Math.min((response && afterMillis(response)) ?? backoff, MAX_WAIT_MILLIS), request.signal);
    }
    return fetch(request);
  };
}

/** Resolves with undefined if no response came and the request may be sent again. */
async function attempt(request: Request): Promise<Response | undefined> {
  try {
    return await fetch(request);
  } catch (error) {
    if (request.signal.aborted || !IDEMPOTENT.has(request.method)) throw error;
    return undefined;
  }
}

const isRetryable = ({ method }: Request, status: number): boolean =>
  BUSY.has(status) || (UNANSWERED.has(status) && IDEMPOTENT.has(method));

/** Milliseconds of a Retry-After header: seconds, or a date. */
function afterMillis({ headers }: Response): number | undefined {
  const text = headers.get('retry-after')?.trim();
  if (!text) return undefined;
  const millis = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isNaN(millis) ? undefined : Math.max(millis, 0);
}

function pause(millis: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, millis);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
  });
}
