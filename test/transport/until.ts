import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 50;
const PATIENCE_MS = 60_000;

/** Waits until something is true. Throws when it takes too long. */
export async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; !(await isTrue()); await sleep(POLL_MS))
    if (Date.now() > end) throw new Error(`after ${PATIENCE_MS} ms still not true: ${String(isTrue)}`);
}
