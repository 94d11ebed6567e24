import { describe, expect, it } from 'vitest';
import { type Answered, ParallelLimits } from '../../src/deliver/parallel-limits.ts';

const APP = { application: 1, url: 'http://app' };

const MOST = 32;
const TIMEOUT_MS = 15_000;
const never = new AbortController().signal;

/** A request to an app in simulated time. */
interface Sent {
  leave: (answered: Answered | null) => void;
  at: number;
}

/** An app that works on `parallel` requests at once, each for `workMs`, in their order. */
interface SimulatedApp {
  parallel: number;
  workMs: number;
}

/** Sends `count` requests to an app in simulated time; returns how many timed out, and the largest number at once. */
async function simulate({ parallel, workMs }: SimulatedApp, count: number) {
  const limits = new ParallelLimits(MOST);
  const arrived: Sent[] = [];
  let clock = 0;
  for (let i = 0; i < count; i++)
    void limits.enter(APP, never).then((leave) => arrived.push({ leave, at: clock }));
  const freeAt = new Array<number>(parallel).fill(0);
  const working: { end: number; sent: Sent }[] = [];
  let [timedOut, answered, atOnce] = [0, 0, 0];
  while (answered < count) {
    await Promise.resolve();
    for (const sent of arrived.splice(0)) {
      const slot = freeAt.indexOf(Math.min(...freeAt));
      const end = Math.max(clock, freeAt[slot] as number) + workMs;
      freeAt[slot] = end;
      working.push({ end: Math.min(end, sent.at + TIMEOUT_MS), sent });
    }
    atOnce = Math.max(atOnce, working.length);
    working.sort((a, b) => a.end - b.end);
    const next = working.shift();
    if (next === undefined) throw new Error('nothing is in progress');
    clock = next.end;
    const ms = clock - next.sent.at;
    const isOverloaded = ms >= TIMEOUT_MS;
    timedOut += Number(isOverloaded);
    answered += 1;
    next.sent.leave({ ms, timeoutMs: TIMEOUT_MS, isOverloaded });
    // Those that now have their turn arrive at this time.
    for (let i = 0; i < 5; i++) await Promise.resolve();
  }
  return { timedOut, atOnce, ms: clock };
}

describe('requests to an app at once', () => {
  it.each<[what: string, app: SimulatedApp]>([
    ['one at a time, a second each', { parallel: 1, workMs: 1_000 }],
    ['one at a time, three seconds each', { parallel: 1, workMs: 3_000 }],
    ['one at a time, six seconds each', { parallel: 1, workMs: 6_000 }],
    ['four at a time, four seconds each', { parallel: 4, workMs: 4_000 }],
  ])('are few enough that an app answers in time that works on %s', async (_what, app) => {
    expect(await simulate(app, 40)).toMatchObject({ timedOut: 0 });
  });

  it.each<[what: string, app: SimulatedApp]>([
    ['a second', { parallel: 1_000, workMs: 1_000 }],
    ['ten seconds', { parallel: 1_000, workMs: 10_000 - 1 }],
  ])('become as many as are allowed for an app that answers all within %s', async (_what, app) => {
    expect(await simulate(app, 400)).toMatchObject({ timedOut: 0, atOnce: MOST });
  });

  it('are fewer after an app did not answer in time, or said that it has too much to do', async () => {
    const limits = new ParallelLimits(MOST);
    const good = { ms: 10, timeoutMs: TIMEOUT_MS, isOverloaded: false };
    for (let i = 0; i < 10; i++) (await limits.enter(APP, never))(good);
    expect(limits.limitOf(APP)).toBe(12);
    const both = [await limits.enter(APP, never), await limits.enter(APP, never)];
    for (const leave of both) leave({ ...good, isOverloaded: true });
    // Both were sent before the limit was lowered: they lower it once.
    expect(limits.limitOf(APP)).toBe(6);
    expect(limits.limitOf({ ...APP, application: 2 })).toBe(2);
  });

  it.each([1, 2, 5])('rarely become more than the %i that an app takes before it rejects', async (most) => {
    const limits = new ParallelLimits(MOST);
    const sent: ((answered: Answered | null) => void)[] = [];
    let [rejected, ended] = [0, 0];
    for (let i = 0; i < 200; i++) void limits.enter(APP, never).then((leave) => sent.push(leave));
    const passed = async (): Promise<void> => {
      for (let i = 0; i < 5; i++) await Promise.resolve();
    };
    while (ended < 200) {
      await passed();
      // Those beyond what the app takes are rejected at once, the others answered later.
      const isTooMany = sent.length > most;
      const leave = (isTooMany ? sent.pop() : sent.shift()) as (answered: Answered) => void;
      rejected += Number(isTooMany);
      ended += 1;
      leave({ ms: isTooMany ? 1 : 100, timeoutMs: TIMEOUT_MS, isOverloaded: isTooMany });
    }
    expect(rejected).toBeLessThanOrEqual(5);
  });

  it('leave their place when they are aborted, while they wait or without an answer', async () => {
    const limits = new ParallelLimits(MOST);
    const first = [await limits.enter(APP, never), await limits.enter(APP, never)];
    const aborted = new AbortController();
    const waits = limits.enter(APP, aborted.signal);
    const last = limits.enter(APP, never);
    aborted.abort(new Error('cancelled'));
    await expect(waits).rejects.toThrow('cancelled');
    first[0]?.(null);
    (await last)(null);
    first[1]?.(null);
    expect(limits.limitOf(APP)).toBe(2);
    await expect(limits.enter(APP, aborted.signal)).rejects.toThrow('cancelled');
  });
});

it('an app reports that tests wait for it, with what it is expected to answer', async () => {
  const limits = new ParallelLimits(8);
  expect(limits.waitOf(APP)).toBeNull();
  const [first, second] = [await limits.enter(APP, never), await limits.enter(APP, never)];
  const third = limits.enter(APP, never);
  expect(limits.waitOf(APP)).toEqual({
    atOnce: 2,
    pausedMs: 0,
    ratePerSecond: null,
    expectedPerSecond: null,
  });
  first({ ms: 500, timeoutMs: 600, isOverloaded: false });
  expect(limits.waitOf(APP)).toMatchObject({ atOnce: 1, expectedPerSecond: 2 });
  expect(limits.waitOf({ ...APP, application: 2 })).toBeNull();
  second(null);
  (await third)(null);
  expect(limits.waitOf(APP)).toBeNull();
});
