import type { EndpointWait } from './endpoint-wait.ts';
import { FairQueue } from './fair-queue.ts';
import { type RequestOutcome, RequestPace, type PaceOptions, type StartedRequest } from './request-pace.ts';
import { alone, type GroupOf, type Party } from './party.ts';

/** Longest delay of a timer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** Requests that have ended without a turn, beyond which they are removed from the queue as soon as they are its half. */
const MOST_ENDED = 64;
/** Least time for which a request waits for its turn: twice the longest time limit of those before it. */
const LEAST_TURN_MS = 20 * 60_000;

interface Waiting {
  begin: (started: StartedRequest) => void;
  reject: (error: Error) => void;
  since: number;
}

export interface PacedSlotsOptions extends PaceOptions {
  /** Longest wait for a turn while the endpoint responds to no request. Default: `maxWaitMs`, at least 20 minutes. */
  turnMs?: number;
}

/** Error of a request that had no turn, because the endpoint did not respond to those before it. */
export class TurnTimeoutError extends Error {
  override readonly name = 'TurnTimeoutError';
}

/** Result of a request, and what it shows about the load of the endpoint. */
export interface Paced<T> {
  value: T;
  outcome: RequestOutcome;
}

/** Runs requests to one endpoint at the pace that it keeps up with. Waiting parties take turns by the time they have used. */
export class PacedSlots {
  private readonly pace: RequestPace;
  private readonly turnMs: number;
  private readonly most: number;
  private readonly queue: FairQueue<Waiting>;
  /** Requests that wait, the longest first. The queue may contain others, which have ended. */
  private readonly pending = new Set<Waiting>();
  private timer: NodeJS.Timeout | undefined;

  /** `groupOf` returns the group of a party; see FairQueue. */
  constructor({ turnMs, ...options }: PacedSlotsOptions, groupOf: GroupOf = alone) {
    this.pace = new RequestPace(options);
    this.most = options.most;
    this.turnMs = turnMs ?? Math.max(LEAST_TURN_MS, options.maxWaitMs);
    this.queue = new FairQueue(groupOf);
  }

  /** Number of requests in the queue, with those that have ended since they were last removed. */
  get queued(): number {
    return this.queue.size;
  }

  /** Number of requests that wait for their turn. */
  get waiting(): number {
    return this.pending.size;
  }

  /** True if nothing waits or runs. */
  get isIdle(): boolean {
    return this.pending.size === 0 && this.pace.state(performance.now()).running === 0;
  }

  /** Returns what limits requests now; see `RequestPace.state`. */
  state(): ReturnType<RequestPace['state']> {
    return this.pace.state(performance.now());
  }

  /** Returns what requests wait for; null if the endpoint keeps up with all that it may get at once. */
  waits(): EndpointWait | null {
    const { running: _running, ...wait } = this.state();
    const { pausedMs, ratePerSecond, atOnce } = wait;
    return pausedMs > 0 || ratePerSecond !== null || atOnce < this.most ? wait : null;
  }

  /** Reports whether the endpoint has only rejected for so long that it is no longer waited for. */
  isGivenUp(): boolean {
    return this.pace.isGivenUp(performance.now());
  }

  /**
   * Runs a request when it may start; `running` counts those in progress, with this one. Rejects with the reason of `signal` when
   * that aborts before, and with TurnTimeoutError when the endpoint has responded to no request for too long.
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
    const waiting: Waiting = { begin: resolve, reject, since: performance.now() };
    const abort = (): void => {
      this.pending.delete(waiting);
      this.removeEnded();
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', abort);
    this.pending.add(waiting);
    this.queue.push(party, waiting);
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
    this.expire(performance.now());
    this.removeEnded();
    let startsAt = Number.POSITIVE_INFINITY;
    while (this.pending.size > 0) {
      const now = performance.now();
      startsAt = this.pace.startsAt(now);
      if (startsAt > 0) break;
      const next = this.queue.take();
      if (next && this.pending.delete(next)) next.begin(this.pace.start(now));
    }
    const [first] = this.pending;
    if (first === undefined) return;
    const delayMs = Math.min(startsAt, this.endOf(first)) - performance.now();
    this.timer = setTimeout(() => this.fill(), Math.min(Math.max(0, delayMs), LONGEST_TIMER_MS));
    this.timer.unref();
  }

  /** Rejects the requests that have waited too long. */
  private expire(now: number): void {
    for (const waiting of this.pending) {
      if (this.endOf(waiting) > now) return;
      this.pending.delete(waiting);
      const seconds = Math.round(this.turnMs / 1_000);
      waiting.reject(
        new TurnTimeoutError(`no turn at the endpoint, which responded to no request for ${seconds} seconds`),
      );
    }
  }

  /** Removes what has ended while nothing has a turn, such as the requests of cancelled tests during a pause of the endpoint. */
  private removeEnded(): void {
    const ended = this.queue.size - this.pending.size;
    if (ended > Math.max(MOST_ENDED, this.pending.size)) this.queue.keep((one) => this.pending.has(one));
  }

  private endOf({ since }: Waiting): number {
    return Math.max(since, this.pace.respondedAt) + this.turnMs;
  }
}
