import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bleuScore, clipped } from '../../src/evaluate/measures/bleu.ts';
import { editDistance, MAX_CHARACTERS } from '../../src/evaluate/measures/edit-distance.ts';
import { agreement, overlap } from '../../src/evaluate/measures/overlap.ts';
import { percentile } from '../../src/evaluate/measures/percentile.ts';
import { rougeLScore } from '../../src/evaluate/measures/rouge-l.ts';
import { answerWordsOf, MAX_WORDS, wordsOf } from '../../src/evaluate/measures/words.ts';

const words = (text: string): string[] => text.split(' ').filter((word) => word !== '');
/** Few words, so that texts share some. */
const someWords = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 });
const filled = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 12 });

describe('words', () => {
  it.each<[text: string, found: string[]]>([
    ['The cat, the CAT!', ['the', 'cat', 'the', 'cat']],
    ["It's 3.14 – na\u0069\u0308ve", ['it', 's', '3', '14', 'naïve']],
    ['東京タワーはtallです', ['東京タワー', 'は', 'tall', 'です']],
    ['  \n', []],
  ])('of %j are %j', (text, found) => {
    expect(wordsOf(text)).toEqual({ words: found, isTruncated: false });
  });

  it.each<[text: string, found: string[]]>([
    ['The Norman dynasty, an  a', ['norman', 'dynasty']],
    ["It's $3.50!", ['its', '350']],
    ['Anna and the theatre', ['anna', 'and', 'theatre']],
    ['北京 is big', ['北京', 'is', 'big']],
    // An answer may be just that; without it nothing would be as right.
    ['A.', ['a']],
    ['The', ['the']],
    ['…', []],
  ])('of the answer %j are %j', (text, found) => {
    expect(answerWordsOf(text)).toEqual({ words: found, isTruncated: false });
  });

  it('are truncated where there are too many', () => {
    expect(wordsOf('x '.repeat(MAX_WORDS)).isTruncated).toBe(false);
    const { words: some, isTruncated } = wordsOf('x '.repeat(MAX_WORDS + 1));
    expect([some.length, isTruncated]).toEqual([MAX_WORDS, true]);
  });
});

describe('overlap', () => {
  // SQuAD's F1 by hand: 2 of 3 found words are right, 2 of 4 expected ones found.
  it.each<[found: string, expected: string, precision: number, recall: number, f1: number]>([
    ['x y z', 'x y u v', 2 / 3, 2 / 4, 4 / 7],
    ['x x x', 'x', 1 / 3, 1, 1 / 2],
    ['x', 'x x x', 1, 1 / 3, 1 / 2],
    ['x', 'y', 0, 0, 0],
    ['', 'y', 0, 0, 0],
    ['y', '', 0, 0, 0],
    ['', '', 1, 1, 1],
  ])('of %j with %j', (found, expected, precision, recall, f1) => {
    const { f1: harmonic, ...rest } = overlap(words(found), words(expected));
    expect(rest).toEqual({ precision, recall });
    expect(harmonic).toBeCloseTo(f1, 12);
  });

  it('is 0 to 1, 1 for the same words in any order, and swaps precision and recall with its sides', () => {
    fc.assert(
      fc.property(someWords, someWords, (a, b) => {
        const [there, back] = [overlap(a, b), overlap(b, a)];
        for (const value of Object.values(there)) expect(value >= 0 && value <= 1).toBe(true);
        expect([there.precision, there.recall]).toEqual([back.recall, back.precision]);
        expect(overlap(a, a.toReversed()).f1).toBe(1);
      }),
    );
  });

  it('never falls when one more of what is found is right', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 50 }), (found, expected) => {
        const at = (right: number): number => agreement({ right, recalled: right, found, expected }).f1;
        for (let right = 1; right <= Math.min(found, expected); right += 1)
          expect(at(right)).toBeGreaterThan(at(right - 1));
      }),
    );
  });
});

describe('ROUGE-L', () => {
  // Lin 2004, section 3.1: S2, S3 and S4 against S1.
  const reference = words('police killed the gunman');
  it.each([
    ['police kill the gunman', 3 / 4],
    ['the gunman kill police', 2 / 4],
    ['the gunman police killed', 2 / 4],
    // Common: "police killed"; precision 2/2, recall 2/4.
    ['police killed', 2 / 3],
    ['nobody', 0],
    ['', 0],
  ])('of %j is %f', (text, score) => {
    expect(rougeLScore(words(text), reference)).toBeCloseTo(score, 12);
  });

  it('is 0 to 1, 1 of the same only, the same both ways, and not above the overlap without order', () => {
    fc.assert(
      fc.property(someWords, someWords, (a, b) => {
        const score = rougeLScore(a, b);
        expect(score).toBe(rougeLScore(b, a));
        expect(score >= 0 && score <= overlap(a, b).f1 + 1e-12).toBe(true);
        expect(score === 1).toBe(a.join(' ') === b.join(' '));
      }),
    );
  });
});

describe('BLEU', () => {
  it('clips counts as in the examples of the paper', () => {
    // Papineni et al. 2002, section 2.1: example 2 (2/7) and example 1, candidates 1 and 2 (17/18 and 8/14; 10/17 and 1/13).
    const mats = ['the cat is on the mat', 'there is a cat on the mat'].map(words);
    expect(clipped(words('the the the the the the the'), mats, 1)).toEqual({ matched: 2, total: 7 });
    const guides = [
      'it is a guide to action that ensures that the military will forever heed party commands',
      'it is the guiding principle which guarantees the military forces always being under the command of the party',
      'it is the practical guide for the army always to heed the directions of the party',
    ].map(words);
    const first = words(
      'it is a guide to action which ensures that the military always obeys the commands of the party',
    );
    const second = words(
      'it is to insure the troops forever hearing the activity guidebook that party direct',
    );
    expect(clipped(first, guides, 1)).toEqual({ matched: 17, total: 18 });
    expect(clipped(first, guides, 2)).toEqual({ matched: 10, total: 17 });
    expect(clipped(second, guides, 1)).toEqual({ matched: 8, total: 14 });
    expect(clipped(second, guides, 2)).toEqual({ matched: 1, total: 13 });
  });

  // By hand; (m + 1) / (t + 1) from 2-grams on.
  it.each<[candidate: string, references: string[], score: number]>([
    // 1: 3/4, 2: (2+1)/(3+1), 3: (1+1)/(2+1), 4: (0+1)/(1+1).
    ['w x y q', ['w x y z'], ((3 / 4) * (3 / 4) * (2 / 3) * (1 / 2)) ** 0.25],
    // All there, half as long as the reference: e^(1 − 4/2).
    ['w x', ['w x y z'], Math.exp(-1)],
    // Of two as near in length the shorter one counts: no penalty.
    ['w x y', ['w x', 'w x y z'], 1],
    ['w x y z', ['w x y z'], 1],
    ['w', ['w'], 1],
    ['q', ['w'], 0],
    ['', ['w'], 0],
    ['', [''], 1],
    ['w', [''], 0],
  ])('of %j against %j is %f', (candidate, references, score) => {
    expect(bleuScore(words(candidate), references.map(words))).toBeCloseTo(score, 12);
  });

  it('is 0 to 1, 1 of the same, and never falls with one more reference of the same length', () => {
    fc.assert(
      fc.property(someWords, filled, fc.array(fc.constantFrom('a', 'b'), { maxLength: 12 }), (a, b, more) => {
        const score = bleuScore(a, [b]);
        expect(score >= 0 && score <= 1).toBe(true);
        expect(bleuScore(b, [b])).toBeCloseTo(1, 12);
        const alike = b.map((word, i) => more[i] ?? word);
        expect(bleuScore(a, [b, alike])).toBeGreaterThanOrEqual(score);
      }),
    );
  });
});

describe('the edit distance', () => {
  it.each([
    ['kitten', 'sitting', 3],
    ['Saturday', 'Sunday', 3],
    ['', 'abc', 3],
    ['abc', 'abc', 0],
    ['', '', 0],
    // Characters beyond the first plane are two units of UTF-16 each, of which the first may be the same.
    ['👍', '👎', 1],
    ['𝒳', '👍', 1],
    ['ok 👍', 'ok', 2],
    ['東京👍', '東亰👍', 1],
  ])('of %j and %j is %i', (a, b, edits) => {
    const longer = Math.max(...[a, b].map((text) => Array.from(text).length));
    const similarity = longer === 0 ? 1 : 1 - edits / longer;
    expect(editDistance(a, b)).toEqual({ edits, similarity, isTruncated: false });
  });

  it('is a metric, and no more than the longer length', () => {
    const text = fc.string({ maxLength: 40, unit: fc.constantFrom('a', 'b', 'é', '👍', '👎') });
    fc.assert(
      fc.property(text, text, text, (a, b, c) => {
        const edits = (left: string, right: string): number => editDistance(left, right).edits;
        expect(edits(a, b)).toBe(edits(b, a));
        expect(edits(a, b) === 0).toBe(a === b);
        expect(edits(a, c)).toBeLessThanOrEqual(edits(a, b) + edits(b, c));
        const { similarity } = editDistance(a, b);
        expect(similarity >= 0 && similarity <= 1).toBe(true);
      }),
    );
  });

  it('looks at so many characters only, and says so', () => {
    const text = 'x'.repeat(MAX_CHARACTERS);
    expect(editDistance(text, `${text}y`)).toEqual({ edits: 0, similarity: 1, isTruncated: true });
    const thumbs = '👍'.repeat(MAX_CHARACTERS);
    expect(editDistance(thumbs, thumbs)).toEqual({ edits: 0, similarity: 1, isTruncated: false });
    expect(editDistance(thumbs, `${thumbs}👎`)).toEqual({ edits: 0, similarity: 1, isTruncated: true });
  });
});

it.each([
  [5, 15],
  [30, 20],
  [40, 20],
  [50, 35],
  [100, 50],
])('percentile %i of 15, 20, 35, 40 and 50 is, by nearest rank, %i', (percent, value) => {
  expect(percentile([35, 20, 15, 50, 40], percent)).toBe(value);
});

// 0.28 × 25 and 0.14 × 50 are a little above 7 as doubles.
it.each([
  [28, 25, 7],
  [14, 50, 7],
])('percentile %i of 1 to %i is %i', (percent, count, value) => {
  expect(
    percentile(
      Array.from({ length: count }, (_, i) => i + 1),
      percent,
    ),
  ).toBe(value);
});

it('compares texts of any length within bounds', () => {
  const huge = 'word '.repeat(200_000);
  expect(wordsOf(huge).words).toHaveLength(MAX_WORDS);
  expect(rougeLScore(wordsOf(huge).words, wordsOf(huge).words)).toBe(1);
});
