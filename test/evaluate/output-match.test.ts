import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { configIssues } from '../../src/evaluate/definition-config.ts';
import { itemsOf, MAX_COMPARED_ITEMS } from '../../src/evaluate/evaluators/items.ts';
import { outputMatch } from '../../src/evaluate/evaluators/output-match.ts';
import type { Verdict } from '../../src/evaluate/evaluator.ts';
import type { JsonValue } from '../../src/traces/span-wire.ts';
import { appliedDefinition, subjectOf } from '../support/subjects.ts';

type Completed = Extract<Verdict, { status: 'COMPLETED' }>;

function match(output: JsonValue, expected: JsonValue | undefined, config: object): Completed {
  const verdict = judge(output, expected, config);
  if (verdict.status !== 'COMPLETED') throw new Error(`${verdict.status}: ${verdict.reason}`);
  expect(verdict.normalised).toBe(verdict.score);
  return verdict;
}

function judge(output: JsonValue, expected: JsonValue | undefined, config: object): Verdict {
  expect(configIssues('OUTPUT_MATCH', config)).toEqual([]);
  return outputMatch.evaluate(
    subjectOf({ output }),
    appliedDefinition('OUTPUT_MATCH', { ...config }, { expected }),
  );
}

describe('a text', () => {
  const answer = { pattern: 'answer: (\\w+)(?:, (\\w+))?', flags: 'i' };
  it.each<[output: JsonValue, expected: JsonValue, config: object, passed: boolean]>([
    ['Paris', 'Paris', {}, true],
    [' Paris\n', 'Paris ', {}, true],
    ['Cafe\u0301', 'Caf\u00e9', {}, true],
    ['paris', 'Paris', {}, false],
    ['paris', 'Paris', { ignoreCase: true }, true],
    ['In Paris.', 'Paris', {}, false],
    ['In Paris.', 'Paris', { matchMode: 'contains' }, true],
    ['In paris.', 'PARIS', { matchMode: 'contains', ignoreCase: true }, true],
    ['Paris', 'In Paris', { matchMode: 'contains' }, false],
    ['Answer: Paris, France', 'Paris', { extract: { ...answer, group: 1 } }, true],
    ['Answer: Paris, France', 'France', { extract: { ...answer, group: 2 } }, true],
    ['Answer: Paris', 'France', { extract: { ...answer, group: 2 } }, false],
    ['Answer: Paris', 'Answer: Paris', { extract: answer }, true],
    ['Answer: Paris', 'Paris', { extract: { ...answer, group: 9 } }, false],
    ['nothing', 'Paris', { extract: answer }, false],
    ['a=1 a=2', '1', { extract: { pattern: 'a=(\\d)', flags: 'g', group: 1 } }, true],
    ['4', 4, {}, true],
    [{ a: 1 }, { a: 1 }, {}, true],
    ['{"answer": "Lima"}', { answer: 'Lima' }, {}, true],
    ['{"b":2, "a":1.0}', { a: 1, b: 2 }, {}, true],
    [{ b: { d: 1, c: [1, 2] }, a: 1 }, { a: 1, b: { c: [1, 2], d: 1 } }, {}, true],
    ['{"a":[1,2]}', { a: [2, 1] }, {}, false],
    ['{"a":"X"}', { a: 'x' }, {}, false],
    ['{"a":"X"}', { a: 'x' }, { ignoreCase: true }, true],
    ['Here: {"b":2,"a":1}.', { a: 1, b: 2 }, {}, false],
    ['Here: {"b":2,"a":1}.', { a: 1, b: 2 }, { matchMode: 'contains' }, true],
    ['Here: {"b":2,"a":3}.', { a: 1, b: 2 }, { matchMode: 'contains' }, false],
    ['4.0', 4, {}, true],
    ['It is 4', 4, { matchMode: 'contains' }, true],
    ['true', true, {}, true],
    ['four', ['4', 'four'], {}, true],
    ['five', ['4', 'four'], {}, false],
    ['It is four.', ['4', 'four'], { matchMode: 'contains' }, true],
    ['{"b":1,"a":2}', [{ a: 1 }, { a: 2, b: 1 }], {}, true],
    ['["4","four"]', ['4', 'four'], {}, true],
    ['[]', [], {}, true],
    ['x', [], {}, false],
    ['', '', {}, true],
  ])('%j against %j with %j: %s', (output, expected, config, passed) => {
    const verdict = match(output, expected, { type: 'string', ...config });
    expect(verdict).toMatchObject({ passed, score: passed ? 1 : 0 });
  });

  it.each([{}, { matchMode: 'contains' }])(
    'that nests deeper than can be compared is no match: %j',
    (config) => {
      const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
      expect(match(deep, { a: 1 }, { type: 'string', ...config })).toMatchObject({ passed: false });
    },
  );

  it('is shown beside what was expected', () => {
    expect(match('In Paris', 'Rome', { type: 'string' })).toEqual({
      status: 'COMPLETED',
      score: 0,
      normalised: 0,
      passed: false,
      results: { found: 'In Paris', expected: 'Rome' },
      reason: 'the output is not "Rome"',
    });
  });
});

describe('a list', () => {
  it.each<[value: JsonValue, items: string[]]>([
    [
      ['a', 1, { b: 2 }, null, ' '],
      ['a', '1', '{"b":2}'],
    ],
    ['["a", "b, c"]', ['a', 'b, c']],
    ['- a\n* b\n• c\r\n\n  1. d\n2) e, f', ['a', 'b', 'c', 'd', 'e, f']],
    ['a, b ,c,', ['a', ' b ', 'c']],
    ['- a', ['a']],
    ['-5\n7', ['-5', '7']],
    ['{"a": 1}', ['{"a": 1}']],
    [{ a: 1 }, ['{"a":1}']],
    [[{ b: 1, a: 2 }], ['{"a":2,"b":1}']],
    [7, ['7']],
    ['', []],
  ])('of %j is %j', (value, items) => {
    expect(itemsOf(value)).toEqual(items);
  });

  it.each<[output: JsonValue, expected: JsonValue, config: object, score: number, passed: boolean]>([
    ['b, a', ['a', 'b'], {}, 1, true],
    // 2 of 3 found are right, 2 of 4 expected are found: f1 = 4/7.
    ['a, b, x', ['a', 'b', 'c', 'd'], {}, 4 / 7, false],
    ['a, b, x', ['a', 'b', 'c', 'd'], { passThreshold: 0.57 }, 4 / 7, true],
    ['a, b, x', ['a', 'b', 'c', 'd'], { scoreMetric: 'precision' }, 2 / 3, false],
    ['a, b, x', ['a', 'b', 'c', 'd'], { scoreMetric: 'recall' }, 1 / 2, false],
    ['a, a', ['a'], { scoreMetric: 'precision' }, 1 / 2, false],
    ['a', ['a', 'a'], { scoreMetric: 'recall' }, 1 / 2, false],
    ['A\nB', 'b, a', { ignoreCase: true }, 1, true],
    ['A\nB', 'b, a', {}, 0, false],
    // "red apple" and "pear" are right of three; all expected ones are there.
    [
      'red apple, pear, plum',
      ['apple', 'pear'],
      { matchMode: 'contains', scoreMetric: 'precision' },
      2 / 3,
      false,
    ],
    ['red apple, pear, plum', ['apple', 'pear'], { matchMode: 'contains', scoreMetric: 'recall' }, 1, true],
    ['red apple, pear, plum', ['apple', 'pear'], { matchMode: 'contains' }, 4 / 5, true],
    ['ids: #1 and #2.', ['1', '2'], { extract: { pattern: '#(\\d)', flags: 'g', group: 1 } }, 1, true],
    ['List: a, b.', ['a', 'b'], { extract: { pattern: 'List: ([^.]*)', group: 1 } }, 1, true],
    ['from 1 to 2', ['1', '2'], { extract: { pattern: '(\\d) to (\\d)', group: [1, 2] } }, 1, true],
    ['nothing', ['a'], { extract: { pattern: '#\\d', flags: 'g' } }, 0, false],
    ['', [], {}, 1, true],
    ['a', [], {}, 0, false],
    [['a', 'b'], ['b', 'a'], {}, 1, true],
  ])('%j against %j with %j has score %f and passes: %s', (output, expected, config, score, passed) => {
    const verdict = match(output, expected, { type: 'list', ...config });
    expect(verdict.score).toBeCloseTo(score, 10);
    expect(verdict.passed).toBe(passed);
  });

  it('is shown with what is missing and what is too much', () => {
    expect(match('a, a, x', ['a', 'b'], { type: 'list' })).toEqual({
      status: 'COMPLETED',
      score: 0.4,
      normalised: 0.4,
      passed: false,
      results: {
        precision: 1 / 3,
        recall: 1 / 2,
        f1: (2 * (1 / 3) * (1 / 2)) / (1 / 3 + 1 / 2),
        tp: 1,
        scoreMetric: 'f1',
        matchMode: 'exact_unordered',
        foundCount: 3,
        expectedCount: 2,
        missing: [{ value: 'b', have: 0, need: 1 }],
        unexpected: ['a', 'x'],
      },
      reason: 'of 2 expected items 1 are missing, of 3 found 2 are not expected',
    });
  });

  it('is the same in any order, and 1 for itself', () => {
    const list = fc.array(fc.stringMatching(/^[a-d]{1,2}$/), { maxLength: 8 });
    fc.assert(
      fc.property(
        list,
        list,
        fc.constantFrom('exact_unordered', 'contains'),
        (found, expected, matchMode) => {
          const config = { type: 'list', matchMode };
          const { score } = match(found, expected, config);
          expect(score >= 0 && score <= 1).toBe(true);
          expect(match(found.toReversed(), expected, config).score).toBe(score);
          expect(match(found, found, config).score).toBe(1);
        },
      ),
    );
  });

  it('of very many items is truncated, and says so', () => {
    const many = Array.from({ length: MAX_COMPARED_ITEMS + 1 }, (_, i) => `${i}`);
    const { results, reason } = match(many, ['0'], { type: 'list' });
    expect(results['foundCount']).toBe(MAX_COMPARED_ITEMS);
    expect(results['unexpected']).toHaveLength(20);
    expect(reason).toContain('of the first 5000');
  });
});

describe('without anything to compare', () => {
  it.each([undefined, null])('an expected %j skips', (expected) => {
    expect(judge('Paris', expected, { type: 'string' })).toEqual({
      status: 'SKIPPED',
      reason: 'neither the example nor the link to the task has an `expected`',
    });
  });

  it('no output fails, whether there are spans or not', () => {
    const definition = appliedDefinition('OUTPUT_MATCH', { type: 'list' }, { expected: [] });
    expect(outputMatch.evaluate(subjectOf({ output: null, spans: [] }), definition)).toMatchObject({
      passed: false,
    });
    expect(match(null, [], { type: 'list' })).toMatchObject({
      score: 0,
      passed: false,
      reason: 'the app gave no answer: there is no output',
    });
  });
});
