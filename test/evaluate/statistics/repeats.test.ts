import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { passAtK, passPowK, repeatsOf } from '../../../src/evaluate/statistics/repeats.ts';

describe('the chances of k tests', () => {
  it.each([
    // C(passed, k) / C(count, k), and 1 − C(failed, k) / C(count, k), by hand.
    [4, 3, 1, 0.75, 0.75],
    [4, 3, 2, 3 / 6, 1],
    [4, 1, 2, 0, 1 - 3 / 6],
    [10, 7, 3, 35 / 120, 1 - 1 / 120],
    [200, 20, 100, 0, 1 - 3.32169e-7],
    [3, 3, 3, 1, 1],
    [3, 0, 3, 0, 0],
  ])('of %i tests of which %i passed, for k = %i', (count, passed, k, all, any) => {
    expect(passPowK({ passed, count }, k)).toBeCloseTo(all, 10);
    expect(passAtK({ passed, count }, k)).toBeCloseTo(any, 10);
  });

  it('are means over all choices of k tests: without bias', () => {
    const outcomes = fc.array(fc.boolean(), { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(outcomes, fc.nat(), (tests, seed) => {
        const k = 1 + (seed % tests.length);
        const choices = Array.from({ length: 2 ** tests.length }, (_, bits) =>
          tests.filter((_test, i) => (bits >> i) & 1),
        ).filter((choice) => choice.length === k);
        const shareOf = (test: (choice: boolean[]) => boolean) =>
          choices.filter(test).length / choices.length;
        const group = { passed: tests.filter(Boolean).length, count: tests.length };
        expect(passPowK(group, k)).toBeCloseTo(
          shareOf((choice) => choice.every(Boolean)),
          12,
        );
        expect(passAtK(group, k)).toBeCloseTo(
          shareOf((choice) => choice.some(Boolean)),
          12,
        );
      }),
    );
  });
});

describe('repeats', () => {
  it.each([
    ['nothing', []],
    ['nothing that was tested twice', [{ passed: 1, count: 1 }]],
  ])('of %s are not there', (_name, groups) => {
    expect(repeatsOf(groups)).toBeNull();
  });

  it('leave out what was tested once, and take as many tests as each group has', () => {
    const groups = [
      { passed: 1, count: 1 },
      { passed: 3, count: 3 },
      { passed: 3, count: 4 },
      { passed: 0, count: 3 },
    ];
    expect(repeatsOf(groups)).toEqual({
      groups: 3,
      k: 3,
      // (1 + C(3,3) / C(4,3) + 0) / 3, and (1 + 1 + 0) / 3.
      passPowK: 0.416666666667,
      passAtK: 0.666666666667,
      flakiness: 0.333333333333,
    });
  });

  it('take at most eight', () => {
    expect(repeatsOf([{ passed: 10, count: 20 }])).toMatchObject({ k: 8, flakiness: 1 });
  });
});
