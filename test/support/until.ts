import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 50;
/** Milliseconds that a wait of a test may take: only what hangs reaches them, also on a busy machine. */
export const PATIENCE_MS = 120_000;

/**
 * Looks until what it sees is as wanted, by default true, and returns it; in hooks too. Throws when that takes too long.
 */
export async function until<T>(
  look: () => T | Promise<T>,
  isWanted: (seen: T) => boolean = Boolean,
  pollMs = POLL_MS,
): Promise<T> {
  for (const end = Date.now() + PATIENCE_MS; ; await sleep(pollMs)) {
    const seen = await look();
    if (isWanted(seen)) return seen;
    if (Date.now() > end)
      throw new Error(`after ${PATIENCE_MS} ms still ${JSON.stringify(seen)}: ${String(look)}`);
  }
}
