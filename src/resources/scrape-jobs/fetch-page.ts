import type { GuardedClient } from '../../deliver/guarded-client.ts';
import type { Outcome } from '../../deliver/outcome.ts';
import { decodeText } from './decode-text.ts';
import { readPageUrl } from './page-url.ts';

/** Name of this crawler, which robots.txt contains in lower case. */
export const CRAWLER_NAME = 'Touchstone';

const MAX_REDIRECTS = 5;
const MAX_BYTES = 2 * 1024 * 1024;
const TIMEOUT_MS = 20_000;
const REDIRECTS = [301, 302, 303, 307, 308];
const NO_BODY = Buffer.alloc(0);

export type Fetched =
  /** Text of a page. `url` is its address after redirects; `type` has no parameters and is in lower case. */
  | { kind: 'text'; url: string; type: string; text: string }
  /** Failure; `mayPass` is true if a retry may succeed. */
  | { kind: 'failed'; mayPass: boolean; error: string };

export interface FetchOptions {
  client: GuardedClient;
  /** Accepted content types. */
  types: readonly string[];
  signal: AbortSignal;
  /** Decides whether a redirect within the origin may be followed. Default: always. */
  mayFollow?: (url: URL) => boolean;
  /** True to use the beginning of a text that is too large. Default: such a text is a failure. */
  takesBeginning?: boolean;
  /** Time limit of each request. */
  timeoutMs?: number;
}

/**
 * Fetches a text from the web. Follows redirects within protocol, host and port of `url`, each through the guard of
 * the client. Every failure of the site is returned; throws only when the signal aborts.
 */
export async function fetchText(
  url: string,
  {
    client,
    types,
    signal,
    mayFollow = () => true,
    takesBeginning = false,
    timeoutMs = TIMEOUT_MS,
  }: FetchOptions,
): Promise<Fetched> {
  const { origin } = new URL(url);
  let current = url;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const outcome = await client.request({
      url: current,
      method: 'GET',
      headers: { 'user-agent': CRAWLER_NAME, accept: types.join(', '), 'accept-encoding': 'identity' },
      body: NO_BODY,
      timeoutMs,
      signal,
      maxResponseBytes: MAX_BYTES,
      keepBytes: MAX_BYTES,
    });
    if (outcome.kind !== 'answered') return unanswered(outcome);
    if (!REDIRECTS.includes(outcome.status)) return textOf(outcome, current, { types, takesBeginning });
    const next = readPageUrl(outcome.headers['location'] ?? 'about:blank', current);
    if (next === null) return failed('It redirects to an address that is not a page.');
    if (next.origin !== origin)
      return failed(`It redirects to ${next.origin}. Only pages of ${origin} are fetched.`);
    if (!mayFollow(next)) return failed(`It redirects to ${next.href}, which must not be fetched.`);
    current = next.href;
  }
  return failed(`It redirects more than ${MAX_REDIRECTS} times.`);
}

function unanswered(outcome: Exclude<Outcome, Answer>): Fetched {
  const isFinal = outcome.kind === 'not_sent' && ['blocked', 'invalid_url'].includes(outcome.reason);
  return { kind: 'failed', mayPass: !isFinal, error: outcome.message };
}

type Answer = Outcome & { kind: 'answered' };

function textOf(
  answer: Answer,
  url: string,
  { types, takesBeginning }: { types: readonly string[]; takesBeginning: boolean },
): Fetched {
  const { status, headers, body, truncated } = answer;
  if (status !== 200)
    return { kind: 'failed', mayPass: status >= 500, error: `The response has status ${status}.` };
  const contentType = headers['content-type'] ?? '';
  const type = (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
  if (!types.includes(type)) return failed(`Its content type is ${type.slice(0, 100) || 'not given'}.`);
  if (!['', 'identity'].includes((headers['content-encoding'] ?? '').toLowerCase()))
    return failed('The response is compressed although that was not requested.');
  if (truncated && !takesBeginning) return failed(`It is larger than ${MAX_BYTES} bytes.`);
  return { kind: 'text', url, type, text: decodeText(body, contentType) };
}

const failed = (error: string): Fetched => ({ kind: 'failed', mayPass: false, error });
