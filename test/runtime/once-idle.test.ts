import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { onceIdle } from '../../src/runtime/once-idle.ts';

const PERIOD_MS = 200;

/** Keeps the event loop busy: timers run in between, and there is never time to wait. */
async function work(milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds;
  while (performance.now() < end) {
    const pause = performance.now() + 20;
    while (performance.now() < pause);
    await new Promise(setImmediate);
  }
}

it('an action waits for a period in which its thread is idle, and happens once', async () => {
  let times = 0;
  onceIdle(() => (times += 1), PERIOD_MS);
  await work(4 * PERIOD_MS);
  expect(times).toBe(0);
  await expect.poll(() => times).toBe(1);
  await sleep(3 * PERIOD_MS);
  expect(times).toBe(1);
});
