import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { configIssues, jsonSchemaIssues } from '../../src/evaluate/definition-config.ts';
import { assert } from '../../src/evaluate/evaluators/assert.ts';
import type { CheckResult } from '../../src/evaluate/evaluators/assertions/judge.ts';
import { ASSERTION_TYPES, ASSERTIONS } from '../../src/evaluate/evaluators/assertions/list.ts';
import { evaluateDefinition } from '../../src/evaluate/evaluators/deterministic.ts';
import { loadLanguageDetector } from '../../src/evaluate/load-language-detector.ts';
import type { Subject } from '../../src/evaluate/subject.ts';
import { callOf, appliedDefinition, spanOf, subjectOf } from '../support/subjects.ts';

beforeAll(() => loadLanguageDetector());

type Given = Readonly<Record<string, unknown>>;

interface Outcome {
  score: number;
  passed: boolean;
  reason: string | null;
  assertions: CheckResult[];
}

function run(subject: Subject, config: Given): Outcome {
  expect(configIssues('ASSERT', config)).toEqual([]);
  const verdict = assert.evaluate(subject, appliedDefinition('ASSERT', config));
  if (verdict.status !== 'COMPLETED') throw new Error(`${verdict.status}: ${verdict.reason}`);
  const { score, normalised, passed, reason, results } = verdict;
  expect(normalised).toBe(score);
  return { score, passed, reason, assertions: results['assertions'] as CheckResult[] };
}

function check(subject: Partial<Subject>, assertion: Given): CheckResult {
  const [result] = run(subjectOf(subject), { assertions: [assertion] }).assertions;
  return result as CheckResult;
}

const PROMPT = 'You are the assistant of a furniture shop. Never mention discounts.';

describe('of the output', () => {
  const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
  it.each<[output: Subject['output'], type: string, value: unknown, passed: boolean]>([
    ['Paris', 'equals', 'Paris', true],
    ['Paris ', 'equals', 'Paris', false],
    ['Cafe\u0301', 'equals', 'Caf\u00e9', true],
    ['{"b": [1], "a": null}', 'equals', { a: null, b: [1] }, true],
    [{ b: [1], a: null }, 'equals', { a: null, b: [1] }, true],
    ['{"a": 1}', 'equals', { a: 1, b: 2 }, false],
    ['42', 'equals', 42, true],
    ['no JSON', 'equals', 42, false],
    ['Paris, France', 'contains', 'France', true],
    ['Paris, France', 'contains', 'france', false],
    [{ city: 'Paris' }, 'contains', '"city":"Paris"', true],
    ['Paris, France', 'icontains', 'FRANCE', true],
    ['a b', 'contains-any', ['x', 'b'], true],
    ['a b', 'contains-any', ['x', 'B'], false],
    ['a b', 'icontains-any', ['x', 'B'], true],
    ['a b', 'contains-all', ['a', 'b'], true],
    ['a b', 'contains-all', ['a', 'B'], false],
    ['a b', 'icontains-all', ['A', 'B'], true],
    ['a b', 'icontains-all', ['A', 'x'], false],
    ['a b', 'contains-none', ['x', 'y'], true],
    ['a b', 'contains-none', ['x', 'b'], false],
    ['Paris', 'starts-with', 'Par', true],
    ['In Paris', 'starts-with', 'Par', false],
    ['In PARIS', 'regex', { pattern: '\\bparis$', flags: 'i' }, true],
    ['In PARIS', 'regex', '\\bparis$', false],
    ['[1, 2]', 'is-json', undefined, true],
    [[1, 2], 'is-json', undefined, true],
    ['Here: [1]', 'is-json', undefined, false],
    ['{"city": "Paris"}', 'is-json', city, true],
    ['{"city": 7}', 'is-json', city, false],
    ['[]', 'is-json', { $schema: 'http://json-schema.org/draft-07/schema#', type: 'array' }, true],
    [
      '["a", 1]',
      'is-json',
      { $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'string' }, { type: 'string' }] },
      false,
    ],
    ['["a", 1]', 'is-json', { prefixItems: [{ type: 'string' }, { type: 'string' }] }, false],
    ['See {x} and "[" then {"city": "]{"}.', 'contains-json', city, true],
    ['First {"a": 1}, then [{"city": "Paris"}]', 'contains-json', city, false],
    ['First {"a": 1}, then {"city": "Paris"}', 'contains-json', city, true],
    ['```json\n[1]\n```', 'contains-json', undefined, true],
    ['none [ here }', 'contains-json', undefined, false],
    ['It is 1,234.5 m high', 'numeric', 1234.5, true],
    ['Between 3 and −7', 'numeric', -7, true],
    ['In 2024-05', 'numeric', 5, true],
    ['1.5e3', 'numeric', 1500, true],
    ['about 41', 'numeric', { value: 42, absolute: 1 }, true],
    ['about 40.9', 'numeric', { value: 42, absolute: 1 }, false],
    ['about 40.9', 'numeric', { value: 42, absolute: 1, relative: 0.05 }, true],
    ['about -105', 'numeric', { value: -100, relative: 0.05 }, true],
    // As doubles 0.4 − 0.3 is a little above 0.1.
    ['about 0.4', 'numeric', { value: 0.3, absolute: 0.1 }, true],
    ['about 0.4001', 'numeric', { value: 0.3, absolute: 0.1 }, false],
    ['1e999', 'numeric', 1, false],
    ['3', 'numeric', 3, true],
    ['3.0000001', 'numeric', 3, false],
    ['Zusammen 1.234,50 Euro', 'numeric', 1234.5, true],
    ['Zusammen 1,234.50 Euro', 'numeric', { value: 1234.5, decimal: ',' }, true],
    ['1\u202f234,5', 'numeric', 1234.5, true],
    ["CHF 1'234.50", 'numeric', 1234.5, true],
    ['1,5 Liter', 'numeric', { value: 1.5, decimal: ',' }, true],
    ['10.000 Einwohner', 'numeric', { value: 10_000, decimal: ',' }, true],
    ['10.000', 'numeric', 10, true],
    ['42. (See section 3)', 'numeric', 42, false],
    ['42. (See section 3)', 'numeric', { value: 42, pick: 'first' }, true],
    ['one  two\nthree', 'word-count', 3, true],
    ['one two', 'word-count', { min: 3 }, false],
    ['one two', 'word-count', { max: 2 }, true],
    ['I’m sorry, but I can’t help with that.', 'is-refusal', undefined, true],
    ['Das kann ich nicht beantworten.', 'is-refusal', undefined, true],
    ['Je ne peux pas répondre.', 'is-refusal', undefined, true],
    ['申し訳ありませんが、お答えできません。', 'is-refusal', undefined, true],
    [' ', 'is-refusal', undefined, true],
    ['Paris.', 'is-refusal', undefined, false],
    ["I can't help but admire Paris.", 'is-refusal', undefined, false],
    ["I can't help but laugh, and I can't help you.", 'is-refusal', undefined, true],
    ['Daar kan ik niet mee helpen.', 'is-refusal', undefined, true],
    ['Я не могу ответить на этот вопрос.', 'is-refusal', undefined, true],
    ['Paris, Rue de Rivoli 1', 'no-pii', undefined, true],
    ['Write to anna@example.com', 'no-pii', undefined, false],
    ['Write to anna@example.com', 'no-pii', ['phone', 'card'], true],
    ['Call +49 30 901820', 'no-pii', 'phone', false],
    ['I am the assistant of a furniture shop.', 'no-prompt-leak', PROMPT, true],
    ['My rules: “you are the assistant of a FURNITURE shop never…”', 'no-prompt-leak', PROMPT, false],
    ['The code word is zebra.', 'no-prompt-leak', ['Zebra'], false],
    ['Nothing at all', 'no-prompt-leak', '…', true],
    [`Here is the story. ${'x'.repeat(300)} "I cannot help you", he said.`, 'is-refusal', undefined, false],
  ])('%j: %s %j %s', (output, type, value, passed) => {
    const given = { type, ...(value === undefined ? {} : { value }) };
    expect(check({ output }, given)).toMatchObject({ type, passed, score: passed ? 1 : 0 });
    expect(check({ output }, { ...given, not: true })).toMatchObject({
      passed: !passed,
      score: passed ? 0 : 1,
    });
  });

  it.each<[type: string, value: unknown, threshold: number | undefined, score: number, passed: boolean]>([
    // "Paris is the capital of France." has 31 characters, 6 words, 5 without the article.
    ['levenshtein', 'Paris is the capital of France', undefined, 1 - 1 / 31, true],
    ['levenshtein', 'Paris is the capital of France', 0, 1 - 1 / 31, false],
    ['levenshtein', ['Rome', 'Paris is the capital of France!'], 1, 1 - 1 / 31, true],
    // Common in order: "is the capital of France", 5 of 6 and 5 of 7.
    ['rouge-l', 'it is the capital of all France', undefined, 10 / 13, true],
    ['rouge-l', 'it is the capital of all France', 0.8, 10 / 13, false],
    // 1 and 6 of 10: as doubles their harmonic mean is a little below the least that passes.
    ['rouge-l', 'Paris is the capital of France in our old world', undefined, 0.75, true],
    ['rouge-l', ['nothing', 'PARIS IS THE CAPITAL OF FRANCE'], 1, 1, true],
    ['bleu', 'Paris is the capital of France', undefined, 1, true],
    ['bleu', 'nothing in common', undefined, 0, false],
    // "paris" of "paris is capital of france" and "it s paris": 1 of 5 and 1 of 2, as "it's" is one word.
    ['f1', "It's Paris", undefined, 2 / 7, false],
    ['f1', "It's Paris", 0.28, 2 / 7, true],
  ])('%s %j with threshold %j', (type, value, threshold, score, passed) => {
    const given = { type, value, ...(threshold === undefined ? {} : { threshold }) };
    const result = check({}, given);
    expect(result.score).toBeCloseTo(score, 10);
    expect(result.passed).toBe(passed);
    const inverted = check({}, { ...given, not: true });
    expect(inverted.score).toBeCloseTo(1 - score, 10);
    expect(inverted.passed).toBe(!passed);
  });

  it('says of long texts what was compared', () => {
    const output = 'word '.repeat(50_000);
    expect(check({ output }, { type: 'f1', value: output.slice(0, 9_999) }).reason).toContain(
      'of the first 4000 words',
    );
    expect(check({ output }, { type: 'levenshtein', value: 'x' }).reason).toContain(
      'of the first 20000 characters',
    );
  });

  it('keeps reasons short', () => {
    const output = 'x'.repeat(1_000_000);
    // No language is recognised in it.
    for (const type of ASSERTION_TYPES.filter((one) => one !== 'language')) {
      const { reason } = check({ output }, { type, ...ASSERTIONS[type].example });
      expect(reason.length).toBeLessThanOrEqual(501);
    }
  });

  it('finds the JSON in any text', () => {
    const prose = fc.string().map((text) => text.replaceAll(/[[\]{}"\\]/g, ''));
    fc.assert(
      fc.property(prose, fc.array(fc.jsonValue()), prose, (before, json, after) => {
        const output = `${before}${JSON.stringify(json)}${after}`;
        expect(check({ output }, { type: 'contains-json' }).passed).toBe(true);
      }),
    );
  });

  it('stops at a text of brackets', () => {
    expect(check({ output: '['.repeat(100_000) }, { type: 'contains-json' }).passed).toBe(false);
  });
});

describe('of the trace', () => {
  const toolCalls = [
    callOf('search', { arguments: '{"city": "Paris", "page": 1, "tags": ["a", {"b": 1}]}' }),
    callOf('search', { arguments: { city: 'Rome' } }),
    callOf('book', { arguments: { seats: [1, 2] } }),
  ];
  const spans = [
    spanOf({ name: 'agent', kind: 'AGENT', durationMs: 900 }),
    spanOf({ name: 'chat gpt', kind: 'LLM', durationMs: 100 }),
    spanOf({ name: 'chat gpt', kind: 'LLM', durationMs: 300, isError: true }),
    spanOf({ name: 'Tool.search', kind: 'TOOL', durationMs: 50 }),
  ];
  it.each<[type: string, given: Given, passed: boolean]>([
    ['latency', { threshold: 1_200 }, true],
    ['latency', { threshold: 1_199.9 }, false],
    ['cost', { threshold: 0.002 }, true],
    ['cost', { threshold: 0.0019 }, false],
    ['tokens', { value: { max: 100 } }, true],
    ['tokens', { value: { min: 101 } }, false],
    ['tokens-used', { value: { min: 1, max: 99 } }, false],
    ['error-free', {}, false],
    ['tool-called', { value: 'search' }, true],
    ['tool-called', { value: ['search', 'pay'] }, false],
    ['tool-called', { value: { name: 'search', min: 2, max: 2 } }, true],
    ['tool-called', { value: { name: 'search', max: 1 } }, false],
    ['tool-called', { value: { name: 'pay' } }, false],
    ['trajectory:tool-used', { value: ['book', 'search'] }, true],
    ['tool-not-called', { value: 'pay' }, true],
    ['tool-not-called', { value: ['pay', 'book'] }, false],
    ['tool-order', { value: ['search', 'book'] }, true],
    ['tool-order', { value: ['book', 'search'] }, false],
    ['tool-order', { value: { steps: ['search', 'book'], mode: 'exact' } }, false],
    ['trajectory:tool-sequence', { value: { steps: ['search', 'search', 'book'], mode: 'exact' } }, true],
    ['tool-arguments', { value: { name: 'search', args: { city: 'Rome' } } }, true],
    ['tool-arguments', { value: { name: 'search', args: { tags: ['a', {}] } } }, true],
    ['tool-arguments', { value: { name: 'search', args: { tags: ['a'] } } }, false],
    ['tool-arguments', { value: { name: 'search', args: { toString: 1 } } }, false],
    ['tool-arguments', { value: { name: 'search', args: { city: 'Rome' }, mode: 'exact' } }, true],
    ['tool-arguments', { value: { name: 'search', args: { city: 'Paris' }, mode: 'exact' } }, false],
    ['trajectory:tool-args-match', { value: { name: 'book', args: { seats: [1, 2] } } }, true],
    ['tool-arguments', { value: { name: 'pay', args: {} } }, false],
    ['step-count', { value: { kind: 'LLM', min: 2, max: 2 } }, true],
    ['step-count', { value: { kind: 'LLM', pattern: 'chat*', max: 1 } }, false],
    ['step-count', { value: { max: 4 } }, true],
    ['trace-span-count', { value: { pattern: 'TOOL.?earch', min: 1 } }, true],
    ['trace-span-count', { value: { pattern: 'chat', min: 1 } }, false],
    ['trace-span-duration', { value: { max: 899 } }, false],
    ['trace-span-duration', { value: { max: 300, percentile: 75 } }, true],
    ['trace-span-duration', { value: { pattern: 'chat*', max: 299 } }, false],
    ['trace-error-spans', {}, false],
    ['trace-error-spans', { value: 1 }, true],
    ['trace-error-spans', { value: { pattern: 'tool*' } }, true],
    ['trace-error-spans', { value: { max_percentage: 25 } }, true],
    ['trace-error-spans', { value: { max_percentage: 24.9 } }, false],
    ['trace-error-spans', { value: { max_count: 0, max_percentage: 50 } }, false],
  ])('%s %j %s', (type, given, passed) => {
    const result = check({ toolCalls, spans }, { type, ...given });
    expect(result).toMatchObject({ passed, score: passed ? 1 : 0 });
    expect(result.reason).not.toContain('more data');
    expect(check({ toolCalls, spans }, { type, ...given, not: true })).toMatchObject({ passed: !passed });
  });

  it('an error of a tool call alone is an error', () => {
    expect(check({}, { type: 'error-free' }).passed).toBe(true);
    expect(check({ toolCalls: [callOf('pay', { isError: true })] }, { type: 'error-free' }).passed).toBe(
      false,
    );
  });

  it('a check that counts says when more was there than was read', () => {
    const counting = ASSERTION_TYPES.filter((type) => ASSERTIONS[type].reads.includes('isTruncated'));
    expect(counting).toHaveLength(13);
    for (const type of counting) {
      const { reason } = check(
        { toolCalls, spans, isTruncated: true },
        { type, ...ASSERTIONS[type].example },
      );
      expect([
        type,
        reason.includes('more data than was read') || reason === 'there is no such span',
      ]).toEqual([type, true]);
    }
  });
});

it.each<[lacking: Partial<Subject>, type: string, given: Given, reason: string]>([
  [{ output: null }, 'contains', { value: 'x' }, 'there is no output'],
  [{ output: null }, 'equals', { value: null }, 'there is no output'],
  [{ output: null }, 'is-json', {}, 'there is no output'],
  [{ output: null }, 'f1', { value: 'x' }, 'there is no output'],
  [{ output: null }, 'is-refusal', {}, 'there is no output'],
  [{ output: 'none' }, 'numeric', { value: 1 }, 'the output contains no number'],
  [
    { output: 'v1.2.3' },
    'numeric',
    { value: 3 },
    'the output has "1.2.3", which cannot be read as one number',
  ],
  [{ latencyMs: null }, 'latency', { threshold: 1 }, 'no span reports times'],
  [{ cost: null }, 'cost', { threshold: 1 }, 'no span reports a cost'],
  [
    { usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 } },
    'tokens',
    { value: { max: 1 } },
    'no span reports tokens',
  ],
  [{}, 'trace-span-duration', { value: { pattern: 'x', max: 1 } }, 'there is no such span'],
])('what a check needs and %j lacks fails it, inverted or not: %s', (lacking, type, given, reason) => {
  for (const not of [false, true])
    expect(check(lacking, { type, ...given, not })).toMatchObject({ passed: false, score: 0, reason });
});

describe('a definition', () => {
  const yes = { type: 'contains', value: 'Paris' };
  const no = { type: 'contains', value: 'Rome' };

  it.each<[config: Given, score: number, passed: boolean]>([
    [{ assertions: [yes] }, 1, true],
    [{ assertions: [yes, no] }, 0.5, false],
    [{ assertions: [yes, no], threshold: 0.5 }, 0.5, true],
    [{ assertions: [{ ...yes, weight: 3 }, no], threshold: 0.75 }, 0.75, true],
    [{ assertions: [{ ...yes, weight: 3 }, no], threshold: 0.76 }, 0.75, false],
    [{ assertions: [yes, { ...no, weight: 0 }] }, 1, true],
    [{ assertions: [yes, { ...no, not: true }] }, 1, true],
    [
      {
        assertions: [
          { ...yes, weight: 0.1 },
          { ...yes, weight: 0.2 },
          { ...no, weight: 0.7 },
        ],
        threshold: 0.3,
      },
      0.3,
      true,
    ],
    [{ assertions: [yes, { type: 'assert-set', assertions: [yes, no] }] }, 0.75, false],
    [{ assertions: [yes, { type: 'assert-set', threshold: 0.5, assertions: [yes, no] }] }, 0.75, true],
    [{ assertions: [yes, { type: 'assert-set', weight: 3, assertions: [no] }] }, 0.25, false],
    [{ assertions: [{ type: 'assert-set', not: true, assertions: [no] }] }, 1, true],
    [{ assertions: [no, no, yes], threshold: 0.01 }, 1 / 3, true],
  ])('%j has score %f and passes: %s', (config, score, passed) => {
    expect(run(subjectOf(), config)).toMatchObject({ score: expect.closeTo(score, 12) as number, passed });
  });

  it('reports each check, and first what failed', () => {
    const outcome = run(subjectOf(), {
      assertions: [yes, { type: 'assert-set', weight: 2, assertions: [{ ...yes, not: true }] }],
    });
    expect(outcome).toEqual({
      score: 0.333333333333,
      passed: false,
      reason: '1 of 2 hold; assert-set: 0 of 1 hold; not contains: the output contains "Paris"',
      assertions: [
        {
          type: 'contains',
          not: false,
          weight: 1,
          score: 1,
          passed: true,
          reason: 'the output contains "Paris"',
        },
        {
          type: 'assert-set',
          not: false,
          weight: 2,
          score: 0,
          passed: false,
          reason: '0 of 1 hold; not contains: the output contains "Paris"',
          assertions: [
            {
              type: 'contains',
              not: true,
              weight: 1,
              score: 0,
              passed: false,
              reason: 'the output contains "Paris"',
            },
          ],
        },
      ],
    });
  });

  it('has a score of 0 to 1 that is 1 when all hold, whatever the weights', () => {
    const weight = fc.double({ min: 0.001, max: 1_000_000, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), weight), { minLength: 1, maxLength: 20 }), (list) => {
        const assertions = list.map(([holds, of]) => ({ ...(holds ? yes : no), weight: of }));
        const { score, passed } = run(subjectOf(), { assertions });
        expect(score >= 0 && score <= 1).toBe(true);
        expect(passed).toBe(list.every(([holds]) => holds));
        if (passed) expect(score).toBe(1);
      }),
    );
  });

  it('fails without an output, whether there are spans or not', () => {
    const definition = appliedDefinition('ASSERT', {
      assertions: [{ type: 'contains', value: 'a', not: true }],
    });
    expect(assert.evaluate(subjectOf({ spans: [], output: null }), definition)).toMatchObject({
      status: 'COMPLETED',
      passed: false,
    });
  });

  it('reads what its checks read', () => {
    const definition = appliedDefinition('ASSERT', {
      assertions: [
        yes,
        { type: 'assert-set', assertions: [{ type: 'cost', threshold: 1 }, { type: 'error-free' }] },
      ],
    });
    expect(new Set(assert.reads(definition))).toEqual(
      new Set(['output', 'cost', 'spans', 'toolCalls', 'isTruncated']),
    );
    expect(assert.reads(appliedDefinition('ASSERT', {}))).toEqual([]);
  });

  it('that no longer is valid fails and says where', () => {
    expect(
      evaluateDefinition(subjectOf(), appliedDefinition('ASSERT', { assertions: [{ type: 'gone' }] })),
    ).toMatchObject({
      status: 'FAILED',
      reason: expect.stringContaining('globalConfig.assertions.0.type: Invalid option') as string,
    });
  });
});

describe('the configuration', () => {
  it.each(ASSERTION_TYPES)('takes the example of %s', (type) => {
    expect(configIssues('ASSERT', { assertions: [{ type, ...ASSERTIONS[type].example }] })).toEqual([]);
  });

  const nested = (levels: number): Given =>
    levels === 0 ? { type: 'error-free' } : { type: 'assert-set', assertions: [nested(levels - 1)] };
  const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);
  const at = 'globalConfig.assertions.0';
  const brokenSchema = { type: 'contains-json', value: { type: 'nope' } };

  it.each<[assertion: Given, path: string, code: string]>([
    [{ type: 'nope' }, `${at}.type`, 'invalid_enum_value'],
    [{ type: 'constructor' }, `${at}.type`, 'invalid_enum_value'],
    [{ type: 'equals' }, `${at}.value`, 'custom'],
    [{ type: 'equals', value: deep(51) }, `${at}.value`, 'custom'],
    [{ type: 'contains' }, `${at}.value`, 'invalid_type'],
    [{ type: 'contains', value: '' }, `${at}.value`, 'too_small'],
    [{ type: 'contains-any', value: 'a' }, `${at}.value`, 'invalid_type'],
    [{ type: 'contains-all', value: [] }, `${at}.value`, 'too_small'],
    [{ type: 'regex', value: '(' }, `${at}.value`, 'invalid_string'],
    [{ type: 'regex', value: { pattern: '(' } }, `${at}.value.pattern`, 'invalid_string'],
    [{ type: 'regex', value: { pattern: 'a', flags: 'y' } }, `${at}.value.flags`, 'invalid_string'],
    [{ type: 'is-json', value: [] }, `${at}.value`, 'custom'],
    [{ type: 'is-json', value: { type: 'nope' } }, `${at}.value`, 'custom'],
    [{ type: 'is-json', value: { $ref: 'https://example.com/a.json' } }, `${at}.value`, 'custom'],
    [{ type: 'is-json', value: { $schema: 'https://example.com/own' } }, `${at}.value`, 'custom'],
    [{ type: 'is-json', value: { $async: true } }, `${at}.value`, 'custom'],
    [{ type: 'is-json', value: { items: { $id: 'https://example.com/x' } } }, `${at}.value`, 'custom'],
    [{ type: 'is-json', value: { title: 'x'.repeat(20_000) } }, `${at}.value`, 'custom'],
    [{ type: 'numeric', value: 'x' }, `${at}.value`, 'invalid_union'],
    [{ type: 'word-count', value: { min: 2, max: 1 } }, `${at}.value`, 'custom'],
    [{ type: 'levenshtein', value: 'x', threshold: -1 }, `${at}.threshold`, 'too_small'],
    [{ type: 'bleu', value: 'x', threshold: 2 }, `${at}.threshold`, 'too_big'],
    [{ type: 'latency' }, `${at}.threshold`, 'invalid_type'],
    [{ type: 'tokens', value: {} }, `${at}.value`, 'custom'],
    [{ type: 'tool-called', value: { name: 'x', max: 0 } }, `${at}.value`, 'custom'],
    [
      { type: 'tool-order', value: { steps: ['a'], mode: 'loose' } },
      `${at}.value.mode`,
      'invalid_enum_value',
    ],
    [{ type: 'tool-arguments', value: { name: 'x' } }, `${at}.value.args`, 'custom'],
    [{ type: 'step-count', value: { kind: 'NOPE', max: 1 } }, `${at}.value.kind`, 'invalid_enum_value'],
    [{ type: 'step-count', value: { kind: 'LLM', maximum: 1, max: 1 } }, `${at}.value`, 'custom'],
    [
      { type: 'trace-span-duration', value: { max: 1, percentile: 0 } },
      `${at}.value.percentile`,
      'too_small',
    ],
    [{ type: 'assert-set' }, `${at}.assertions`, 'invalid_type'],
    [{ type: 'assert-set', assertions: [{ type: 'nope' }] }, `${at}.assertions.0.type`, 'invalid_enum_value'],
    [nested(4), `${at}.assertions.0.assertions.0.assertions.0.type`, 'invalid_enum_value'],
    [{ type: 'error-free', weight: 0 }, 'globalConfig.assertions', 'custom'],
  ])('rejects %j', (assertion, path, code) => {
    const config = { assertions: [assertion] };
    const issues = [...configIssues('ASSERT', config), ...jsonSchemaIssues('ASSERT', config)];
    expect(issues.map((issue) => [issue.path.join('.'), issue.code])).toEqual([[path, code]]);
  });

  it('compiles no JSON Schema, except on request', () => {
    const sets = {
      assertions: [nested(0), { type: 'assert-set', assertions: [brokenSchema, brokenSchema] }],
    };
    expect(configIssues('ASSERT', sets)).toEqual([]);
    expect(jsonSchemaIssues('ASSERT', sets).map(({ path }) => path.join('.'))).toEqual([
      'globalConfig.assertions.1.assertions.0.value',
      'globalConfig.assertions.1.assertions.1.value',
    ]);
    expect(jsonSchemaIssues('CUSTOM', sets)).toEqual([]);
  });

  it('takes sets three deep', () => {
    expect(run(subjectOf(), { assertions: [nested(3)] }).passed).toBe(true);
  });

  it('takes schemas of the same $id, one after the other', () => {
    for (const type of ['string', 'object'])
      expect(
        check({ output: '{}' }, { type: 'is-json', value: { $id: 'https://example.com/own', type } }).passed,
      ).toBe(type === 'object');
  });
});
