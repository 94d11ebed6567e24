import { FairQueue } from './fair-queue.ts';
import { type RequestOutcome, RequestPace, type PaceOptions, type StartedRequest } from './request-pace.ts';
import { alone, type GroupOf, type Party } from './party.ts';

/** Longest delay of a timer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

interface Waiting {
  begin: (started: StartedRequest) => void;
  signal: AbortSignal;
}

/** Result of a request, and what it shows about the load of the endpoint. */
export interface Paced<T> {
  value: T;
  outcome: RequestOutcome;
}

/** Runs requests to one endpoint at the pace that it keeps up with. Waiting parties take turns by the time they have used. */
export class PacedSlots {
  private readonly pace: RequestPace;
  private readonly queue: FairQueue<Waiting>;
  private timer: NodeJS.Timeout | undefined;

  /** `groupOf` returns the group of a party; see FairQueue. */
  constructor(options: PaceOptions, groupOf: GroupOf = alone) {
    this.pace = new RequestPace(options);
    this.queue = new FairQueue(groupOf);
  }

  /** Number of requests that wait for their turn. */
  get waiting(): number {
    return this.queue.size;
  }

  /** True if nothing waits or runs. */
  get isIdle(): boolean {
    return this.queue.size === 0 && this.pace.state(performance.now()).running === 0;
  }

  /** Returns what limits requests now; see `RequestPace.state`. */
  state(): ReturnType<RequestPace['state']> {
    return this.pace.state(performance.now());
  }

  /** Reports whether the endpoint has only rejected for so long that it is no longer waited for. */
  isGivenUp(): boolean {
    return this.pace.isGivenUp(performance.now());
  }

  /**
   * Runs a request when it may start; `running` counts those in progress, with this one. Rejects with the reason of `signal` when
   * that aborts before.
   */
  async run<T>(
    party: Party,
    request: (running: number) => Promise<Paced<T>>,
    signal: AbortSignal,
  ): Promise<T> {
    signal.throwIfAborted();
    const started = await this.turn(party, signal);
    const since = performance.now();
    let outcome: RequestOutcome = { kind: 'other' };
    try {
      const paced = await request(started.running);
      outcome = paced.outcome;
      return paced.value;
    } finally {
      const now = performance.now();
      this.queue.charge(party, now - since);
      this.pace.end(started, outcome, now);
      if (this.isIdle) this.pace.idle();
      this.fill();
    }
  }

  private async turn(party: Party, signal: AbortSignal): Promise<StartedRequest> {
    const { promise, resolve, reject } = Promise.withResolvers<StartedRequest>();
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', abort);
    this.queue.push(party, { begin: resolve, signal });
    this.fill();
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /** Starts the waiting requests that may start, and sets a timer for when the next one may. */
  private fill(): void {
    clearTimeout(this.timer);
    while (this.queue.size > 0) {
      const now = performance.now();
      const at = this.pace.startsAt(now);
      if (at === Number.POSITIVE_INFINITY) return;
      if (at > 0) {
        this.timer = setTimeout(() => this.fill(), Math.min(at - now, LONGEST_TIMER_MS));
        this.timer.unref();
        return;
      }
      const next = this.queue.take();
      if (next && !next.signal.aborted) next.begin(this.pace.start(now));
    }
  }
}
