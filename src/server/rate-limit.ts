import { AppError } from '../errors.ts';

/** Most keys with a count; the least recently used one is dropped first and then starts afresh. */
const MAX_KEYS = 10_000;
/** Seconds whose requests a key may send at once. */
const BURST_SECONDS = 10;
/** Part of these requests that may pass before other processes hear of them. */
const UNREPORTED_SHARE = 1 / 10;

interface Bucket {
  /** Calls that are possible now; negative after other processes let further ones through. */
  tokens: number;
  /** Time at which `tokens` was computed, in milliseconds of a monotonic clock. */
  at: number;
  /** Calls that other processes have not heard of. */
  unreported: number;
}

/** Calls of a key. */
export interface KeyCalls {
  keyId: string;
  calls: number;
}

/**
 * Limits calls by API key with a token bucket: `perMinute` on average, a sixth of it at once. Each process has buckets of
 * its own, and takes from them what others report.
 */
export class RateLimit {
  private readonly buckets = new Map<string, Bucket>();
  /** Keys with so many unreported calls that others should hear of them. */
  private readonly due = new Set<string>();
  private readonly perMinute: number;
  private readonly elapsed: () => number;
  private readonly perMillisecond: number;
  private readonly most: number;
  private readonly reportable: number;

  constructor(perMinute: number, elapsed: () => number) {
    this.perMinute = perMinute;
    this.elapsed = elapsed;
    this.perMillisecond = perMinute / 60_000;
    this.most = Math.max(1, this.perMillisecond * BURST_SECONDS * 1_000);
    this.reportable = Math.max(1, this.most * UNREPORTED_SHARE);
  }

  /** Counts a call. Throws AppError `rate_limited`, with the seconds until the next call is possible. */
  take(keyId: string): void {
    const bucket = this.filled(keyId);
    if (bucket.tokens < 1) {
      const { perMinute, perMillisecond } = this;
      const retryAfter = Math.ceil((1 - bucket.tokens) / perMillisecond / 1_000);
      throw new AppError(
        'rate_limited',
        `This key may send at most ${perMinute} ${perMinute === 1 ? 'call' : 'calls'} per minute; retry later`,
        { retryAfter },
      );
    }
    bucket.tokens -= 1;
    bucket.unreported += 1;
    if (bucket.unreported >= this.reportable) this.due.add(keyId);
  }

  /** Takes what another process has let through; at most a minute's worth is owed. */
  charge({ keyId, calls }: KeyCalls): void {
    const bucket = this.filled(keyId);
    bucket.tokens = Math.max(-this.perMinute, bucket.tokens - calls);
  }

  /** Returns the calls that other processes should hear of, of at most `limit` keys; the rest follows next time. */
  report(limit: number): KeyCalls[] {
    const reported: KeyCalls[] = [];
    for (const keyId of this.due) {
      if (reported.length >= limit) break;
      this.due.delete(keyId);
      const bucket = this.buckets.get(keyId);
      if (!bucket) continue;
      reported.push({ keyId, calls: bucket.unreported });
      bucket.unreported = 0;
    }
    return reported;
  }

  /** Returns the bucket of a key as it is now, and makes it the last that is dropped. */
  private filled(keyId: string): Bucket {
    const at = this.elapsed();
    const { buckets, most } = this;
    const bucket = buckets.get(keyId) ?? { tokens: most, at, unreported: 0 };
    bucket.tokens = Math.min(most, bucket.tokens + Math.max(0, at - bucket.at) * this.perMillisecond);
    bucket.at = at;
    buckets.delete(keyId);
    const [oldest] = buckets.keys();
    if (buckets.size >= MAX_KEYS && oldest !== undefined) {
      buckets.delete(oldest);
      this.due.delete(oldest);
    }
    buckets.set(keyId, bucket);
    return bucket;
  }
}
