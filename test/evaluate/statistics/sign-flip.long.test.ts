import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { differenceOf, type Pair } from '../../../src/evaluate/statistics/comparison.ts';
import { QUESTIONS } from '../../../src/evaluate/statistics/question.ts';
import { computeRateInterval, type TestRate } from '../../../src/evaluate/statistics/rate-interval.ts';
import { signFlipPValue, supportOf } from '../../../src/evaluate/statistics/sign-flip.ts';

const supportOfValues = (...values: number[]): number => supportOf(Float64Array.from(values));
const value = fc.integer({ min: -100, max: 100 }).map((percent) => percent / 100);

/** The definition: the highest (Σ v)² ÷ Σ v² of all upper limits of the values, from a fine grid of limits. */
function byGrid(values: readonly number[]): number {
  let most = 0;
  for (let limit = 0.001; limit <= 1; limit += 0.001) {
    const limited = values.map((one) => Math.min(one, limit));
    const sum = limited.reduce((total, one) => total + one, 0);
    if (sum > 0) most = Math.max(most, sum ** 2 / limited.reduce((total, one) => total + one * one, 0));
  }
  return most;
}

describe('the support of a sum', () => {
  it.each([
    [[1, 1, 1, 1, 1], 5],
    [[0.2, 0.2, 0.2, 0.2, 0.2], 5],
    // One that is five times as large as the others does not count against them.
    [[5, 1, 1, 1, 1], 5],
    [[1, 0, 0, 0, 0], 1],
    [[-1, -1, 0.5], 0],
    [[0, 0, 0], 0],
  ])('of %j is %d', (values, support) => {
    expect(supportOfValues(...values)).toBeCloseTo(support, 9);
  });

  it('is the highest of all upper limits of the values', () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 12 }), (values) => {
        const found = supportOfValues(...values);
        const expected = byGrid(values);
        expect(found).toBeGreaterThanOrEqual(expected - 1e-9);
        expect(found).toBeLessThan(expected + 0.2);
      }),
    );
  });

  it('never gets smaller when a value gets larger, nor by a further value above 0', () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 12 }), fc.nat(), value, (values, at, change) => {
        const before = supportOfValues(...values);
        const place = at % values.length;
        const larger = values.with(place, (values[place] as number) + Math.abs(change));
        expect(supportOfValues(...larger)).toBeGreaterThanOrEqual(before - 1e-9);
      }),
    );
  });

  it('is about that of the exact sign-flip test', () => {
    // Of 2¹⁰ signs of these ten values, 23 give a sum that is at least as far from 0.
    const values = [9, 8, -1, 6, 7, 3, -4, 5, 10, 2];
    const exact = Array.from({ length: 1024 }, (_, signs) =>
      values.reduce((sum, one, i) => sum + ((signs >> i) & 1 ? one : -one), 0),
    ).filter((sum) => Math.abs(sum) >= 45).length;
    const clusters = values.map((sum) => ({ sum, count: 1 }));
    expect(Math.abs(signFlipPValue(clusters, 0) - exact / 1024)).toBeLessThan(0.01);
  });

  it('decides nothing with fewer than five observations', () => {
    const clusters = [1, 1, 1, 1].map((sum) => ({ sum: -sum, count: 1 }));
    expect(signFlipPValue(clusters, 0)).toBe(1);
    expect(signFlipPValue([...clusters, { sum: -1, count: 1 }], 0)).toBeLessThan(0.05);
  });
});

describe('perfect evidence', () => {
  /** Examples of tasks with one verdict each. */
  const tasks = fc.array(fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }), {
    minLength: 1,
    maxLength: 8,
  });
  const testsOf = (all: readonly (readonly boolean[])[]): TestRate[] =>
    all.flatMap((examples, task) =>
      examples.map((passed, i) => ({ taskId: `${task}`, input: `${task} ${i}`, rate: passed ? 1 : 0 })),
    );
  /** The task that gets a further perfect example; a new task, if there is none of that number. */
  const added = (all: readonly (readonly boolean[])[], task: number): boolean[][] =>
    Array.from({ length: Math.max(all.length, task + 1) }, (_, i) => [
      ...(all[i] ?? []),
      ...(i === task || all[i] === undefined ? [true] : []),
    ]);

  it('never lowers the lower bound of a pass rate, as a further example or as a further task', () => {
    fc.assert(
      fc.property(tasks, fc.nat({ max: 8 }), fc.constantFrom(...QUESTIONS), (all, task, question) => {
        const before = computeRateInterval(testsOf(all), { question }).low;
        const after = computeRateInterval(testsOf(added(all, task)), { question }).low;
        expect(after).toBeGreaterThanOrEqual(before - 1e-9);
      }),
      { numRuns: 500 },
    );
  });

  it('does not lower it for two perfect tasks of 100 examples: they are 200 examples', () => {
    const perfect = Array<boolean>(100).fill(true);
    const [one, two, five] = [1, 2, 5].map(
      (count) => computeRateInterval(testsOf(Array<boolean[]>(count).fill(perfect))).low,
    );
    expect(one).toBeCloseTo(0.025 ** (1 / 100), 9);
    expect(two).toBeCloseTo(0.025 ** (1 / 200), 9);
    expect(five).toBeCloseTo(0.025 ** (1 / 500), 9);
  });

  it('never shows a loss that was not shown without it, and a worse result never hides one', () => {
    const outcome = fc.constantFrom('pp', 'pf', 'fp', 'ff');
    const pairTasks = fc.array(fc.array(outcome, { minLength: 1, maxLength: 10 }), {
      minLength: 1,
      maxLength: 8,
    });
    const pairsOf = (all: readonly (readonly string[])[]): Pair[] =>
      all.flatMap((examples, task) =>
        examples.map((letters) => {
          const [baseline, candidate] = [0, 1].map((side) => ({
            rate: letters[side] === 'p' ? 1 : 0,
            score: null,
            tests: 1,
          }));
          return { taskId: `${task}`, baseline, candidate } as Pair;
        }),
      );
    const isWorse = (all: readonly (readonly string[])[], margin: number): boolean =>
      differenceOf(pairsOf(all), { question: 'EXAMPLES_LIKE_THESE', confidence: 0.95 }).high < -margin;
    fc.assert(
      fc.property(pairTasks, fc.nat({ max: 8 }), fc.constantFrom(0, 0.02, 0.1), (all, task, margin) => {
        const at = Math.min(task, all.length);
        const more = at === all.length ? [...all, ['pp']] : all.with(at, [...(all[at] ?? []), 'pp']);
        expect(isWorse(all, margin) || !isWorse(more, margin)).toBe(true);
        const worse = all.map((examples) => examples.map((letters) => (letters === 'pp' ? 'pf' : letters)));
        expect(isWorse(worse, margin) || !isWorse(all, margin)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
