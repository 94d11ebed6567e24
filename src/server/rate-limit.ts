import { AppError } from '../errors.ts';

/** Most keys with a count; the least recently used one is dropped first and then starts afresh. */
const MAX_KEYS = 10_000;
/** Seconds whose requests a key may send at once. */
const BURST_SECONDS = 10;

interface Bucket {
  tokens: number;
  /** Time at which `tokens` was computed, in milliseconds of a monotonic clock. */
  at: number;
}

/**
 * Limits calls by API key with a token bucket: `perMinute` on average, a sixth of it at once. Each process counts
 * separately. The returned function throws AppError `rate_limited`, with the seconds until the next call is possible.
 */
export function createRateLimit(perMinute: number, elapsed: () => number): (keyId: string) => void {
  const perMillisecond = perMinute / 60_000;
  const most = Math.max(1, perMillisecond * BURST_SECONDS * 1_000);
  const buckets = new Map<string, Bucket>();

  return (keyId) => {
    const at = elapsed();
    const { tokens, at: before } = buckets.get(keyId) ?? { tokens: most, at };
    const filled = Math.min(most, tokens + Math.max(0, at - before) * perMillisecond);
    const isAllowed = filled >= 1;
    buckets.delete(keyId);
    const [oldest] = buckets.keys();
    if (buckets.size >= MAX_KEYS && oldest !== undefined) buckets.delete(oldest);
    buckets.set(keyId, { tokens: isAllowed ? filled - 1 : filled, at });
    if (isAllowed) return;
    const retryAfter = Math.ceil((1 - filled) / perMillisecond / 1_000);
    throw new AppError(
      'rate_limited',
      `This key may send at most ${perMinute} ${perMinute === 1 ? 'call' : 'calls'} per minute; retry later`,
      { retryAfter },
    );
  };
}
