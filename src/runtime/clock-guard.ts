const DAY_MS = 24 * 60 * 60_000;
/** A clock that jumps by less changes little about what is old. */
const TOLERANCE_MS = DAY_MS;
/** Time after a jump until the new time is believed. */
const SETTLE_MS = DAY_MS;
/** Time for which the server may have been off before its clock is doubted at the start. */
const MAX_OFF_MS = 7 * DAY_MS;

interface ClockGuardOptions {
  /** Wall clock in Unix milliseconds, which may jump. */
  now: () => number;
  /** Monotonic clock in milliseconds. */
  elapsed: () => number;
  /** Time when the store last changed, in Unix milliseconds; null for a new store. */
  lastKnownAt: number | null;
  onJump: (jumpMs: number) => void;
}

/**
 * Doubts the wall clock for a day after it jumped by more than a day, so that a wrong clock deletes nothing by age.
 * Returns whether it is believed.
 */
export function createClockGuard({ now, elapsed, lastKnownAt, onJump }: ClockGuardOptions): () => boolean {
  const offset = (): number => now() - elapsed();
  let believed = offset();
  if (lastKnownAt !== null && Math.abs(now() - lastKnownAt) > MAX_OFF_MS) believed = lastKnownAt - elapsed();
  let seen = believed;
  let seenAt = elapsed();
  return () => {
    const current = offset();
    if (Math.abs(current - seen) > TOLERANCE_MS) {
      seenAt = elapsed();
      if (Math.abs(current - believed) > TOLERANCE_MS) onJump(current - believed);
    }
    seen = current;
    const isNear = Math.abs(current - believed) <= TOLERANCE_MS;
    if (isNear || elapsed() - seenAt >= SETTLE_MS) believed = current;
    return Math.abs(current - believed) <= TOLERANCE_MS;
  };
}
