import type { Environment } from './settings.ts';

/** Members used of Node's `process`. Other runtimes have some of them, or none. */
interface ProcessLike {
  env?: Environment;
  stderr?: { write?: (text: string) => unknown };
  on?: (event: string, listener: () => void) => unknown;
  off?: (event: string, listener: () => void) => unknown;
}

// Next.js's edge runtime has functions of Node that throw when they are called, so none is called unguarded.
const globals = globalThis as {
  process?: ProcessLike;
  setImmediate?: (callback: () => void) => unknown;
  navigator?: { userAgent?: string };
};

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
      if (globals.setImmediate) {
        globals.setImmediate(resolve);
        return;
      }
    } catch {
      // A timer does it too.
    }
    setTimeout(resolve, 0);
  });

export const sleep = (millis: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, millis);
  });

/** Writes a line to standard error, or to the console of a runtime without it. Never throws. */
export function writeLine(text: string): void {
  const stderr = hasRequestBoundIo() ? undefined : standardError();
  try {
    if (stderr?.write) stderr.write(`${text}\n`);
    else console.error(text);
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
