import { expect, it } from 'vitest';
import { createClockGuard } from '../../src/runtime/clock-guard.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);

function open(lastKnownAt: number | null = null) {
  const clock = { wall: START, monotonic: 0 };
  const jumps: number[] = [];
  const isBelieved = createClockGuard({
    now: () => clock.wall,
    elapsed: () => clock.monotonic,
    lastKnownAt,
    onJump: (days) => jumps.push(Math.round(days / DAY)),
  });
  /** Lets time pass, an hour at a time, as the service looks. */
  const pass = (days: number): boolean => {
    for (let hour = 0; hour < days * 24; hour += 1) {
      clock.wall += DAY / 24;
      clock.monotonic += DAY / 24;
      isBelieved();
    }
    return isBelieved();
  };
  const jump = (days: number): boolean => {
    clock.wall += days * DAY;
    return isBelieved();
  };
  return { pass, jump, jumps, isBelieved };
}

it('a clock that runs is believed', () => {
  const { pass, jumps } = open();
  expect([pass(3), jumps]).toEqual([true, []]);
});

it.each([400, -400])('a jump by %d days is doubted for a day, and reported once', (days) => {
  const { pass, jump, jumps } = open();
  expect([jump(days), pass(0.9), pass(0.2), jumps]).toEqual([false, false, true, [days]]);
});

it('a clock that jumps back to the right time is believed at once', () => {
  const { pass, jump, jumps } = open();
  expect([jump(400), pass(0.5), jump(-400), jumps]).toEqual([false, false, true, [400]]);
});

it('a pause of some hours is no jump', () => {
  expect(open().jump(0.5)).toBe(true);
});

it('a start long after the last change of the store is doubted, a recent one is not', () => {
  expect(open(START - 400 * DAY).isBelieved()).toBe(false);
  expect(open(START - 2 * DAY).isBelieved()).toBe(true);
});
