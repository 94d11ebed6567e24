import { nfc } from '../text-search.ts';

/** Scripts that don't part words by spaces: each of their characters stands for a word. */
const UNSPACED = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}`;
const WORD = new RegExp(String.raw`[${UNSPACED}]|[[\p{L}\p{M}\p{N}]--[${UNSPACED}]]+`, 'gv');
const SPACED = new RegExp(String.raw`[${UNSPACED}]|[^\s${UNSPACED}]+`, 'gv');
const PUNCTUATION = /[\p{P}\p{S}]/gu;
const ARTICLES: ReadonlySet<string> = new Set(['a', 'an', 'the']);

/** More words of a text are not looked at: comparing orders of words takes time with the square of their number. */
export const MAX_WORDS = 4_000;

/** Words of a text, and whether it has more. */
export interface Words {
  words: string[];
  isTruncated: boolean;
}

/** Runs of letters, marks and digits, in lower case. */
export const wordsOf = (text: string): Words => take(plain(text), WORD, () => true);

/**
 * Splits a text into words like SQuAD: without punctuation and English articles, at white space, in lower case
 * (Rajpurkar et al. 2016, in their evaluation script). A text of articles alone keeps them: "A" is an answer that a
 * blank one is not.
 */
export function answerWordsOf(text: string): Words {
  const bare = plain(text).replace(PUNCTUATION, '');
  const found = take(bare, SPACED, (word) => !ARTICLES.has(word));
  return found.words.length > 0 ? found : take(bare, SPACED, () => true);
}

const plain = (text: string): string => nfc(text).toLowerCase();

function take(text: string, pattern: RegExp, isWord: (word: string) => boolean): Words {
  const words: string[] = [];
  for (const [word] of text.matchAll(pattern)) {
    if (!isWord(word)) continue;
    if (words.length === MAX_WORDS) return { words, isTruncated: true };
    words.push(word);
  }
  return { words, isTruncated: false };
}
