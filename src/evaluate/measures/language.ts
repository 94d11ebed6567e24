import { nfc } from '../../contract/text-forms.ts';
import { parseJson } from '../../traces/conventions/json.ts';

/** Languages that can be recognised, as ISO 639-1 codes: those of `eld`. */
export const LANGUAGES = [
  'am ar az be bg bn ca cs da de el en es et eu fa fi fr gu he hi hr hu hy is it ja ka kn ko ku lo lt lv ml mr ms nl no or pa pl pt ro ru',
  'sk sl sq sr sv ta te th tl tr uk ur vi yo zh',
].flatMap((codes) => codes.split(' '));

/** Codes of languages that are recognised as another one, because they are the same or too similar. */
export const SIMILAR_LANGUAGES: Readonly<Record<string, string>> = {
  bs: 'hr',
  fil: 'tl',
  id: 'ms',
  iw: 'he',
  nb: 'no',
  nn: 'no',
};

/** Detector of a text of a few hundred characters; the scores are below 1. */
export interface LanguageDetector {
  detect(text: string): { getScores(): Readonly<Record<string, number>> };
}

let detector: LanguageDetector | null = null;

/** Sets the detector, which takes so long to load that only a thread with a check that needs it does. */
export function useLanguageDetector(loaded: LanguageDetector): void {
  detector = loaded;
}

/** Most characters of a text that are read. */
const MAX_READ = 100_000;
/** Characters of a piece; the detector reads about 350 bytes. */
const PIECE = 120;
/** Most pieces that are examined, evenly spaced. */
const MAX_PIECES = 20;
/** Fewest letters of which a language is recognised. */
const MIN_LETTERS = 20;
/** Letters for which one of a script with thousands of them, or one without spaces, counts. */
const DENSE_LETTERS = 4;
const LETTER = /\p{L}/gu;
const DENSE =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/gu;
/** Smallest difference between two languages, as a share of the higher one; with few letters it is MARGIN_LETTERS through their number. */
const MIN_MARGIN = 0.02;
const MARGIN_LETTERS = 3;
/** Smallest strength of a language that is that of the text. */
const MIN_STRENGTH = 1;

/** Result of the recognition: whether the language is one of those that are expected, and the one that is most likely. */
export type LanguageFinding =
  | { is: 'expected' | 'other'; language: string }
  | { is: 'unknown'; why: 'short' | 'no language'; letters: number }
  | { is: 'unknown'; why: 'similar'; languages: [expected: string, other: string] };

/**
 * Recognises whether most of a text is in one of the expected languages. Code in fences, addresses and the names of members of JSON do
 * not count. A text with few letters, or between two languages, is `unknown`. Throws if no detector was loaded.
 */
export function findLanguage(text: string, expected: ReadonlySet<string>): LanguageFinding {
  if (detector === null) throw new Error('the detector of languages is not loaded');
  const pieces = piecesOf(prose(text));
  const letters = pieces.reduce((sum, piece) => sum + lettersIn(piece), 0);
  if (letters < MIN_LETTERS) return { is: 'unknown', why: 'short', letters };
  const strengths = new Map<string, number>();
  for (const piece of pieces)
    for (const [language, score] of Object.entries(detector.detect(piece).getScores())) {
      const strength = (score / (1 - score)) * (lettersIn(piece) / letters);
      strengths.set(language, (strengths.get(language) ?? 0) + strength);
    }
  const ranked = [...strengths].toSorted(([, a], [, b]) => b - a);
  const [inside = '', insideStrength = 0] = ranked.find(([language]) => expected.has(language)) ?? [];
  const [outside = '', outsideStrength = 0] = ranked.find(([language]) => !expected.has(language)) ?? [];
  const most = Math.max(insideStrength, outsideStrength);
  if (most < MIN_STRENGTH) return { is: 'unknown', why: 'no language', letters };
  const margin = Math.abs(insideStrength - outsideStrength) / most;
  if (margin < Math.max(MIN_MARGIN, MARGIN_LETTERS / letters))
    return { is: 'unknown', why: 'similar', languages: [inside, outside] };
  return insideStrength > outsideStrength
    ? { is: 'expected', language: inside }
    : { is: 'other', language: outside };
}

function lettersIn(text: string): number {
  const dense = text.match(DENSE)?.length ?? 0;
  return (text.match(LETTER)?.length ?? 0) + (DENSE_LETTERS - 1) * dense;
}

/** Returns the sentences of a text: the texts in JSON, without code, addresses and tags. */
function prose(text: string): string {
  const value = parseJson(text);
  const words = typeof value === 'string' ? value : textsIn(value).join(' \n');
  return nfc(words.slice(0, MAX_READ))
    .replaceAll(/```[^]*?(?:```|$)/g, ' ')
    .replaceAll(/`[^`\n]{1,1000}`/g, ' ')
    .replaceAll(/<\/?[a-zA-Z][^<>]{0,1000}>/g, ' ')
    .replaceAll(/\b(?:https?:\/\/|www\.)\S+/gi, ' ')
    .replaceAll(/[^\s@]{1,64}@[^\s@]{1,255}/g, ' ');
}

/** Returns the texts in a value, in their order; names of members are none. */
function textsIn(value: unknown): string[] {
  const texts: string[] = [];
  const rest = [value];
  for (let read = 0; rest.length > 0 && read < MAX_READ; read += 1) {
    const one = rest.pop();
    if (typeof one === 'string') {
      texts.push(one);
      read += one.length;
    } else if (typeof one === 'object' && one !== null)
      rest.push(...(Object.values(one) as unknown[]).toReversed());
  }
  return texts;
}

/** Splits a text at white space into pieces of about PIECE characters, and returns as many as are examined. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const [word] of text.matchAll(new RegExp(`\\S{1,${PIECE}}`, 'gu'))) {
    piece = piece === '' ? word : `${piece} ${word}`;
    if (piece.length < PIECE) continue;
    pieces.push(piece);
    piece = '';
  }
  if (piece !== '') pieces.push(piece);
  if (pieces.length <= MAX_PIECES) return pieces;
  return Array.from(
    { length: MAX_PIECES },
    (_, index) => pieces[Math.floor((index * pieces.length) / MAX_PIECES)] as string,
  );
}
