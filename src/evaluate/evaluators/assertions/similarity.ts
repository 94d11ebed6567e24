import { z } from 'zod';
import { bleuScore as bleuOf } from '../../measures/bleu.ts';
import { editDistance, MAX_CHARACTERS } from '../../measures/edit-distance.ts';
import { chrfScore, rougeNScore } from '../../measures/n-grams.ts';
import { overlap } from '../../measures/overlap.ts';
import { rougeLScore as rougeLOf } from '../../measures/rouge-l.ts';
import { answerWordsOf, MAX_WORDS, type Words, wordsOf } from '../../measures/words.ts';
import { settled } from '../../statistics/settled.ts';
import { nfc } from '../../../contract/text-forms.ts';
import { type Assertion, textAssertion } from './assertion.ts';
import { references } from './values.ts';

const MAX_EDITS = 5;

export const levenshtein = textAssertion({
  passes: `the edit distance to the text is at most \`threshold\`; only the first ${MAX_CHARACTERS} characters of a text count`,
  score: '1 − distance / length of the longer text',
  example: { value: 'Paris', threshold: 1 },
  fields: {
    value: references,
    threshold: z.number().min(0).default(MAX_EDITS).describe(`most edits; default ${MAX_EDITS}`),
  },
  check: (output, { value, threshold }) => {
    const distances = value.map((reference) => editDistance(output, nfc(reference)));
    const nearest = distances.reduce((best, one) => (one.edits < best.edits ? one : best));
    const note = distances.some(({ isTruncated }) => isTruncated)
      ? `, of the first ${MAX_CHARACTERS} characters`
      : '';
    return {
      passed: nearest.edits <= threshold,
      score: nearest.similarity,
      reason: `the edit distance is ${nearest.edits}${note}`,
    };
  },
});

interface Measure {
  name: string;
  /** Name of the score for display. */
  score: string;
  /** Lowest score that passes by default. */
  threshold: number;
  read: (text: string) => Words;
  compare: (candidate: string[], references: string[][]) => number;
  /** Parts of a text that are compared, and how many at most. Default: words. */
  unit?: string;
  most?: number;
}

function measured({
  name,
  score,
  threshold: least,
  read,
  compare,
  unit = 'words',
  most = MAX_WORDS,
}: Measure): Assertion {
  return textAssertion({
    passes: 'the score is at least `threshold`',
    score: `${score}; only the first ${most} ${unit} of a text count`,
    example: { value: 'The capital of France is Paris', threshold: least },
    isLowest: true,
    fields: {
      value: references,
      threshold: z.number().min(0).max(1).default(least).describe(`lowest score; default ${least}`),
    },
    check: (output, { value, threshold }) => {
      const candidate = read(output);
      const known = value.map(read);
      const found = settled(
        compare(
          candidate.words,
          known.map(({ words }) => words),
        ),
      );
      const note = [candidate, ...known].some(({ isTruncated }) => isTruncated)
        ? `, of the first ${most} ${unit}`
        : '';
      return {
        passed: found >= threshold,
        score: found,
        reason: `${name} is ${Number(found.toFixed(4))}${note}`,
      };
    },
  });
}

const best =
  (measure: (candidate: string[], reference: string[]) => number) =>
  (candidate: string[], known: string[][]): number =>
    Math.max(...known.map((reference) => measure(candidate, reference)));

export const rougeL = measured({
  name: 'ROUGE-L',
  score: 'ROUGE-L: F1 over the longest common subsequence of words (Lin 2004)',
  threshold: 0.75,
  read: wordsOf,
  compare: best(rougeLOf),
});

/** Declares ROUGE-N for runs of n words. */
const rouge = (n: number): Assertion =>
  measured({
    name: `ROUGE-${n}`,
    score: `ROUGE-${n}: F1 over ${n === 1 ? 'words' : `runs of ${n} words`} (Lin 2004)`,
    threshold: 0.75,
    read: wordsOf,
    compare: best((candidate, reference) => rougeNScore(candidate, reference, n)),
  });

export const rouge1 = rouge(1);
export const rouge2 = rouge(2);

/** Most characters that chrF compares. */
const MAX_CHRF = 20_000;

/** Returns the characters of a text without white space. */
function charactersOf(text: string): Words {
  const shown = nfc(text)
    .slice(0, 2 * MAX_CHRF)
    .replaceAll(/\s/g, '');
  const words = Array.from(shown);
  return {
    words: words.slice(0, MAX_CHRF),
    isTruncated: words.length > MAX_CHRF || text.length > 2 * MAX_CHRF,
  };
}

export const chrf = measured({
  name: 'chrF',
  score: 'chrF2: F-measure over runs of 1 to 6 characters, with recall counted twice (Popović 2015)',
  unit: 'characters',
  most: MAX_CHRF,
  threshold: 0.6,
  read: charactersOf,
  compare: best(chrfScore),
});

export const bleu = measured({
  name: 'BLEU',
  score:
    'BLEU-4 with brevity penalty (Papineni et al. 2002), one added to the counts of 2- to 4-grams (Lin and Och 2004); a text too short for a size of n-grams loses nothing by it, so that two equal words score 1, where NLTK’s method 2 scores less',
  threshold: 0.5,
  read: wordsOf,
  compare: bleuOf,
});

export const f1 = measured({
  name: 'F1',
  score:
    'F1 over the words, without punctuation and English articles (articles count if there are no other words), as in SQuAD (Rajpurkar et al. 2016)',
  threshold: 0.5,
  read: answerWordsOf,
  compare: best((candidate, reference) => overlap(candidate, reference).f1),
});
