/** Something done again and again, and never twice at the same time: a turn that takes long makes the next ones fall out. */
export interface Ticker {
  /** Stops further ticks, and resolves when the one in progress has ended. */
  stop(): Promise<void>;
}

/** Calls `turn` every `everyMs` milliseconds. It must not reject. */
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
