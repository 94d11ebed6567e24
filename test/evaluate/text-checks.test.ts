import { describe, expect, it } from 'vitest';
import { evaluateDefinition } from '../../src/evaluate/evaluators/deterministic.ts';
import { chrfScore, rougeNScore } from '../../src/evaluate/measures/n-grams.ts';
import type { Subject } from '../../src/evaluate/subject.ts';
import { cpuMsOf } from '../support/cpu-ms.ts';
import { appliedDefinition, subjectOf } from '../support/subjects.ts';

interface Checked {
  score: number;
  passed: boolean;
  results: { assertions: { reason: string }[] };
}

function check(of: Partial<Subject>, assertion: object): { score: number; passed: boolean; reason: string } {
  const definition = appliedDefinition('ASSERT', { assertions: [assertion] });
  const verdict = evaluateDefinition(subjectOf(of), definition) as unknown as Checked;
  return {
    score: verdict.score,
    passed: verdict.passed,
    reason: verdict.results.assertions[0]?.reason ?? '',
  };
}

describe('words of scripts without spaces', () => {
  it.each([
    ['東京タワーは高いです。', 4],
    ['สวัสดีครับ ผมชื่อสมชาย', 5],
    ['Das ist 東京.', 3],
    ['one, two', 2],
    ['—', 1],
    ['', 0],
  ])('of %j are counted: %d', (output, words) => {
    expect(check({ output }, { type: 'word-count', value: words })).toMatchObject({
      passed: true,
      reason: `the output has ${words} words; expected: ${words}`,
    });
  });

  it('are those of ROUGE', () => {
    const value = '東京タワーは高いです';
    expect(check({ output: '東京タワーは高い' }, { type: 'rouge-1', value, threshold: 0.8 })).toMatchObject({
      passed: true,
    });
  });

  it('of a long text are found in linear time', () => {
    expect(
      cpuMsOf(() => check({ output: '漢'.repeat(200_000) }, { type: 'word-count', value: 1 })),
    ).toBeLessThan(20_000);
  });
});

describe('ROUGE-N', () => {
  // Lin 2004, section 3.1: "police killed the gunman" and its candidates.
  const reference = 'police killed the gunman'.split(' ');
  it.each([
    ['police kill the gunman', 1, 0.75],
    ['police kill the gunman', 2, 1 / 3],
    ['the gunman kill police', 2, 1 / 3],
    ['police killed the gunman', 2, 1],
    ['', 1, 0],
    ['police', 2, 0],
  ])('of %j with n = %d is %d', (candidate, n, score) => {
    expect(rougeNScore(candidate.split(' ').filter(Boolean), reference, n)).toBeCloseTo(score, 10);
  });

  it('passes from its threshold', () => {
    const given = { type: 'rouge-2', value: 'police killed the gunman' };
    expect(check({ output: 'Police kill the gunman.' }, given)).toMatchObject({
      passed: false,
      reason: 'ROUGE-2 is 0.3333',
    });
    expect(check({ output: 'Police kill the gunman.' }, { ...given, threshold: 0.3 }).passed).toBe(true);
  });
});

describe('chrF', () => {
  it.each([
    // Precision 1 and 1 of runs of one and two characters; recall 2/3 and 1/2.
    ['ab', 'abc', (5 * (7 / 12)) / (4 + 7 / 12)],
    ['abc', 'abc', 1],
    ['xyz', 'abc', 0],
    ['', '', 1],
    ['', 'a', 0],
  ])('of %j and %j is %d', (candidate, reference, score) => {
    expect(chrfScore(candidate.split(''), reference.split(''))).toBeCloseTo(score, 10);
  });

  it('takes the most similar of several references, and ignores white space', () => {
    expect(
      check({ output: 'na i\u0308ve' }, { type: 'chrf', value: ['other', 'naïve'], threshold: 1 }),
    ).toMatchObject({
      score: 1,
      passed: true,
    });
  });
});

describe('json-diff', () => {
  const value = { city: 'Paris', nights: 2, guests: [{ name: 'Ada' }, { name: 'Bo' }] };
  it.each<[string, output: Subject['output'], score: number, reason: string]>([
    ['equal', { ...value, nights: 2 }, 1, 'all 4 fields are equal'],
    ['in a text', `Here: ${JSON.stringify(value)}`, 1, 'all 4 fields are equal'],
    ['with a field that differs', { ...value, nights: 3 }, 0.75, '1 of 4 fields differ: "/nights"'],
    ['with a further field', { ...value, extra: 1 }, 0.8, '1 of 5 fields differ: "/extra"'],
    [
      'with a list that is shorter',
      { ...value, guests: [{ name: 'Ada' }] },
      0.75,
      '1 of 4 fields differ: "/guests/1/name"',
    ],
    ['of another kind', [1], 0, '1 of 1 fields differ: "/"'],
  ])('%s', (_name, output, score, reason) => {
    expect(check({ output }, { type: 'json-diff', value })).toEqual({ score, passed: score === 1, reason });
  });

  it('passes from its threshold, and lacks nothing where there is no JSON', () => {
    expect(
      check({ output: { ...value, nights: 3 } }, { type: 'json-diff', value, threshold: 0.75 }).passed,
    ).toBe(true);
    expect(check({ output: 'Paris' }, { type: 'json-diff', value })).toMatchObject({
      passed: false,
      reason: 'the output contains no JSON',
    });
  });
});

describe('a language is checked', () => {
  it.each([
    ['is-sql', 'SELECT name FROM people WHERE id = 1', true],
    ['is-sql', '```sql\nSELECT 1;\n```', true],
    ['is-sql', ' ```\nSELECT 1\n  ``` ', true],
    ['is-sql', '```sql\nSELECT 1```', false],
    ['is-sql', '```sql\n```', false],
    ['is-sql', "INSERT INTO t (a) VALUES ('x; y'); -- done\nUPDATE t SET a = 1 WHERE b = 2;", true],
    ['is-sql', 'WITH a AS (SELECT 1 AS b) SELECT * FROM a LEFT JOIN c ON a.b = c.b', true],
    ['is-sql', "PRAGMA temp_store_directory = '/nowhere'", true],
    ['is-sql', 'EXPLAIN PRAGMA "hard_heap_limit" = 1000', true],
    ['is-sql', 'SELECT/* c; */1; SELECT [a;b] FROM t -- end; of it', true],
    ['is-sql', "SELECT 'it''s; so' FROM t", true],
    ['is-sql', 'PRAGMA', false],
    ['is-sql', 'SELECT FROM WHERE', false],
    ['is-sql', 'SELECT count(* FROM a', false],
    ['is-sql', 'Here is your query', false],
    ['is-sql', '-- only a comment', false],
    ['is-sql', ' ', false],
    ['is-xml', '<a><b c="d">e</b><f/></a>', true],
    ['is-xml', '<?xml version="1.0"?>\n<!-- c --><a xmlns:x="y"><x:b/></a>', true],
    ['is-xml', '<a><b></a></b>', false],
    ['is-xml', '<a>', false],
    ['is-xml', '</a>', false],
    ['is-xml', '<a/><b/>', false],
    ['is-xml', 'text', false],
    ['is-html', '<p>One<p>Two<br><ul><li>a<li>b</ul>', true],
    ['is-html', '<!doctype html><html><body><div class="a">x</div></body></html>', true],
    ['is-html', '<div><span>x</div>', false],
    ['is-html', '<div>x</div></div>', false],
    ['is-html', 'no tags', false],
  ])('%s of %j is %s', (type, output, passed) => {
    expect(check({ output }, { type }).passed).toBe(passed);
  });

  it.each(['is-xml', 'is-html'])('%s does not pass elements that are too deep in each other', (type) => {
    const nested = (depth: number): string => `${'<div>'.repeat(depth)}${'</div>'.repeat(depth)}`;
    expect(check({ output: nested(1_000) }, { type }).passed).toBe(true);
    expect(cpuMsOf(() => check({ output: nested(200_000) }, { type }))).toBeLessThan(5_000);
    expect(check({ output: nested(200_000) }, { type }).reason).toContain('more than 1000 elements');
  });

  it('does not pass JSON that is too large to be compared', () => {
    const value = Array.from({ length: 10_000 }, () => 1);
    expect(check({ output: JSON.stringify([...value, 2]) }, { type: 'json-diff', value }).passed).toBe(false);
  });

  it('compares JSON of any depth', () => {
    const deep = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    for (const depth of [100, 50_000])
      expect(check({ output: deep(depth) }, { type: 'json-diff', value: [] }).passed).toBe(false);
  });

  it.each(['is-sql', 'is-xml', 'is-html'])('%s of long texts takes linear time', (type) => {
    for (const part of ['\n', '<a ', '<a "', '<a="', '<', "'", '/*', '<a>', '</a>', '"', '```', 'a;'])
      for (const start of ['', '```\n'])
        expect(
          cpuMsOf(() => check({ output: `${start}${part.repeat(60_000 / part.length)}x` }, { type })),
        ).toBeLessThan(5_000);
  });
});

describe('citations', () => {
  const documents = [
    { id: 'returns.md', content: 'See https://shop.example/returns for more.', score: null },
    { id: null, content: 'Delivery takes two days.', score: null },
  ];
  it.each([
    ['Within 30 days [1], and in two days [2].', {}, 1, true],
    ['Within 30 days [1, 2] or 【2†source】.', {}, 1, true],
    ['See https://shop.example/returns.', {}, 1, true],
    ['As [returns.md] says.', {}, 1, true],
    ['Within 30 days [1] [3].', {}, 0.5, false],
    ['Within 30 days [1] [3].', { threshold: 0.5 }, 0.5, true],
    ['See https://shop.example/other.', {}, 0, false],
    ['Within 30 days.', {}, 0, false],
    ['Within 30 days.', { value: 0 }, 1, true],
    ['Within 30 days [1].', { value: 2 }, 0, false],
    ['All [1–2].', { value: 2 }, 1, true],
  ])('of %j with %j', (output, given, score, passed) => {
    expect(check({ output, documents }, { type: 'citations', ...given })).toMatchObject({ score, passed });
  });
});
