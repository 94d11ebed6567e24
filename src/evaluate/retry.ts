import { setTimeout as delay } from 'node:timers/promises';
import { CallError } from './call-error.ts';

const TRIES = 4;
const FIRST_WAIT_MS = 500;

export interface RetryOptions {
  /** Time limit of all tries together. */
  timeoutMs: number;
  signal: AbortSignal;
  /** Returns the error to throw when the time limit is reached. */
  onTimeout: (message: string) => Error;
}

/**
 * Tries up to four times, within `timeoutMs` in total. Pauses grow, or follow the request of the endpoint; a pause
 * that exceeds the remaining time is not begun. Throws CallError, and the reason of `signal` when that aborts.
 */
export async function withRetries<T>(
  tryOnce: (signal: AbortSignal) => Promise<T>,
  { timeoutMs, signal, onTimeout }: RetryOptions,
): Promise<{ value: T; attempts: number }> {
  const deadline = performance.now() + timeoutMs;
  const limit = AbortSignal.timeout(timeoutMs);
  const either = AbortSignal.any([signal, limit]);
  for (let attempts = 1; ; attempts++) {
    try {
      return { value: await tryOnce(either), attempts };
    } catch (error) {
      signal.throwIfAborted();
      if (limit.aborted) throw onTimeout(`no response within ${timeoutMs} ms`);
      if (!(error instanceof CallError) || !error.isPassing) throw error;
      const waitMs = error.retryAfterMs ?? FIRST_WAIT_MS * 2 ** (attempts - 1) * (0.8 + 0.4 * Math.random());
      if (attempts === TRIES || performance.now() + waitMs >= deadline) {
        if (attempts > 1) error.message += ` (${attempts} tries)`;
        throw error;
      }
      await delay(waitMs, undefined, { signal });
    }
  }
}

/** Reports whether a request that was answered with this status may succeed soon. */
export const isPassingStatus = (status: number): boolean =>
  status === 408 || status === 409 || status === 429 || status >= 500;

/** Parses a Retry-After header, in seconds or as a date; returns milliseconds, null when there is none. */
export function retryAfterOf(header: string | undefined): number | null {
  if (header === undefined) return null;
  const ms = /^\d+(\.\d+)?$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
