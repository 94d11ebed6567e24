import { nfc } from '../../contract/text-forms.ts';

/** Scripts that do not separate words by spaces: their words are those of Unicode's segmentation with dictionaries. */
const UNSPACED = String.raw`\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}`;
/** A run of such scripts, with the marks within it. */
const RUN = new RegExp(String.raw`^[[${UNSPACED}]--\p{P}]`, 'v');
const WORD = new RegExp(
  String.raw`[[${UNSPACED}]--\p{P}][[${UNSPACED}\p{M}]--\p{P}]*|[[\p{L}\p{M}\p{N}]--[${UNSPACED}]]+`,
  'gv',
);
const SPACED = new RegExp(
  String.raw`[[${UNSPACED}]--\p{P}][[${UNSPACED}\p{M}]--\p{P}]*|[^\s[[${UNSPACED}]--\p{P}]]+`,
  'gv',
);
const SEGMENTER = new Intl.Segmenter('und', { granularity: 'word' });
/** Characters of a run that are segmented at once, because the segmenter looks at all of them. */
const MAX_RUN = 2_000;
const PUNCTUATION = /[\p{P}\p{S}]/gu;
const ARTICLES: ReadonlySet<string> = new Set(['a', 'an', 'the']);

/** Most words of a text that are compared; the time grows with the square of their number. */
export const MAX_WORDS = 4_000;

/** Words of a text, and a flag for a text with more words. */
export interface Words {
  words: string[];
  isTruncated: boolean;
}

/** Splits a text into runs of letters, marks and digits, in lower case. */
export const wordsOf = (text: string): Words => take(plain(text), WORD, () => true);

/**
 * Splits a text into words like SQuAD: without punctuation and English articles, at white space, in lower case
 * (Rajpurkar et al. 2016, evaluation script). A text that consists of articles keeps them, so that the answer "A"
 * differs from a blank one.
 */
export function answerWordsOf(text: string): Words {
  const bare = plain(text).replace(PUNCTUATION, '');
  const found = take(bare, SPACED, (word) => !ARTICLES.has(word));
  return found.words.length > 0 ? found : take(bare, SPACED, () => true);
}

const plain = (text: string): string => nfc(text).toLowerCase();

function take(text: string, pattern: RegExp, isWord: (word: string) => boolean): Words {
  const words: string[] = [];
  for (const word of wordsBy(text, pattern)) {
    if (!isWord(word)) continue;
    if (words.length === MAX_WORDS) return { words, isTruncated: true };
    words.push(word);
  }
  return { words, isTruncated: false };
}

function* wordsBy(text: string, pattern: RegExp): Generator<string> {
  for (const [run] of text.matchAll(pattern)) {
    if (!RUN.test(run)) {
      yield run;
      continue;
    }
    for (let start = 0; start < run.length; start += MAX_RUN)
      for (const { segment, isWordLike } of SEGMENTER.segment(run.slice(start, start + MAX_RUN)))
        if (isWordLike) yield segment;
  }
}

const HAS_UNSPACED = new RegExp(`[${UNSPACED}]`, 'v');

/** Counts the words of a text: what stands between spaces, and words of scripts without spaces. */
export function countWords(text: string): number {
  let count = 0;
  for (const [part] of text.matchAll(/\S+/g)) count += HAS_UNSPACED.test(part) ? countSegments(part) : 1;
  return count;
}

function countSegments(part: string): number {
  let count = 0;
  for (let start = 0; start < part.length; start += MAX_RUN)
    for (const { isWordLike } of SEGMENTER.segment(part.slice(start, start + MAX_RUN)))
      if (isWordLike) count += 1;
  return Math.max(1, count);
}
