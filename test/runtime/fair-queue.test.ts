import { describe, expect, it } from 'vitest';
import { FairQueue } from '../../src/runtime/fair-queue.ts';
import type { Party } from '../../src/runtime/party.ts';

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

describe('a fair queue of organisations', () => {
  /** Parties `a`, `b` and `c` are of one organisation, `x` and others are alone. */
  const groupOf = (party: Party): Party => ('abc'.includes(String(party)) ? 'organisation' : party);
  function groupedQueueOf(...items: string[]): FairQueue<string> {
    const queue = new FairQueue<string>(groupOf);
    for (const item of items) queue.push(item[0] as Party, item);
    return queue;
  }

  it('gives one with several applications the turns of one, and these turns in it', () => {
    expect(serve(groupedQueueOf('a1', 'a2', 'b1', 'c1', 'x1', 'x2', 'x3', 'x4'), () => 1)).toEqual([
      'a1',
      'x1',
      'b1',
      'x2',
      'c1',
      'x3',
      'a2',
      'x4',
    ]);
  });

  it('charges the organisation with what its applications cost', () => {
    const queue = groupedQueueOf('a1', 'b1', ...Array.from({ length: 12 }, (_, index) => `x${index}`));
    const order = serve(queue, (item) => (item.startsWith('x') ? 1 : 10));
    expect([order.indexOf('a1'), order.indexOf('b1')]).toEqual([0, 11]);
  });

  it('charges in it the application that caused the cost', () => {
    const queue = groupedQueueOf('a1', 'a2', 'b1', 'b2', 'b3');
    expect(serve(queue, (item) => (item.startsWith('a') ? 2.5 : 1))).toEqual(['a1', 'b1', 'b2', 'b3', 'a2']);
  });

  it('counts what waits for it and for each application', () => {
    const queue = groupedQueueOf('a1', 'b1', 'x1');
    expect([
      queue.sizeOf('a'),
      queue.sizeOfGroup('a'),
      queue.sizeOfGroup('c'),
      queue.sizeOfGroup('x'),
    ]).toEqual([1, 2, 2, 1]);
    queue.take();
    expect([queue.sizeOfGroup('a'), queue.clear().length, queue.sizeOfGroup('a')]).toEqual([1, 2, 0]);
  });
});

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

it('keeps what meets a condition, in the same turns', () => {
  const queue = queueOf('a1', 'b1', 'a2', 'b2', 'a3');
  queue.keep((item) => item !== 'a1' && item !== 'b2');
  expect([queue.size, queue.sizeOf('a'), serve(queue, () => 1)]).toEqual([3, 2, ['a2', 'b1', 'a3']]);
});
