import type { Environment } from './settings.ts';

/** Members used of Node's `process`. Other runtimes have some of them, or none. */
interface ProcessLike {
  env?: Environment;
  stderr?: {
    write?: (text: string, done?: (error?: unknown) => void) => unknown;
    listenerCount?: (event: string) => number;
    once?: (event: string, listener: () => void) => unknown;
  };
  on?: (event: string, listener: () => void) => unknown;
  off?: (event: string, listener: () => void) => unknown;
}

// Taken once: `vi.useFakeTimers()` and the like replace them, and in the time of a test no request would make progress.
const { setTimeout: startRealTimer, clearTimeout: stopRealTimer, queueMicrotask: afterThisStep } = globalThis;
const readClock = performance.now.bind(performance);

// Next.js's edge runtime has functions of Node that throw when they are called, so none is called unguarded.
const globals = globalThis as {
  process?: ProcessLike;
  setImmediate?: (callback: () => void) => unknown;
  navigator?: { userAgent?: string };
};

const { setImmediate: afterThisTurn } = globals;

/** Returns the variables of the environment; none in a runtime without them. */
export const environment = (): Environment => globals.process?.env ?? {};

/**
 * Reports whether a request of the runtime owns the timers and connections that it began: they end with it, and no other request may
 * rely on them. So it is in Cloudflare Workers.
 */
export const hasRequestBoundIo = (): boolean => globals.navigator?.userAgent === 'Cloudflare-Workers';

/** Resolves in a later turn of the event loop. */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    try {
      if (afterThisTurn) {
        afterThisTurn(resolve);
        return;
      }
    } catch {
      // A timer does it too.
    }
    startTimer(resolve, 0);
  });

export const sleep = (millis: number): Promise<void> =>
  new Promise((resolve) => {
    startTimer(resolve, millis);
  });

/** A timer, which keeps the process unless it is released. */
export type Timer = ReturnType<typeof setTimeout>;

/** Calls a function after a time in milliseconds. */
export const startTimer = (callback: () => void, millis: number): Timer => startRealTimer(callback, millis);

export const stopTimer = (timer: Timer | undefined): void => stopRealTimer(timer);

/** Calls a function after a time, unless the process has nothing else left to do. */
export function startIdleTimer(callback: () => void, millis: number): void {
  (startTimer(callback, millis) as { unref?: () => unknown }).unref?.();
}

/** Calls a function when the current step of the event loop has ended. */
export const soon = (callback: () => void): void => afterThisStep(callback);

/** Returns milliseconds since some moment, which no change of the system's time affects. */
export const monotonicMillis = (): number => readClock();

/** Writes a line to standard error, or to the console of a runtime without it. Never throws. */
export function writeLine(text: string): void {
  const stderr = hasRequestBoundIo() ? undefined : standardError();
  try {
    if (!stderr?.write) console.error(text);
    else
      stderr.write(`${text}\n`, (error) => {
        // Its reader may have gone. Without a listener, the error would end the process.
        if (error && stderr.listenerCount?.('error') === 0) stderr.once?.('error', () => undefined);
      });
  } catch {
    // Standard error may be closed.
  }
}

function standardError(): ProcessLike['stderr'] {
  try {
    return globals.process?.stderr;
  } catch {
    return undefined;
  }
}

/** Calls a function once when the process ends, where the runtime has processes. */
export function onExit(listener: () => void): void {
  try {
    globals.process?.off?.('exit', listener);
    globals.process?.on?.('exit', listener);
  } catch {
    // The runtime has no processes.
  }
}
