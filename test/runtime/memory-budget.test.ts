import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { MemoryBudget } from '../../src/runtime/memory-budget.ts';

describe('the memory budget', () => {
  it('takes charges up to its limit and no byte more', () => {
    const budget = new MemoryBudget(100);
    expect(budget.tryCharge(60)).toBe(true);
    expect(budget.tryCharge(41)).toBe(false);
    expect(budget.tryCharge(40)).toBe(true);
    expect(budget.tryCharge(1)).toBe(false);
    expect(budget.tryCharge(0)).toBe(true);
    budget.release(40);
    expect(budget.used).toBe(60);
  });

  it('can be forced above it, and rejects until enough came back', () => {
    const budget = new MemoryBudget(100);
    budget.force(150);
    expect(budget.used).toBe(150);
    expect(budget.tryCharge(1)).toBe(false);
    budget.release(50);
    expect(budget.tryCharge(1)).toBe(false);
    budget.release(1);
    expect(budget.tryCharge(1)).toBe(true);
  });

  it('is one over the same memory', () => {
    const budget = new MemoryBudget(100);
    const other = MemoryBudget.over(budget.buffer, budget.limit);
    other.force(30);
    expect(budget.used).toBe(30);
    budget.release(30);
    expect(other.used).toBe(0);
  });

  it('reports that more was returned than was charged, and stays as it was', () => {
    const budget = new MemoryBudget(100);
    budget.force(10);
    expect(() => budget.release(11)).toThrow('more than were charged');
    expect(budget.used).toBe(10);
  });

  it.each([-1, 0.5, Number.NaN, 2 ** 31])('knows no charge of %d bytes', (bytes) => {
    const budget = new MemoryBudget(100);
    expect(() => budget.tryCharge(bytes)).toThrow(RangeError);
    expect(() => budget.force(bytes)).toThrow(RangeError);
    expect(() => budget.release(bytes)).toThrow(RangeError);
    expect(budget.used).toBe(0);
  });

  it('never passes its limit, and rejects nothing that there is space for, with two threads at it', async () => {
    // Space for both threads' largest charges together: no charge may ever be rejected.
    const roomy = new MemoryBudget(20);
    expect(await hammer(roomy)).toEqual([0, 0]);
    expect(roomy.used).toBe(0);

    // Space for one only: some are rejected, and none gets in above the limit.
    const tight = new MemoryBudget(10);
    const rejected = await hammer(tight);
    expect(rejected.every((count) => count >= 0)).toBe(true);
    expect(tight.used).toBe(0);
  });
});

/** Two threads charge and release 1 … 10 bytes; how often each was rejected, −1 = one saw more used than the limit. */
function hammer({ buffer, limit }: MemoryBudget): Promise<number[]> {
  const code = `
    const { parentPort, workerData } = require('node:worker_threads');
    import(workerData.module).then(({ MemoryBudget }) => {
      const budget = MemoryBudget.over(workerData.buffer, workerData.limit);
      let rejected = 0;
      for (let i = 0; i < 300000; i++) {
        const bytes = 1 + (i % 10);
        if (!budget.tryCharge(bytes)) { rejected++; continue; }
        if (budget.used > budget.limit) { rejected = -1; break; }
        budget.release(bytes);
      }
      parentPort.postMessage(rejected);
    });`;
  const module = new URL('../../src/runtime/memory-budget.ts', import.meta.url).href;
  const threads = [1, 2].map(async () => {
    const worker = new Worker(code, { eval: true, workerData: { module, buffer, limit } });
    const [rejected] = (await once(worker, 'message')) as [number];
    await worker.terminate();
    return rejected;
  });
  return Promise.all(threads);
}
