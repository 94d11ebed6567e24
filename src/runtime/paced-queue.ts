interface Waiting {
  pauseMs: number;
  action: () => void;
}

/**
 * Runs actions in the order of their addition. Before each comes its own pause, which begins when the previous one
 * has run.
 */
export class PacedQueue {
  private readonly waiting: Waiting[] = [];

  add(pauseMs: number, action: () => void): void {
    this.waiting.push({ pauseMs, action });
    if (this.waiting.length === 1) this.schedule();
  }

  private schedule(): void {
    const [next] = this.waiting;
    if (next) setTimeout(this.runNext, next.pauseMs).unref();
  }

  private readonly runNext = (): void => {
    try {
      this.waiting[0]?.action();
    } finally {
      this.waiting.shift();
      this.schedule();
    }
  };
}
