import { describe, expect, it } from 'vitest';
import { freest } from '../../src/storage/sqlite/freest.ts';

const worker = (...since: number[]) => ({ calls: new Set(since.map((at) => ({ since: at }))) });

describe('freest', () => {
  it.for([
    { name: 'the first of those that have nothing to do', workers: [worker(), worker()], index: 0 },
    { name: 'one that has nothing to do', workers: [worker(1), worker()], index: 1 },
    {
      name: 'one with younger calls, however many, before one at work for long',
      workers: [worker(1), worker(8, 9, 9)],
      index: 1,
    },
    { name: 'one that leaves a long call behind it', workers: [worker(7), worker(1, 8)], index: 0 },
    { name: 'the shorter queue of those equally old', workers: [worker(5, 6), worker(5)], index: 1 },
  ])('is $name', ({ workers, index }) => {
    expect(workers.indexOf(freest(workers))).toBe(index);
  });
});
