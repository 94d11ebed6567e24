import { setTimeout as delay } from 'node:timers/promises';
import { JudgeError } from './judge-error.ts';

const TRIES = 4;
const FIRST_WAIT_MS = 500;

/**
 * Tries up to four times, within `timeoutMs` in total. Pauses grow, or follow the request of the endpoint; a pause
 * that exceeds the remaining time is not begun. Throws JudgeError, and the reason of `signal` when that aborts.
 */
export async function withRetries<T>(
  tryOnce: (signal: AbortSignal) => Promise<T>,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<{ value: T; attempts: number }> {
  const deadline = performance.now() + timeoutMs;
  const limit = AbortSignal.timeout(timeoutMs);
  const either = AbortSignal.any([signal, limit]);
  for (let attempts = 1; ; attempts++) {
    try {
      return { value: await tryOnce(either), attempts };
    } catch (error) {
      signal.throwIfAborted();
      if (limit.aborted) throw new JudgeError('judge_timeout', `no response within ${timeoutMs} ms`);
      if (!(error instanceof JudgeError) || !error.isPassing) throw error;
      const waitMs = error.retryAfterMs ?? FIRST_WAIT_MS * 2 ** (attempts - 1) * (0.8 + 0.4 * Math.random());
      if (attempts === TRIES || performance.now() + waitMs >= deadline)
        throw new JudgeError(
          error.code,
          attempts === 1 ? error.message : `${error.message} (${attempts} tries)`,
        );
      await delay(waitMs, undefined, { signal });
    }
  }
}
