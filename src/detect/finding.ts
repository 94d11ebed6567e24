/** Kinds of personal data and secrets that are detected in texts. */
export const DETECTED_KINDS = ['email', 'phone', 'card', 'iban', 'secret'] as const;
export type DetectedKind = (typeof DETECTED_KINDS)[number];

/** A part of a text, from `start` to before `end`. */
export interface TextRange {
  start: number;
  end: number;
}

export interface Finding<K extends string = DetectedKind> extends TextRange {
  kind: K;
}

/**
 * Finds the places of one kind in a text. Takes time in proportion to the length of the text, whatever it contains:
 * every repetition in a pattern has a bound.
 */
export type Detector = (text: string) => Iterable<TextRange>;

/** Yields the matches of a global pattern that are not empty, in order. Each pattern serves one search at a time. */
export function* matchesOf(text: string, pattern: RegExp): Generator<TextRange & { match: RegExpExecArray }> {
  // `matchAll` would copy the pattern for every text.
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const end = match.index + match[0].length;
    if (end === match.index) pattern.lastIndex = end + 1;
    else yield { start: match.index, end, match };
  }
}
