import { AppError } from '../errors.ts';

/** Interval at which calls in progress are checked: whether their callers may still make them. */
const CHECK_MS = 250;

/** A call in progress, whose permission is checked at an interval. */
export interface OpenCall {
  /** Aborts once the caller may no longer make the call; its reason is the AppError of the check. */
  revoked: AbortSignal;
  end: () => void;
}

/** Checks a call until it ends. `check` throws `unauthorized` or `forbidden` once the caller may no longer make it. */
export type WatchCall = (check: () => Promise<unknown>) => OpenCall;

interface Entry {
  check: () => Promise<unknown>;
  abort: AbortController;
  isChecking: boolean;
}

/**
 * Checks whether the callers of all calls in progress may still make them: streams, uploads, calls that wait. A call
 * ends with its connection at the latest.
 */
export class OpenCalls {
  private readonly calls = new Set<Entry>();
  private readonly timer: NodeJS.Timeout;
  private readonly onRevoked: () => void;

  /** `onRevoked` is called for each call that is ended. */
  constructor(onRevoked: () => void = () => undefined) {
    this.onRevoked = onRevoked;
    this.timer = setInterval(() => {
      for (const call of this.calls) void this.check(call);
    }, CHECK_MS);
    this.timer.unref();
  }

  readonly watch: WatchCall = (check) => {
    const call: Entry = { check, abort: new AbortController(), isChecking: false };
    this.calls.add(call);
    return { revoked: call.abort.signal, end: () => this.calls.delete(call) };
  };

  close(): void {
    clearInterval(this.timer);
  }

  private async check(call: Entry): Promise<void> {
    // A check that waits for a busy store is not repeated meanwhile.
    if (call.isChecking) return;
    call.isChecking = true;
    try {
      await call.check();
    } catch (error) {
      // A store that is busy for a moment does not end a call.
      if (!isRevocation(error) || !this.calls.delete(call)) return;
      this.onRevoked();
      call.abort.abort(error);
    } finally {
      call.isChecking = false;
    }
  }
}

const isRevocation = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'unauthorized' || error.code === 'forbidden');

/** Signal of a call that needs no permission. */
export const NEVER_REVOKED = new AbortController().signal;

/** Resolves after a time, or at once when the signal aborts. */
export function pauseUnless(signal: AbortSignal, milliseconds: number): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done);
  });
}

/** Returns the result of `work`. Rejects with the reason of the signal as soon as it aborts. */
export async function unlessRevoked<T>(signal: AbortSignal, work: T | Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason as Error);
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort);
  try {
    // The race also handles a later rejection of work whose result is no longer needed.
    return await Promise.race([promise, work]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
