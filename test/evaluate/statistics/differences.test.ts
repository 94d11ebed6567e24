import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { benjaminiHochberg } from '../../../src/evaluate/statistics/benjamini-hochberg.ts';
import { type Basis, differenceOf, type Pair, pairUp } from '../../../src/evaluate/statistics/comparison.ts';
import { cohensD, oddsRatio } from '../../../src/evaluate/statistics/effect-size.ts';
import { holm } from '../../../src/evaluate/statistics/holm.ts';
import {
  independentDifference,
  independentPValue,
  meanShare,
} from '../../../src/evaluate/statistics/independent-difference.ts';
import { reach } from '../../../src/evaluate/statistics/normal.ts';
import { QUESTIONS, type StatisticalQuestion } from '../../../src/evaluate/statistics/question.ts';

const Z = reach(0.95);
const share = fc.double({ min: 0, max: 1, noNaN: true });

describe('the interval of a difference', () => {
  it('is for independent tests that of the literature', () => {
    // The same book, chapter 4: 7 of 34 against 1 of 34.
    const [few, many] = [
      { share: 1 / 34, count: 34 },
      { share: 7 / 34, count: 34 },
    ];
    const { low, high } = independentDifference(few, many, Z);
    expect([low, high].map((bound) => Number(bound.toFixed(4)))).toEqual([0.0189, 0.3404]);
  });

  it('excludes no difference just when the p value says so', () => {
    const seen = fc.record({ share, count: fc.integer({ min: 1, max: 500 }) });
    fc.assert(
      fc.property(seen, seen, (first, second) => {
        const pValue = independentPValue(first, second);
        fc.pre(Math.abs(pValue - 0.05) > 1e-9);
        const { low, high } = independentDifference(first, second, Z);
        expect(low <= 0 && high >= 0).toBe(pValue > 0.05);
      }),
    );
  });

  it('counts strata of one test each as so many tests', () => {
    expect(
      meanShare([
        { share: 1, count: 1 },
        { share: 0, count: 1 },
      ]),
    ).toEqual({ share: 0.5, count: 2 });
    expect(
      meanShare([
        { share: 0.5, count: 2 },
        { share: 0.5, count: 6 },
      ]),
    ).toEqual({ share: 0.5, count: 6 });
  });
});

describe('a difference of pairs', () => {
  /** Pairs of one test on each side, by their outcomes: `pf` passed before and fails now. */
  const pairsOf = (outcomes: readonly string[], perTask = outcomes.length): Pair[] =>
    outcomes.map((outcome, i) => {
      const [baseline, candidate] = outcome.split('').map((letter) => ({
        rate: letter === 'p' ? 1 : 0,
        score: null,
        tests: 1,
      }));
      return { taskId: `task ${Math.floor(i / perTask)}`, baseline, candidate } as Pair;
    });
  const of = (question: StatisticalQuestion, confidence = 0.95) => ({ question, confidence });

  it.each<[question: StatisticalQuestion, clusteredBy: string, clusters: number, method: string]>([
    ['THESE_EXAMPLES', 'TEST', 60, 'NEWCOMBE_INDEPENDENT'],
    ['THESE_TASKS', 'EXAMPLE', 30, 'SIGN_FLIP'],
    ['EXAMPLES_LIKE_THESE', 'TASK', 6, 'SIGN_FLIP'],
  ])('for %s has each %s as one observation', (question, clusteredBy, clusters, method) => {
    const pairs = pairsOf([...Array<string>(20).fill('pp'), ...Array<string>(10).fill('pf')], 5);
    const found = differenceOf(pairs, of(question));
    expect(found).toMatchObject({ question, clusteredBy, clusters, method, baseline: 1 });
    expect(found.estimate).toBeCloseTo(-1 / 3, 9);
    // Two tasks of six got worse: that says nothing about others.
    expect(found.high < 0).toBe(question !== 'EXAMPLES_LIKE_THESE');
  });

  it('contains the difference, stays within −1 and 1, mirrors, and agrees with its p value', () => {
    const outcome = fc.constantFrom('pp', 'pf', 'fp', 'ff');
    fc.assert(
      fc.property(
        fc.array(outcome, { minLength: 1, maxLength: 60 }),
        fc.constantFrom(...QUESTIONS),
        (outcomes, question) => {
          const { low, high, estimate, pValue } = differenceOf(pairsOf(outcomes, 4), of(question));
          const mirrored = differenceOf(
            pairsOf(
              outcomes.map(([before, after]) => `${after}${before}`),
              4,
            ),
            of(question),
          );
          expect(low).toBeGreaterThanOrEqual(-1 - 1e-9);
          expect(low).toBeLessThanOrEqual(estimate + 1e-9);
          expect(high).toBeGreaterThanOrEqual(estimate - 1e-9);
          expect(high).toBeLessThanOrEqual(1 + 1e-9);
          expect(mirrored.low).toBeCloseTo(-high, 6);
          fc.pre(Math.abs(pValue - 0.05) > 1e-6);
          expect(low <= 0 && high >= 0).toBe(pValue > 0.05);
        },
      ),
    );
  });

  it('has about the p value of the sign test where each pair has one test on each side', () => {
    // The exact test of McNemar: 2 · (1 + 9) / 2⁹.
    const outcomes = [...Array<string>(40).fill('pp'), 'fp', ...Array<string>(8).fill('pf')];
    const { pValue } = differenceOf(pairsOf(outcomes), of('EXAMPLES_LIKE_THESE'));
    expect(Math.abs(pValue - 20 / 2 ** 9)).toBeLessThan(0.02);
  });
});

describe("Holm's adjustment", () => {
  it.each<[pValues: number[], adjusted: number[]]>([
    [[], []],
    [[0.04], [0.04]],
    // The four hypotheses of the example that R's documentation and SciPy's users share.
    [
      [0.01, 0.04, 0.03, 0.005],
      [0.03, 0.06, 0.06, 0.02],
    ],
    [
      [0.6, 0.5, 0.9],
      [1, 1, 1],
    ],
  ])('of %j is %j', (pValues, adjusted) => {
    expect(holm(pValues).map((value) => Number(value.toFixed(9)))).toEqual(adjusted);
  });

  it.each([
    ['Holm', holm],
    ['Benjamini and Hochberg', benjaminiHochberg],
  ])('by %s never makes a p value smaller, nor changes their order', (_name, adjust) => {
    fc.assert(
      fc.property(fc.array(share, { maxLength: 10 }), (pValues) => {
        const adjusted = adjust(pValues);
        for (const [i, pValue] of pValues.entries()) {
          expect(adjusted[i]).toBeGreaterThanOrEqual(pValue);
          expect(adjusted[i]).toBeLessThanOrEqual(1);
          for (const [j, other] of pValues.entries())
            if (pValue < other) expect(adjusted[i]).toBeLessThanOrEqual(adjusted[j] as number);
        }
      }),
    );
  });
});

describe("Benjamini and Hochberg's adjustment", () => {
  it.each<[pValues: number[], adjusted: number[]]>([
    [[], []],
    [[0.04], [0.04]],
    // By R's `p.adjust(method = "BH")`.
    [
      [0.01, 0.04, 0.03, 0.005],
      [0.02, 0.04, 0.04, 0.02],
    ],
    [
      [0.6, 0.5, 0.9],
      [0.9, 0.9, 0.9],
    ],
  ])('of %j is %j', (pValues, adjusted) => {
    expect(benjaminiHochberg(pValues).map((value) => Number(value.toFixed(9)))).toEqual(adjusted);
  });
});

describe('effect sizes', () => {
  it.each([
    [0.5, 0.8, 4],
    [0.5, 0.5, 1],
    [0, 0.5, null],
    [0.5, 1, null],
  ])('odds of %d and %d', (first, second, ratio) => {
    if (ratio === null) expect(oddsRatio(first, second)).toBeNull();
    else expect(oddsRatio(first, second)).toBeCloseTo(ratio, 12);
  });

  it('d is the difference of the means by the deviation of both', () => {
    // Both sides have the variance 1.
    const pairs: [number, number][] = [
      [1, 3],
      [2, 4],
      [3, 5],
    ];
    expect(cohensD(pairs)).toBeCloseTo(2, 12);
    expect(cohensD(pairs.map(([first, second]) => [second, first]))).toBeCloseTo(-2, 12);
    expect(cohensD(pairs.slice(1, 2))).toBeNull();
    expect(
      cohensD([
        [0.1, 0.3],
        [0.1, 0.3],
      ]),
    ).toBeNull();
  });
});

describe('a pair', () => {
  const [V1, V2] = ['1 judge', '2 judge'];
  const by = (more: Partial<Basis> = {}): Basis => ({
    definitionId: 'a',
    by: V1,
    expects: 'x',
    applied: 'x',
    ...more,
  });
  const APP_FAILED: Basis[] = [];
  it.each<[string, Basis[][], Basis[][], boolean]>([
    ['judged by the same', [[by()]], [[by()]], true],
    [
      'judged by the same in another order',
      [[by(), by({ definitionId: 'b' })]],
      [[by({ definitionId: 'b' }), by()]],
      true,
    ],
    ['that the app failed on a side', [[by()]], [APP_FAILED], true],
    ['that the app failed on both', [APP_FAILED], [APP_FAILED], true],
    ['judged by another version', [[by()]], [[by({ by: V2 })]], false],
    ['judged by one definition more', [[by()]], [[by(), by({ definitionId: 'b' })]], false],
    ['judged by as many other definitions', [[by()]], [[by({ definitionId: 'b' })]], false],
    ['judged by several versions on a side', [[by()], [by({ by: V2 })]], [[by()]], false],
    ['judged by the same several versions', [[by()], [by({ by: V2 })]], [[by({ by: V2 })], [by()]], false],
    ['of other expectations of the link', [[by()]], [[by({ applied: 'y' })]], false],
    ['of examples whose other fields nothing reads', [[by()]], [[by({ expects: 'y' })]], true],
    [
      'of the same input that expects two values',
      [[by()], [by({ applied: 'y' })]],
      [[by({ applied: 'y' })], [by()]],
      true,
    ],
    ['of expectations that were deleted', [[by({ applied: null })]], [[by()]], true],
    ['of other expectations that were deleted', [[by({ applied: null })]], [[by({ expects: 'y' })]], false],
  ])('%s', (_name, before, after, isPair) => {
    const [baseline = [], candidate = []] = [before, after].map((tests) =>
      tests.map((basis) => ({ taskId: 't', input: 'i', rate: 1, score: 1, basis })),
    );
    expect(pairUp(baseline, candidate)).toMatchObject({
      pairs: { length: isPair ? 1 : 0 },
      judgedOtherwise: { length: isPair ? 0 : 1 },
    });
  });
});
