import { expect, it } from 'vitest';
import { type CanaryPair, canaryShift } from '../../../src/evaluate/statistics/canary-shift.ts';
import { mulberry32 } from '../../support/random.ts';

/** Pairs of which so many passed before and fail now, and so on. */
const pairsOf = (toFailed: number, toPassed: number, same: number): CanaryPair[] => [
  ...Array.from({ length: toFailed }, () => ({ first: true, before: true, now: false })),
  ...Array.from({ length: toPassed }, () => ({ first: false, before: false, now: true })),
  ...Array.from({ length: same }, () => ({ first: true, before: true, now: true })),
];

it.each([
  [0, 0, 20, false],
  [0, 5, 15, false],
  [0, 6, 14, true],
  [7, 0, 13, true],
  // As many in both directions: a judge that tosses coins.
  [5, 5, 10, true],
  [2, 2, 16, false],
  [0, 4, 1, true],
  [0, 0, 0, false],
])(
  '%i that fail now, %i that pass now and %i others: shifted is %s',
  (toFailed, toPassed, same, isShifted) => {
    expect(canaryShift(pairsOf(toFailed, toPassed, same), 0.05)).toEqual({
      compared: toFailed + toPassed + same,
      toPassed,
      toFailed,
      isShifted,
    });
  },
);

it('what changed between the first two verdicts is the noise of the judge', () => {
  const noisy = pairsOf(3, 3, 14).map((pair, i) => ({ ...pair, first: i < 8 ? !pair.before : pair.before }));
  expect(canaryShift(noisy, 0.05).isShifted).toBe(false);
  expect(canaryShift(pairsOf(3, 3, 14), 0.05).isShifted).toBe(true);
});

/** Share of rounds in which a judge is said to have changed: it errs so often at random, and passes so many of what should fail. */
function alarms(size: number, { noise, leniency = 0 }: { noise: number; leniency?: number }): number {
  const random = mulberry32(7);
  const rounds = 2_000;
  let shifted = 0;
  for (let round = 0; round < rounds; round++) {
    const pairs = Array.from({ length: size }, (_, i) => {
      const isGood = i % 2 === 0;
      const judged = (): boolean => (random() < noise ? !isGood : isGood);
      const now = judged() || (!isGood && random() < leniency);
      return { first: isGood, before: judged(), now };
    });
    if (canaryShift(pairs, 0.05).isShifted) shifted += 1;
  }
  return shifted / rounds;
}

it('a judge that is as before is rarely said to have changed, and one that became lenient mostly is', () => {
  expect(alarms(20, { noise: 0.02 })).toBeLessThan(0.05);
  expect(alarms(20, { noise: 0.05 })).toBeLessThan(0.05);
  expect(alarms(20, { noise: 0.02, leniency: 0.8 })).toBeGreaterThan(0.8);
  expect(alarms(50, { noise: 0.02, leniency: 0.5 })).toBeGreaterThan(0.9);
});
