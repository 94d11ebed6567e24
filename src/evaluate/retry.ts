import { setTimeout as delay } from 'node:timers/promises';
import type { RequestOutcome } from '../runtime/request-pace.ts';
import { type PacedSlots, TurnTimeoutError } from '../runtime/paced-slots.ts';
import type { Party } from '../runtime/party.ts';
import { CallError } from './call-error.ts';

const TRIES = 4;
const FIRST_WAIT_MS = 500;

export interface RetryOptions {
  /** Turns at the endpoint. */
  slots: PacedSlots;
  /** Application that the request belongs to. */
  party: Party;
  /** Time limit of all tries together, without the time in which the endpoint rejects requests as too many. */
  timeoutMs: number;
  /** Longest time for which the endpoint may reject requests as too many. */
  maxWaitMs: number;
  signal: AbortSignal;
  /** Called when a try has its turn, which waits for it and is not made if it rejects. */
  onTurn?: () => Promise<void>;
  /** Returns the error to throw when the time limit is reached. */
  onTimeout: (message: string) => CallError;
}

/** Try of a request: its result, and the time until a limit that its response reports as used up is reset. */
export interface TriedOnce<T> {
  value: T;
  pauseMs: number | null;
}

interface Attempt<T> {
  result: TriedOnce<T> | { error: unknown };
  ms: number;
  /** Number of requests in progress when it began, with this one. */
  running: number;
}

/**
 * Tries up to four times, within `timeoutMs` in total. Pauses grow, or follow the request of the endpoint; a pause
 * that exceeds the remaining time is not begun. A try that the endpoint rejects because requests are too many waits for another
 * turn and counts for neither, for up to `maxWaitMs`. A try that timed out beside others is repeated once, with fewer of them.
 * Throws CallError, and the reason of `signal` when that aborts.
 */
export async function withRetries<T>(
  tryOnce: (signal: AbortSignal) => Promise<TriedOnce<T>>,
  options: RetryOptions,
): Promise<T> {
  const { timeoutMs, signal, slots, maxWaitMs } = options;
  let [tries, attempts, spentMs] = [0, 0, 0];
  let rejectedSince: number | null = null;
  let hasTimedOut = false;
  for (;;) {
    const { result, ms, running } = await inTurn(tryOnce, timeoutMs - spentMs, options);
    attempts += 1;
    if (!('error' in result)) return result.value;
    const { error } = result;
    if (isCallError(error) && error.isBusy) {
      rejectedSince ??= performance.now() - ms;
      const waitedMs = performance.now() - rejectedSince;
      if (waitedMs + (error.retryAfterMs ?? 0) < maxWaitMs && !slots.isGivenUp()) continue;
      throw counted(error, attempts);
    }
    if (error instanceof TimeoutError) {
      if (running === 1 || hasTimedOut) throw error.shown;
      hasTimedOut = true;
      continue;
    }
    tries += 1;
    spentMs += ms;
    if (!isCallError(error) || !error.isPassing) throw error;
    const waitMs = error.retryAfterMs ?? FIRST_WAIT_MS * 2 ** (tries - 1) * (0.8 + 0.4 * Math.random());
    spentMs += waitMs;
    if (tries === TRIES || spentMs >= timeoutMs) throw counted(error, attempts);
    await delay(waitMs, undefined, { signal });
  }
}

const isCallError = (error: unknown): error is CallError => error instanceof CallError;

const counted = (error: CallError, attempts: number): CallError => {
  if (attempts > 1) error.message += ` (${attempts} tries)`;
  return error;
};

/** Thrown in place of the error about a time limit, which is made by the caller. */
class TimeoutError extends Error {
  readonly shown: CallError;
  constructor(shown: CallError) {
    super(shown.message);
    this.shown = shown;
  }
}

async function inTurn<T>(
  tryOnce: (signal: AbortSignal) => Promise<TriedOnce<T>>,
  limitMs: number,
  { slots, party, timeoutMs, signal, onTurn, onTimeout }: RetryOptions,
): Promise<Attempt<T>> {
  const attempt = slots.run(
    party,
    async (running) => {
      await onTurn?.();
      const since = performance.now();
      const limit = AbortSignal.timeout(Math.max(1, Math.ceil(limitMs)));
      let result: Attempt<T>['result'];
      try {
        result = await tryOnce(AbortSignal.any([signal, limit]));
      } catch (error) {
        signal.throwIfAborted();
        result = {
          error: limit.aborted ? new TimeoutError(onTimeout(`no response within ${timeoutMs} ms`)) : error,
        };
      }
      const ms = performance.now() - since;
      return { value: { result, ms, running }, outcome: outcomeOf(result, ms, timeoutMs) };
    },
    signal,
  );
  try {
    return await attempt;
  } catch (error) {
    throw error instanceof TurnTimeoutError ? onTimeout(error.message) : error;
  }
}

function outcomeOf(result: Attempt<unknown>['result'], ms: number, timeoutMs: number): RequestOutcome {
  if (!('error' in result)) return { kind: 'answered', ms, timeoutMs, pauseMs: result.pauseMs };
  const { error } = result;
  if (error instanceof TimeoutError) return { kind: 'timeout' };
  return isCallError(error) && error.isBusy
    ? { kind: 'busy', delayMs: error.retryAfterMs }
    : { kind: 'other' };
}

/** Reports whether a request that was answered with this status may succeed soon. */
export const isPassingStatus = (status: number): boolean =>
  status === 408 || status === 409 || status === 429 || status >= 500;

/** Statuses of too many requests: 529 is that of Anthropic, 498 of Groq, 420 of earlier APIs. */
const BUSY: ReadonlySet<number> = new Set([420, 429, 498, 503, 529]);

/** Reports whether an endpoint says by this status that it has too many requests. */
export const isBusyStatus = (status: number): boolean => BUSY.has(status);
