import { nfc } from '../../contract/text-forms.ts';

/** Scripts that do not separate words by spaces; each of their characters counts as a word. */
const UNSPACED = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}`;
const WORD = new RegExp(String.raw`[${UNSPACED}]|[[\p{L}\p{M}\p{N}]--[${UNSPACED}]]+`, 'gv');
const SPACED = new RegExp(String.raw`[${UNSPACED}]|[^\s${UNSPACED}]+`, 'gv');
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
  for (const [word] of text.matchAll(pattern)) {
    if (!isWord(word)) continue;
    if (words.length === MAX_WORDS) return { words, isTruncated: true };
    words.push(word);
  }
  return { words, isTruncated: false };
}
