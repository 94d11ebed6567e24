import type { EndpointWait } from './endpoint-wait.ts';

/** An answer within this part of the time limit shows that the endpoint keeps up. */
const QUICK = 1 / 3;
/** An answer after this part of the time limit shows that it soon will not. */
const SLOW = 2 / 3;
/** Pause after a rejection that names no delay; it doubles with each further one, up to the longest. */
const FIRST_PAUSE_MS = 500;
const LEAST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 30_000;
/** Intervals of the rate in the pause after a rejection that names no delay. */
const PAUSE_INTERVALS = 2;
/** Longest pause because an answer reports that a limit is used up: a hint, where a rejection is a fact. */
const LONGEST_HINT_MS = 60_000;
/** Growth of the rate in a second: after a rejection, at most, and the time in which it doubles without another one. */
const FIRST_GROWTH = 0.02;
const HIGHEST_GROWTH = 0.5;
const DOUBLING_MS = 5_000;
/** Longest time for which the rate grows at once. */
const LONGEST_GROWTH_S = 2;
/** Shortest time over which answers are counted, also as a multiple of the mean time of an answer. */
const LEAST_MEASURED_MS = 1_000;
const LATENCIES = 3;
/** Weight of one answer in the mean time. */
const WEIGHT = 0.1;
/** Part of the measured rate with which a lowered rate begins. */
const BELOW = 0.97;
/** Least part of the rate that one rejection leaves. */
const LARGEST_FALL = 0.85;
/** Rates outside these bounds, in requests per second, are none. */
const LOWEST_RATE = 1 / 60;
const HIGHEST_RATE = 1_000;

/** RequestOutcome of a request. */
export type RequestOutcome =
  /** `pauseMs`: time until a limit that the answer reports as used up is reset. */
  | { kind: 'answered'; ms: number; timeoutMs: number; pauseMs: number | null }
  /** Rejected as too frequent, or because there is too much to do. */
  | { kind: 'busy'; delayMs: number | null }
  | { kind: 'timeout' }
  /** Shows nothing about the load. */
  | { kind: 'other' };

export interface PaceOptions {
  /** Most requests at once, however well the endpoint keeps up. */
  most: number;
  /** Requests at once in the beginning. Default: `most`. */
  first?: number;
  /** Time after which an endpoint that only rejects is no longer waited for. */
  maxWaitMs: number;
}

/** A request that was started. */
export interface StartedRequest {
  number: number;
  /** Number of requests in progress, with this one. */
  running: number;
}

/**
 * Finds how many requests at once, and how many in a second, an endpoint takes, by how it answers. The number at once falls
 * with time-outs and slow answers; the rate falls to what was answered between two rejections. Both rise again while it
 * keeps up. Times are in milliseconds of one clock, which callers bring.
 */
export class RequestPace {
  private readonly options: PaceOptions;
  private limit: number;
  /** Requests in a second; null while no rejection has shown a limit. */
  private rate: number | null = null;
  private running = 0;
  private started = 0;
  /** `started` when a limit was lowered: outcomes of these requests do not lower it again. */
  private loweredAt = 0;
  private hasSlowed = false;
  private pausedUntil = 0;
  private nextAt = 0;
  private grownAt = 0;
  private rejectedAt = 0;
  /** Mean time of the answers. */
  private meanMs = 0;
  /** Rejections in a row, and when the first of them arrived. */
  private rejections = 0;
  private silentSince: number | null = null;
  private lastResponseAt = Number.NEGATIVE_INFINITY;
  /** Time of the last rejection that was measured, the answers since, and whether requests have been waiting all the time. */
  private measuredSince: number | null = null;
  private answers = 0;
  private isSaturated = true;

  constructor(options: PaceOptions) {
    this.options = options;
    this.limit = options.first ?? options.most;
  }

  /** Returns when the next request may start: 0 for now, Infinity for after the end of another one. */
  startsAt(now: number): number {
    if (this.running >= this.atOnce(now)) return Number.POSITIVE_INFINITY;
    const at = Math.max(this.pausedUntil, this.rate === null ? 0 : this.nextAt);
    return at <= now ? 0 : at;
  }

  start(now: number): StartedRequest {
    this.grow(now);
    const interval = 1_000 / (this.rate ?? Number.POSITIVE_INFINITY);
    // A start that was late is made up for, once.
    this.nextAt = Math.max(this.nextAt, now - interval) + interval;
    this.running += 1;
    this.started += 1;
    return { number: this.started, running: this.running };
  }

  end({ number }: StartedRequest, outcome: RequestOutcome, now: number): void {
    this.running -= 1;
    if (outcome.kind === 'answered' || outcome.kind === 'other') this.lastResponseAt = now;
    if (outcome.kind === 'answered') this.answered(outcome, number, now);
    if (outcome.kind === 'timeout') this.lower(this.limit / 2, number);
    if (outcome.kind === 'busy') this.rejected(outcome.delayMs, number, now);
  }

  /** Notes that no request waits: the rate of answers since the last rejection is that of the requests, not a limit. */
  idle(): void {
    this.isSaturated = false;
  }

  /** Time of the last response that was no rejection; −Infinity before there is one. */
  get respondedAt(): number {
    return this.lastResponseAt;
  }

  /** Reports whether the endpoint has only rejected for so long that it is no longer waited for. */
  isGivenUp(now: number): boolean {
    return this.silentSince !== null && now - this.silentSince >= this.options.maxWaitMs;
  }

  /** Returns what limits requests now, for metrics and pages. */
  state(now: number): EndpointWait & { running: number } {
    const atOnce = this.atOnce(now);
    const byLatency = this.meanMs > 0 ? (atOnce * 1_000) / this.meanMs : null;
    return {
      atOnce,
      running: this.running,
      ratePerSecond: this.rate,
      expectedPerSecond: this.rate === null ? byLatency : Math.min(this.rate, byLatency ?? this.rate),
      pausedMs: Math.max(0, this.pausedUntil - now),
    };
  }

  /** Returns the number of requests at once: one after several rejections in a row, which tries whether they are over. */
  private atOnce(now: number): number {
    return this.rejections > 1 && !this.isGivenUp(now) ? 1 : Math.floor(this.limit);
  }

  private answered(
    { ms, timeoutMs, pauseMs }: RequestOutcome & { kind: 'answered' },
    number: number,
    now: number,
  ): void {
    this.rejections = 0;
    this.silentSince = null;
    this.answers += 1;
    this.meanMs += (this.meanMs === 0 ? 1 : WEIGHT) * (ms - this.meanMs);
    if (pauseMs !== null) this.pause(now + Math.min(pauseMs, LONGEST_HINT_MS));
    if (ms > timeoutMs * SLOW) this.lower(this.limit - 1, number);
    else if (ms <= timeoutMs * QUICK)
      this.limit = Math.min(this.options.most, this.limit + (this.hasSlowed ? 1 / this.limit : 1));
  }

  private lower(limit: number, number: number): void {
    this.hasSlowed = true;
    if (number <= this.loweredAt) return;
    this.loweredAt = this.started;
    this.limit = Math.max(1, limit);
  }

  private rejected(delayMs: number | null, number: number, now: number): void {
    const isFirst = number > this.loweredAt;
    if (isFirst) {
      this.rejections += 1;
      this.measure(now);
      // A quota that names its delay says nothing about the number at once.
      this.lower(delayMs === null ? this.limit - 1 : this.limit, number);
    }
    const { maxWaitMs } = this.options;
    this.silentSince ??= now;
    // Nothing waits for the end of a longer delay, so it need not be awaited to know that the endpoint only rejects.
    if (delayMs !== null && delayMs >= maxWaitMs)
      this.silentSince = Math.min(this.silentSince, now - maxWaitMs);
    if (this.isGivenUp(now)) return;
    if (isFirst || delayMs !== null)
      this.pause(Math.min(now + this.pauseMs(delayMs), this.silentSince + maxWaitMs));
  }

  /** Returns the delay that was named, but no shorter one than it takes to find out that it is too short. */
  private pauseMs(delayMs: number | null): number {
    const interval = this.rate === null ? FIRST_PAUSE_MS : (PAUSE_INTERVALS * 1_000) / this.rate;
    const first = Math.min(FIRST_PAUSE_MS, Math.max(LEAST_PAUSE_MS, interval));
    const doublings = Math.min(10, this.rejections - (delayMs === null ? 1 : 2));
    const own = doublings < 0 ? 0 : Math.min(LONGEST_PAUSE_MS, first * 2 ** doublings);
    return Math.max(delayMs ?? 0, own);
  }

  private pause(until: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, until);
    this.nextAt = Math.max(this.nextAt, until);
  }

  /**
   * Sets the rate to what was answered since the rejection before, with all pauses, if requests were waiting all the time.
   * Answers arrive late, so a short time shows too few of them.
   */
  private measure(now: number): void {
    const { measuredSince: since } = this;
    this.rejectedAt = now;
    this.grownAt = now;
    if (
      since !== null &&
      (this.answers === 0 || now - since < Math.max(LEAST_MEASURED_MS, LATENCIES * this.meanMs))
    )
      return;
    if (since !== null && this.isSaturated) {
      const measured = (this.answers * 1_000) / (now - since);
      const rate = this.rate ?? measured;
      // While the rate rose, fewer were answered than at its end, where the rejection arrived.
      this.rate = Math.max(LOWEST_RATE, Math.min(rate, Math.max(measured, rate * LARGEST_FALL)) * BELOW);
    } else if (this.rate !== null) this.rate = Math.max(LOWEST_RATE, this.rate * BELOW);
    this.measuredSince = now;
    this.answers = 0;
    this.isSaturated = true;
  }

  /** Lets the rate rise, slowly after a rejection and faster the longer there was none. */
  private grow(now: number): void {
    if (this.rate !== null) {
      const growth = Math.min(HIGHEST_GROWTH, FIRST_GROWTH * 2 ** ((now - this.rejectedAt) / DOUBLING_MS));
      const seconds = Math.min(LONGEST_GROWTH_S, (now - this.grownAt) / 1_000);
      this.rate *= 1 + growth * seconds;
      if (this.rate > HIGHEST_RATE) this.rate = null;
    }
    this.grownAt = now;
  }
}
