import { setTimeout as delay } from 'node:timers/promises';
import { answerOf, ApiError, type createClient } from '../api/client.ts';
import { StartupError } from '../errors.ts';
import type { Io } from './io.ts';
import { isTransient, rejectedText, strangerText, unreachableText } from './server-trouble.ts';

export type Api = ReturnType<typeof createClient>;
type Answer<T> = Promise<{ data?: T; error?: unknown; response: Response }>;
/** Makes a call with these options. */
type Call<T> = (init: { signal: AbortSignal; redirect: 'manual' }) => Answer<T>;

const CALL_MS = 30_000;
const PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 30_000;

/** Error of a call that the server rejected and would reject again. */
export class RejectedError extends StartupError {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** Error of a call that may succeed when it is retried. */
class PassingError extends StartupError {
  /** Seconds to wait before a retry; null when the server did not specify them. */
  readonly retryAfter: number | null;

  constructor(message: string, retryAfter: number | null) {
    super(message);
    this.retryAfter = retryAfter;
  }
}

/**
 * Sends a call once and returns its result. Throws StartupError with a sentence for the user, or the reason of
 * `signal` if that aborted it.
 */
export async function once<T>(url: string, signal: AbortSignal, call: Call<T>): Promise<T> {
  try {
    const init = {
      signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]),
      redirect: 'manual' as const,
    };
    return await answerOf(call(init));
  } catch (error) {
    signal.throwIfAborted();
    throw callFailure(url, error);
  }
}

/** Returns a function that reports a retry to the user. */
export const reportRetry =
  ({ err }: Pick<Io, 'err'>) =>
  (message: string): void =>
    err(`${message} Retrying.\n`);

/** Retries a call until the server responds; calls `onTrouble` when that takes more than one attempt. */
export async function patiently<T>(
  url: string,
  { signal, onTrouble }: { signal: AbortSignal; onTrouble: (message: string) => void },
  call: Call<T>,
): Promise<T> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await once(url, signal, call);
    } catch (error) {
      if (!(error instanceof PassingError)) throw error;
      if (isFirst) onTrouble(error.message);
      const asked = (error.retryAfter ?? 0) * 1_000;
      await pause(Math.min(Math.max(asked, PAUSE_MS), LONGEST_PAUSE_MS), signal);
    }
  }
}

/** Waits; throws the reason of `signal` when that aborts. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal }).catch(() => undefined);
  signal.throwIfAborted();
}

/** Returns the error of a call with a sentence for the user. */
export function callFailure(url: string, error: unknown): StartupError {
  if (error instanceof ApiError) {
    const { status, message, issues, retryAfter } = error;
    const [issue] = issues;
    const what = issue === undefined ? message : `${issue.path.join('.')}: ${issue.message}`;
    const sentence = rejectedText(url, status, what);
    return isTransient(status) ? new PassingError(sentence, retryAfter) : new RejectedError(sentence, status);
  }
  // The response was not JSON.
  if (error instanceof SyntaxError) return new StartupError(strangerText(url));
  return new PassingError(unreachableText(url, error), null);
}
