const REMEMBERED = 10_000;

interface Run {
  outcome: Promise<void>;
  /** Requests that are to be answered with it. */
  waiting: number;
  abort: AbortController;
}

/** Runs each delivery once, however often it comes; one that failed may arrive again. */
export class Deliveries {
  readonly #sharesRuns: boolean;
  readonly #running = new Map<string, Run>();
  /** The oldest first. */
  readonly #succeeded = new Set<string>();

  /** Takes `sharesRuns: false` where a request must not wait for the run of another one, which may end without a result. */
  constructor({ sharesRuns = true }: { sharesRuns?: boolean } = {}) {
    this.#sharesRuns = sharesRuns;
  }

  /**
   * Resolves when the delivery has succeeded, now or before; rejects with the error of `run`. The signal for `run`
   * aborts when the senders of all requests that wait for the outcome have disconnected.
   */
  async once(
    id: string,
    request: { signal?: AbortSignal },
    run: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    if (this.#succeeded.has(id)) return;
    const current = (this.#sharesRuns && this.#running.get(id)) || this.#start(id, run);
    current.waiting += 1;
    const leave = (): void => {
      current.waiting -= 1;
      if (current.waiting === 0) current.abort.abort();
    };
    // Some runtimes give a request no signal.
    if (request.signal?.aborted) leave();
    else request.signal?.addEventListener('abort', leave, { once: true });
    try {
      await current.outcome;
    } finally {
      // By way of the request: once it is garbage, nothing tells its signal any more.
      request.signal?.removeEventListener('abort', leave);
    }
  }

  #start(id: string, run: (signal: AbortSignal) => Promise<void>): Run {
    const abort = new AbortController();
    // Not before the request that starts it waits for it, because its sender may already have disconnected.
    const outcome = Promise.resolve()
      .then(() => run(abort.signal))
      .then(() => this.#remember(id))
      .finally(() => {
        if (this.#running.get(id) === started) this.#running.delete(id);
      });
    const started = { outcome, waiting: 0, abort };
    this.#running.set(id, started);
    return started;
  }

  #remember(id: string): void {
    this.#succeeded.add(id);
    for (const oldest of this.#succeeded) {
      if (this.#succeeded.size <= REMEMBERED) return;
      this.#succeeded.delete(oldest);
    }
  }
}
