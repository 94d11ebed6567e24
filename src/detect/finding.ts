/** Kinds of personal data and secrets that are detected in texts. */
export const DETECTED_KINDS = ['email', 'phone', 'card', 'iban', 'secret'] as const;
export type DetectedKind = (typeof DETECTED_KINDS)[number];

/** A part of a text, from `start` to before `end`. */
export interface Place {
  start: number;
  end: number;
}

export interface Finding extends Place {
  kind: DetectedKind;
}

/**
 * Finds the places of one kind in a text. Takes time in proportion to the length of the text, whatever it contains:
 * every repetition in a pattern has a bound.
 */
export type Detector = (text: string) => Iterable<Place>;

/** Yields the matches of a global pattern, in order. */
export function* matchesOf(text: string, pattern: RegExp): Generator<Place & { match: RegExpExecArray }> {
  for (const match of text.matchAll(pattern))
    yield { start: match.index, end: match.index + match[0].length, match };
}
