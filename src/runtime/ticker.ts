/** A task that repeats at an interval and never overlaps itself: ticks that fall into a long turn are skipped. */
export interface Ticker {
  /** Stops further ticks, and resolves when the one in progress has ended. */
  stop(): Promise<void>;
}

/** Calls `turn` every `everyMs` milliseconds; `turn` must not reject. */
export function startTicker(everyMs: number, turn: () => Promise<void>): Ticker {
  let running: Promise<void> | null = null;
  const timer = setInterval(() => {
    running ??= turn().finally(() => (running = null));
  }, everyMs);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
