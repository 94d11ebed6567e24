import { describe, expect, it } from 'vitest';
import { FairQueue, type Party } from '../../src/runtime/fair-queue.ts';

/** Serves until nothing waits; `cost` says what each item is charged. */
function serve(queue: FairQueue<string>, cost: (item: string) => number): string[] {
  const order: string[] = [];
  for (let item = queue.take(); item !== undefined; item = queue.take()) {
    order.push(item);
    queue.charge(item[0] as Party, cost(item));
  }
  return order;
}

function queueOf(...items: string[]): FairQueue<string> {
  const queue = new FairQueue<string>();
  for (const item of items) queue.push(item[0] as Party, item);
  return queue;
}

describe('a fair queue', () => {
  it('keeps the order of one party', () => {
    expect(serve(queueOf('a1', 'a2', 'a3'), () => 1)).toEqual(['a1', 'a2', 'a3']);
  });

  it('gives parties whose items cost the same a turn each', () => {
    expect(serve(queueOf('a1', 'a2', 'a3', 'b1', 'c1', 'b2'), () => 1)).toEqual([
      'a1',
      'b1',
      'c1',
      'a2',
      'b2',
      'a3',
    ]);
  });

  it('lets a party that took long wait until the others had as much', () => {
    const queue = queueOf('a1', 'a2', ...Array.from({ length: 12 }, (_, index) => `b${index}`));
    const order = serve(queue, (item) => (item.startsWith('a') ? 10 : 1));
    expect(order.indexOf('a1')).toBe(0);
    expect(order.indexOf('a2')).toBe(11);
  });

  it('saves nothing up for a party that was away', () => {
    const queue = queueOf('a1', 'a2', 'a3', 'a4', 'a5');
    for (const _ of [1, 2, 3]) {
      queue.take();
      queue.charge('a', 100);
    }
    for (const item of ['b1', 'b2', 'b3', 'b4']) queue.push('b', item);
    expect(serve(queue, () => 100)).toEqual(['b1', 'a4', 'b2', 'a5', 'b3', 'b4']);
  });

  it('remembers what a party owes while others wait, and forgets it when they had as much', () => {
    const queue = queueOf('a1', 'b1', 'b2', 'b3');
    expect(queue.take()).toBe('a1');
    queue.charge('a', 2);
    queue.push('a', 'a2');
    expect(serve(queue, () => 1)).toEqual(['b1', 'b2', 'a2', 'b3']);
  });

  it('passes over a party whose first item may not be taken', () => {
    const queue = queueOf('a1', 'b1');
    expect(queue.take((party) => party !== 'a')).toBe('b1');
    expect(queue.take((party) => party !== 'a')).toBeUndefined();
    expect(queue.size).toBe(1);
    expect(queue.take()).toBe('a1');
  });

  it('puts an item back before the others of its party', () => {
    const queue = queueOf('a1', 'a2');
    queue.unshift('a', queue.take() as string);
    expect([queue.sizeOf('a'), queue.sizeOf('b'), queue.size]).toEqual([2, 0, 2]);
    expect(serve(queue, () => 1)).toEqual(['a1', 'a2']);
  });

  it('gives out all that wait when it is cleared', () => {
    const queue = queueOf('a1', 'b1', 'a2');
    expect(queue.clear().toSorted()).toEqual(['a1', 'a2', 'b1']);
    expect([queue.size, queue.take()]).toEqual([0, undefined]);
  });
});
