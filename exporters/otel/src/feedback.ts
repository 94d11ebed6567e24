import { context, diag, trace } from '@opentelemetry/api';
import { retryAfter } from './delivery.ts';
import { contentText } from './json-text.ts';
import { Reporter } from './reporter.ts';
import { environment, startTimer, stopTimer } from './runtime.ts';
import { type ExporterOptions, exporterSettings } from './settings.ts';
import { UNTRACED } from './untraced.ts';

/** Further parts of a judgement by a user. */
export interface FeedbackOptions {
  /** Text of the user. */
  comment?: string | undefined;
  /** Output that would have been right. */
  correctedOutput?: unknown;
  /** Person who judged. Default: the API key. Naming someone requires a key with the scope `write`. */
  user?: string | undefined;
  /** Id of the trace, as `currentTraceId()` returned it. Default: the trace that is active. */
  traceId?: string | undefined;
}

/** Numbers of judgements by `feedback()`, by outcome. */
export interface FeedbackStats {
  /** Stored by the server. */
  sent: number;
  /** Rejected by the server, never acknowledged, or without a trace. */
  failed: number;
  /** Being sent. */
  waiting: number;
}

const PATH = '/v0/human-annotations';
const TRACES_PATH = /(?:\/v0\/otel)?(?:\/v1)?\/traces$/;
const MAX_WAITING = 100;
const TIMEOUT_MILLIS = 10_000;
/** Waits before the retries: a trace may be in progress when its judgement arrives. */
const WAITS_MILLIS = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000];
const RETRYABLE = new Set([404, 429, 502, 503, 504]);
const MAX_COMMENT = 1_900;
/** Beginning of the reason of a negative judgement, for which the server requires 20 characters. */
const NEGATIVE = 'Negative feedback of a user.';

const counts: FeedbackStats = { sent: 0, failed: 0, waiting: 0 };
const inProgress = new Set<Promise<boolean>>();
let destination: ExporterOptions = {};
let ending = new AbortController();

/** Numbers of this process so far; undefined before the first judgement. */
export const feedbackStats = (): FeedbackStats | undefined =>
  counts.sent + counts.failed + counts.waiting > 0 ? { ...counts } : undefined;

/** Sets the server to which judgements are sent: that of the latest processor. */
export function setFeedbackDestination(options: ExporterOptions): void {
  destination = options;
  ending = new AbortController();
}

/** Tries once more what waits, and resolves when all of it is stored or lost. */
export async function endFeedback(): Promise<void> {
  ending.abort();
  await Promise.all(inProgress);
}

/**
 * Stores the judgement of a user, such as a thumb, as a human annotation of the trace. Resolves with true when it is stored, and with
 * false when it is lost; never rejects.
 */
export async function feedback(isGood: boolean, options: FeedbackOptions = {}): Promise<boolean> {
  try {
    return await deliver(isGood, options);
  } catch (error) {
    // Code without types passed other values.
    return lost(String(error), 'Check its options.');
  }
}

function deliver(isGood: boolean, options: FeedbackOptions): Promise<boolean> {
  const traceId = (options.traceId ?? trace.getActiveSpan()?.spanContext().traceId)?.replaceAll('-', '');
  if (traceId === undefined)
    return lost(
      'feedback() was called outside of a span and without a traceId',
      'Pass currentTraceId() of the answer.',
    );
  if (counts.waiting >= MAX_WAITING)
    return lost(`${MAX_WAITING} judgements wait for the server`, 'Check the server, or send less at once.');
  const body = bodyOf(isGood, traceId, options);
  counts.waiting += 1;
  const sending = context
    .with(UNTRACED, () => send(body))
    .finally(() => {
      counts.waiting -= 1;
      inProgress.delete(sending);
    });
  inProgress.add(sending);
  return sending;
}

function bodyOf(
  isGood: boolean,
  traceId: string,
  { comment, correctedOutput, user }: FeedbackOptions,
): string {
  const text = comment?.trim().slice(0, MAX_COMMENT) ?? '';
  const critique = isGood ? text : `${NEGATIVE} ${text}`.trim();
  const corrected = correctedOutput === undefined ? 'null' : jsonOf(correctedOutput);
  const fields = {
    traceId,
    verdict: isGood,
    source: 'TRACE_PAGE',
    critique: critique === '' ? null : critique,
    ...(user !== undefined && { annotatorId: user }),
  };
  return `${JSON.stringify(fields).slice(0, -1)},"correctedOutput":${corrected}}`;
}

function jsonOf(value: unknown): string {
  const { text, mimeType } = contentText(value);
  return mimeType === 'text/plain' ? JSON.stringify(text) : text;
}

async function send(body: string): Promise<boolean> {
  const settings = exporterSettings(destination, environment());
  if (settings.url === undefined) return lost('the url is no http address', 'Set TOUCHSTONE_URL.');
  const url = new URL(settings.url);
  url.pathname = url.pathname.replace(TRACES_PATH, '').concat(PATH);
  let reason = '';
  for (const wait of [...WAITS_MILLIS, undefined]) {
    const result = await attempt(url, settings.headers, body);
    if (result === true) {
      counts.sent += 1;
      return true;
    }
    reason = result.reason;
    if (!result.isRetryable || wait === undefined || ending.signal.aborted) break;
    await pause(Math.min(result.afterMillis ?? wait, TIMEOUT_MILLIS));
  }
  return lost(reason, 'Check TOUCHSTONE_URL, and that the key has the scope annotate.');
}

interface Failure {
  reason: string;
  isRetryable: boolean;
  afterMillis?: number | undefined;
}

async function attempt(url: URL, headers: Record<string, string>, body: string): Promise<true | Failure> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      // The key is for this address only. Cloudflare Workers know no `error` here.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MILLIS),
    });
    const text = await response.text();
    if (response.ok) return true;
    return {
      reason: `HTTP ${response.status} from ${url.origin} (${text.slice(0, 300)})`,
      isRetryable: RETRYABLE.has(response.status),
      afterMillis: retryAfter(response.headers.get('retry-after') ?? undefined, Date.now()),
    };
  } catch (error) {
    return { reason: `no response from ${url.origin} (${String(error)})`, isRetryable: true };
  }
}

/** Waits, or until everything is to end. */
function pause(millis: number): Promise<void> {
  const { signal } = ending;
  return new Promise((resolve) => {
    const end = (): void => {
      stopTimer(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = startTimer(end, millis);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}

async function lost(reason: string, remedy: string): Promise<false> {
  counts.failed += 1;
  diag.warn(`touchstone: feedback was lost: ${reason}. ${remedy}`);
  new Reporter(destination, environment()).notice(`feedback was lost: ${reason}. ${remedy}`);
  return false;
}
