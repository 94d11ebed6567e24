import { expect, it } from 'vitest';
import { type Paced, PacedSlots, TurnTimeoutError } from '../../src/runtime/paced-slots.ts';

const never = new AbortController().signal;

/** Work that ends on request. */
function gate(): {
  begun: string[];
  work: (name: string) => () => Promise<Paced<void>>;
  end: (name: string) => void;
} {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => async (): Promise<Paced<void>> => {
    begun.push(name);
    await new Promise<void>((resolve) => ends.set(name, resolve));
    return { value: undefined, outcome: { kind: 'other' } };
  };
  return { begun, work, end: (name) => ends.get(name)?.() };
}

it('runs as many at a time as there are slots, and lets parties take turns', async () => {
  const { begun, work, end } = gate();
  const slots = new PacedSlots({ most: 2, maxWaitMs: 60_000 });
  const runs = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2'].map((name) =>
    slots.run(name.charAt(0), work(name), never),
  );
  await expect.poll(() => begun).toEqual(['a1', 'a2']);
  end('a1');
  await expect.poll(() => begun.length).toBe(3);
  expect(begun[2]).toBe('b1');
  for (const name of ['a2', 'b1']) end(name);
  await expect.poll(() => begun.length).toBe(5);
  expect(begun).toContain('b2');
  for (const name of ['b2', 'a3']) end(name);
  await expect.poll(() => begun.length).toBe(6);
  end('a4');
  await Promise.all(runs);
});

it('frees the slot of work that fails', async () => {
  const slots = new PacedSlots({ most: 1, maxWaitMs: 60_000 });
  await expect(slots.run('a', () => Promise.reject(new Error('no')), never)).rejects.toThrow('no');
  expect(await slots.run('a', () => Promise.resolve({ value: 1, outcome: { kind: 'other' } }), never)).toBe(
    1,
  );
});

it('rejects what is aborted while it waits, and never runs it', async () => {
  const { begun, work, end } = gate();
  const slots = new PacedSlots({ most: 1, maxWaitMs: 60_000 });
  const first = slots.run('a', work('a1'), never);
  const controller = new AbortController();
  const second = slots.run('a', work('a2'), controller.signal);
  controller.abort(new Error('stopped'));
  await expect(second).rejects.toThrow('stopped');
  await expect(slots.run('a', work('a3'), controller.signal)).rejects.toThrow('stopped');
  const third = slots.run('b', work('b1'), never);
  end('a1');
  await first;
  await expect.poll(() => begun).toEqual(['a1', 'b1']);
  end('b1');
  await third;
});

it('a request waits for its turn for a limited time, which begins again with each response', async () => {
  const { begun, work, end } = gate();
  const slots = new PacedSlots({ most: 1, maxWaitMs: 60_000, turnMs: 30 });
  const first = slots.run('a', work('a1'), never);
  await expect(slots.run('a', work('a2'), never)).rejects.toThrow(TurnTimeoutError);
  expect([slots.waiting, slots.isIdle]).toEqual([0, false]);
  const third = slots.run('a', work('a3'), never);
  end('a1');
  await first;
  await expect.poll(() => begun).toEqual(['a1', 'a3']);
  end('a3');
  await third;
  expect(slots.isIdle).toBe(true);
});

it('what was aborted is not counted among what waits', async () => {
  const { work, end } = gate();
  const slots = new PacedSlots({ most: 1, maxWaitMs: 60_000 });
  const first = slots.run('a', work('a1'), never);
  const controller = new AbortController();
  const second = slots.run('a', work('a2'), controller.signal);
  expect(slots.waiting).toBe(1);
  controller.abort(new Error('stopped'));
  await expect(second).rejects.toThrow('stopped');
  expect(slots.waiting).toBe(0);
  end('a1');
  await first;
  expect(slots.isIdle).toBe(true);
});

it('a delay longer than requests may wait pauses nothing: each fails at its own rejection', async () => {
  const slots = new PacedSlots({ most: 1, maxWaitMs: 1_000 });
  const rejected = (): Promise<Paced<number>> =>
    Promise.resolve({ value: 1, outcome: { kind: 'busy', delayMs: 31_536_000_000 } });
  const all = [
    slots.run('a', rejected, never),
    slots.run('a', rejected, never),
    slots.run('b', rejected, never),
  ];
  expect(await Promise.all(all)).toEqual([1, 1, 1]);
  expect([slots.isGivenUp(), slots.state().pausedMs]).toEqual([true, 0]);
  await slots.run(
    'a',
    async () => ({ value: 2, outcome: { kind: 'answered', ms: 1, timeoutMs: 60, pauseMs: null } }),
    never,
  );
  expect(slots.isGivenUp()).toBe(false);
});

it('does not keep what ended during a pause: the queue is at most twice as long as what waits', async () => {
  const { begun, work, end } = gate();
  const slots = new PacedSlots({ most: 1, maxWaitMs: 60_000 });
  const first = slots.run('a', work('a1'), never);
  const last = slots.run('a', work('a2'), never);
  for (let round = 0; round < 50; round += 1) {
    const controller = new AbortController();
    const runs = Array.from({ length: 20 }, (_, n) => slots.run(n % 3, work('x'), controller.signal));
    controller.abort(new Error('stopped'));
    expect((await Promise.allSettled(runs)).every(({ status }) => status === 'rejected')).toBe(true);
  }
  expect(slots.waiting).toBe(1);
  expect(slots.queued).toBeLessThan(100);
  end('a1');
  await first;
  await expect.poll(() => begun).toEqual(['a1', 'a2']);
  end('a2');
  await last;
});
