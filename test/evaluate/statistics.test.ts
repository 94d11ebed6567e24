import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  confidenceLevel,
  healthLevel,
  stabilityLevel,
  taskStatus,
} from '../../src/evaluate/statistics/levels.ts';
import { percent, settled } from '../../src/evaluate/statistics/settled.ts';
import { wilsonInterval } from '../../src/evaluate/statistics/wilson.ts';
import { healthScore, passRate, pooledDeviation } from './quality-metrics-oracle.ts';

const DAY = 86_400_000;
const share = fc.double({ min: 0, max: 1, noNaN: true });
const tests = fc
  .array(
    fc.record({ createdAt: fc.nat(2_000_000_000_000), finished: fc.integer({ min: 1, max: 9 }), of: share }),
    { minLength: 1, maxLength: 50 },
  )
  .map((list) => list.map(({ of, ...test }) => ({ ...test, passed: Math.round(of * test.finished) })));

describe('the interval of a share', () => {
  // R. G. Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17 (1998), table I.
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('is for %i of %i that of the literature', (passed, count, low, high) => {
    const interval = wilsonInterval(passed / count, count);
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  });

  it('contains the share, lies within 0 and 1, mirrors the share of the others, and narrows with the count', () => {
    fc.assert(
      fc.property(share, fc.integer({ min: 1, max: 1e6 }), (value, count) => {
        const { low, high } = wilsonInterval(value, count);
        const mirrored = wilsonInterval(1 - value, count);
        const more = wilsonInterval(value, 2 * count);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(low).toBeLessThanOrEqual(value + 1e-12);
        expect(high).toBeGreaterThanOrEqual(value - 1e-12);
        expect(high).toBeLessThanOrEqual(1);
        expect(mirrored.low).toBeCloseTo(1 - high, 9);
        expect(more.high - more.low).toBeLessThan(high - low);
      }),
    );
  });

  it('needs the tests that the levels of confidence stand for', () => {
    const widthOf = (value: number, count: number): number => {
      const { low, high } = wilsonInterval(value, count);
      return high - low;
    };
    // Solved for the count by hand: at one half the width is z / sqrt(n + z²).
    expect(confidenceLevel(widthOf(0.5, 167))).toBe('HIGH');
    expect(confidenceLevel(widthOf(0.5, 166))).toBe('MEDIUM');
    expect(confidenceLevel(widthOf(0.5, 28))).toBe('MEDIUM');
    expect(confidenceLevel(widthOf(0.5, 27))).toBe('LOW');
  });
});

describe('the pooled deviation', () => {
  it('is that of the literature', () => {
    // NIST/SEMATECH e-Handbook of Statistical Methods, 7.4.3.3: error sum of squares 17.452 with 12 degrees of freedom.
    const groups = [
      [6.9, 5.4, 5.8, 4.6, 4],
      [8.3, 6.8, 7.8, 9.2, 6.5],
      [8, 10.5, 8.1, 6.9, 9.3],
    ];
    expect(pooledDeviation(groups)).toBeCloseTo(Math.sqrt(17.452 / 12), 10);
  });

  it.each<[name: string, groups: number[][], deviation: number | null]>([
    ['no group', [], null],
    ['groups of one', [[0.1], [0.9]], null],
    ['equal values', [[0.7, 0.7, 0.7]], 0],
    ['a group of two beside one of one', [[0, 1], [0.3]], Math.SQRT1_2],
  ])('of %s', (_name, groups, deviation) => {
    if (deviation === null) expect(pooledDeviation(groups)).toBeNull();
    else expect(pooledDeviation(groups)).toBeCloseTo(deviation, 11);
  });

  it('does not change when a group is moved completely, and is at most half the root of two', () => {
    fc.assert(
      fc.property(fc.array(fc.array(share, { minLength: 1 }), { minLength: 1 }), share, (groups, by) => {
        const deviation = pooledDeviation(groups);
        const moved = pooledDeviation(groups.map((group, i) => group.map((x) => (i === 0 ? x + by : x))));
        if (deviation === null) expect(moved).toBeNull();
        else {
          expect(moved).toBeCloseTo(deviation, 9);
          expect(deviation).toBeLessThanOrEqual(Math.SQRT1_2 + 1e-9);
        }
      }),
    );
  });
});

describe('the pass rate', () => {
  it('is the mean over tests, however many evals each of them has', () => {
    expect(
      passRate([
        { passed: 1, finished: 1, createdAt: 0 },
        { passed: 1, finished: 10, createdAt: 0 },
      ]),
    ).toBe(0.55);
    expect(passRate([])).toBeNull();
  });

  it('has no noise at the borders of the levels', () => {
    const thirds = [1, 2, 3].map((passed) => ({ passed, finished: 3, createdAt: 0 }));
    const twelfths = [7, 9, 11].map((passed) => ({ passed, finished: 12, createdAt: 0 }));
    expect(passRate(thirds)).toBe(0.666666666667);
    expect(taskStatus(passRate(twelfths))).toBe('warning');
  });
});

describe('the health score', () => {
  it('halves the weight of a test every seven days', () => {
    const [old, recent] = [
      { passed: 0, finished: 1, createdAt: 0 },
      { passed: 1, finished: 1, createdAt: 7 * DAY },
    ];
    expect(healthScore([old, recent])).toBe(67);
    expect(healthScore([old, { ...recent, createdAt: 14 * DAY }])).toBe(80);
    expect(healthScore([])).toBeNull();
  });

  it('lies within 0 and 100, is the pass rate for tests of one age, and stays when all tests get older', () => {
    fc.assert(
      fc.property(tests, fc.nat(1_000 * DAY), (list, later) => {
        const score = healthScore(list) as number;
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(100);
        const alike = list.map((test) => ({ ...test, createdAt: 5 }));
        expect(healthScore(alike)).toBe(Math.round(100 * (passRate(list) as number)));
        const shifted = list.map((test) => ({ ...test, createdAt: test.createdAt + later }));
        expect(healthScore(shifted)).toBe(score);
      }),
    );
  });
});

describe('levels', () => {
  it.each([
    [
      taskStatus,
      [
        [null, 'no-tests'],
        [0, 'error'],
        [0.5, 'error'],
        [0.5001, 'warning'],
        [0.75, 'warning'],
        [0.7501, 'success'],
        [1, 'success'],
      ],
    ],
    [
      confidenceLevel,
      [
        [0, 'HIGH'],
        [0.15, 'HIGH'],
        [0.1501, 'MEDIUM'],
        [0.35, 'MEDIUM'],
        [0.3501, 'LOW'],
      ],
    ],
    [
      stabilityLevel,
      [
        [0, 'HIGH'],
        [0.1, 'HIGH'],
        [0.1001, 'MEDIUM'],
        [0.25, 'MEDIUM'],
        [0.2501, 'LOW'],
      ],
    ],
    [
      healthLevel,
      [
        [100, 'HIGH'],
        [90, 'HIGH'],
        [89, 'MEDIUM'],
        [60, 'MEDIUM'],
        [59, 'LOW'],
        [0, 'LOW'],
      ],
    ],
  ] as [(value: never) => string, [unknown, string][]][])('%o', (level, rows) => {
    expect(rows.map(([value]) => level(value as never))).toEqual(rows.map(([, expected]) => expected));
  });
});

describe('numbers to show', () => {
  it('have no noise', () => {
    expect([settled(0.1 + 0.2), percent(0.07), percent(2 / 3), percent(1)]).toEqual([
      0.3, 7, 66.6666666667, 100,
    ]);
  });
});
