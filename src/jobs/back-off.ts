const FIRST_MS = 1_000;
const CAP_MS = 3_600_000;
const JITTER = 0.2;

/**
 * Returns the pause after failed attempt number `attempt` (the first is 1): 1 s, doubled each time up to an
 * hour, ±20 %. `random` returns numbers from 0 up to, but not including, 1.
 */
export function backOffMs(attempt: number, random: () => number): number {
  const spread = 1 + JITTER * (2 * random() - 1);
  return Math.round(Math.min(FIRST_MS * 2 ** (attempt - 1), CAP_MS) * spread);
}
