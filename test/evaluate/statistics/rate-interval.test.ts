import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectedSums, sumsOf } from '../../../src/evaluate/statistics/clusters.ts';
import { confidenceLevel } from '../../../src/evaluate/statistics/levels.ts';
import { meanInterval, meanPValue } from '../../../src/evaluate/statistics/mean-interval.ts';
import { QUESTIONS } from '../../../src/evaluate/statistics/question.ts';
import {
  computeRateInterval,
  meanRate,
  type TestRate,
} from '../../../src/evaluate/statistics/rate-interval.ts';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const clusters = fc
  .array(fc.record({ of: share, count: fc.integer({ min: 1, max: 100 }) }), { minLength: 1, maxLength: 40 })
  .map((list) => list.map(({ of, count }) => ({ sum: of * count, count })));

/** The rates of each example, by task: `{ a: ['ppf', 'p'] }` is a task with two examples. */
const testsOf = (tasks: Record<string, readonly string[]>): TestRate[] =>
  Object.entries(tasks).flatMap(([taskId, examples]) =>
    examples.flatMap((outcomes, i) =>
      outcomes
        .split('')
        .map((outcome) => ({ taskId, input: `${taskId}${i}`, rate: outcome === 'p' ? 1 : 0 })),
    ),
  );

describe('the interval of a mean', () => {
  // By SciPy 1.17, quantiles of `beta`: the interval of Clopper and Pearson.
  it.each([
    [81, 263, 0.2527367456, 0.3676219226],
    [15, 148, 0.0578440101, 0.1616504904],
    [0, 20, 0, 0.1684334711],
    [1, 29, 0.0008726469, 0.1776442955],
    [10, 10, 0.6915028922, 1],
  ])('of %i among %i single values is the exact one', (ones, count, low, high) => {
    const interval = meanInterval(
      expectedSums({ examples: count, repeats: 1, correlation: 0 }, ones / count),
    );
    expect(interval.low).toBeCloseTo(low, 8);
    expect(interval.high).toBeCloseTo(high, 8);
  });

  // By 400 000 draws of a Dirichlet distribution with NumPy: the bounds that the beta distribution approximates.
  it.each([
    [Array<number>(10).fill(0.9), 0.622, 0.931],
    [[1, 1, 1, 1, 1, 1, 1, 1, 0.5, 0.2], 0.556, 0.984],
    [[0.3, 0.8, 0.7, 1, 1, 1, 0.95, 0.4], 0.447, 0.928],
  ])('of %j is near that of Gaffke', (values, low, high) => {
    const interval = meanInterval(sumsOf(values.map((sum) => ({ sum, count: 1 }))));
    expect(Math.abs(interval.low - low)).toBeLessThan(0.03);
    expect(Math.abs(interval.high - high)).toBeLessThan(0.01);
  });

  it('contains the mean, lies within 0 and 1, mirrors, and excludes what has a small p value', () => {
    fc.assert(
      fc.property(clusters, fc.double({ min: 0.01, max: 0.99, noNaN: true }), (list, value) => {
        const sums = sumsOf(list);
        const { low, high } = meanInterval(sums);
        const mean = sums.sum / sums.values;
        const mirrored = meanInterval(sumsOf(list.map(({ sum, count }) => ({ sum: count - sum, count }))));
        expect(low).toBeGreaterThanOrEqual(0);
        expect(low).toBeLessThanOrEqual(mean + 1e-9);
        expect(high).toBeGreaterThanOrEqual(mean - 1e-9);
        expect(high).toBeLessThanOrEqual(1);
        expect(mirrored.low).toBeCloseTo(1 - high, 6);
        const pValue = meanPValue(sums, value);
        fc.pre(Math.abs(pValue - 0.05) > 1e-6);
        expect(low <= value && value <= high).toBe(pValue > 0.05);
      }),
    );
  });

  it('is that of one example where one outweighs all others', () => {
    const alone = meanInterval(sumsOf([{ sum: 1_000, count: 1_000 }]));
    const beside = meanInterval(
      sumsOf([
        { sum: 5, count: 5 },
        { sum: 1_000, count: 1_000 },
      ]),
    );
    expect(beside.low).toBeCloseTo(alone.low, 2);
  });
});

describe('the interval of a rate', () => {
  it('never is sure of one prompt, however often it was tested', () => {
    const { low, high, ...of } = computeRateInterval(testsOf({ a: ['p'.repeat(100)] }));
    expect(of).toEqual({
      question: 'EXAMPLES_LIKE_THESE',
      clusteredBy: 'EXAMPLE',
      clusters: 1,
      examples: 1,
      tests: 100,
      method: 'GAFFKE',
    });
    expect(confidenceLevel(high - low)).toBe('LOW');
  });

  it.each([
    ['THESE_EXAMPLES', 'TEST', 40],
    ['THESE_TASKS', 'EXAMPLE', 8],
    ['EXAMPLES_LIKE_THESE', 'EXAMPLE', 8],
  ] as const)('of two tasks, for %s, has each %s as one observation', (question, clusteredBy, count) => {
    const examples = Array<string>(4).fill('ppppp');
    const interval = computeRateInterval(testsOf({ a: examples, b: examples }), { question });
    expect(interval).toMatchObject({
      // Two tasks say nothing about others.
      question: question === 'EXAMPLES_LIKE_THESE' ? 'THESE_TASKS' : question,
      clusteredBy,
      clusters: count,
      examples: 8,
      tests: 40,
      high: 1,
    });
    expect(interval.low).toBeCloseTo(0.025 ** (1 / count), 9);
  });

  it('of five tasks has each as one observation, and excludes nothing that they or their examples do not', () => {
    const rates = ['ppppf', 'ppppf', 'pppff', 'ppfff', 'pffff'];
    const tasks = Object.fromEntries(rates.map((task, i) => [String(i), task.repeat(10).split('')]));
    const interval = computeRateInterval(testsOf(tasks));
    expect(interval).toMatchObject({ clusteredBy: 'TASK', clusters: 5, method: 'TWO_LEVEL' });
    const ofThese = computeRateInterval(testsOf(tasks), { question: 'THESE_TASKS' });
    expect(interval.low).toBeLessThan(ofThese.low - 0.05);
    expect(interval.high).toBeGreaterThan(ofThese.high + 0.05);
  });

  it('counts examples with the same input once', () => {
    const tests = testsOf({ a: Array<string>(40).fill('p') }).map((test) => ({ ...test, input: 'same' }));
    expect(computeRateInterval(tests)).toMatchObject({ clusters: 1, examples: 1, tests: 40 });
    expect(computeRateInterval(tests).low).toBeCloseTo(0.025, 9);
  });

  it.each([1, 2, 4, 5, 12])('counts an input that %i tasks share once', (count) => {
    const names = Array.from({ length: count }, (_, index) => `task ${index}`);
    const tests = testsOf(Object.fromEntries(names.map((name) => [name, ['p', 'p']]))).map((test) => ({
      ...test,
      input: test.input.slice(test.taskId.length),
    }));
    for (const equalTasks of [false, true]) {
      const interval = computeRateInterval(tests, { equalTasks });
      expect(interval).toMatchObject({ examples: 2, tests: 2 * count, high: 1 });
      expect(interval.low).toBeLessThanOrEqual(0.025 ** (1 / 2) + 1e-9);
    }
    const broken = tests.map((test) => ({ ...test, rate: 0 }));
    expect(computeRateInterval(broken).high).toBeGreaterThanOrEqual(1 - 0.025 ** (1 / 2) - 1e-9);
  });

  it('weighs each task alike where that is requested', () => {
    const tests = testsOf({ a: Array<string>(30).fill('f'), b: Array<string>(10).fill('p') });
    expect(meanRate(tests)).toBe(0.25);
    expect(meanRate(tests, true)).toBe(0.5);
    const { low, high } = computeRateInterval(tests, { equalTasks: true });
    expect(low).toBeLessThan(0.5);
    expect(high).toBeGreaterThan(0.5);
    expect(high - low).toBeLessThan(0.5);
  });

  it('is of one task the same for its examples and for others like them', () => {
    const tests = testsOf({ a: ['ppf', 'pp', 'fff'] });
    const { question: _, ...one } = computeRateInterval(tests, { question: 'THESE_TASKS' });
    expect(computeRateInterval(tests)).toMatchObject(one);
  });

  it('narrows with more examples, and with more confidence widens', () => {
    const tests = (count: number) => testsOf({ a: Array<string>(count).fill('pppf') });
    for (const question of QUESTIONS) {
      const [few, many] = [
        computeRateInterval(tests(5), { question }),
        computeRateInterval(tests(20), { question }),
      ];
      expect(many.high - many.low).toBeLessThan(few.high - few.low);
      const sure = computeRateInterval(tests(5), { question, confidence: 0.99 });
      expect(sure.low).toBeLessThan(few.low);
    }
  });
});
