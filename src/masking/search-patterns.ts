import { detect, mergeFindings } from '../detect/detect.ts';
import { type DetectedKind, type Finding, matchesOf } from '../detect/finding.ts';
import type { Steps } from '../runtime/steps.ts';
import type { MaskingClock } from './masking-clock.ts';
import type { PatternCost } from './pattern-cost.ts';

/** A compiled own pattern. */
export interface SearchedPattern {
  name: string;
  expression: RegExp;
  cost: PatternCost;
}

/** Patterns and detectors that a text is searched with. */
export interface SearchRules {
  patterns: readonly SearchedPattern[];
  kinds: ReadonlySet<DetectedKind>;
}

/** Longest text that a slow pattern is still searched in. */
export const MAX_SLOW_TEXT = 256;

/** Longest text in which all matches of a pattern are found without a pause. */
const MAX_SHORT_TEXT = 1_024;

/** Characters of a long text that one search sees, and how long a value may be that is certainly found. */
interface Window {
  size: number;
  longest: number;
}
/** Bounds the time of one search, which nothing can interrupt. */
const PATTERN_WINDOW: Window = { size: 64 * 1024, longest: 16 * 1024 };
/** The same for a pattern that may turn out to be slow, as most of such a window is seen twice. */
const FIRST_WINDOW: Window = { size: 20 * 1024, longest: PATTERN_WINDOW.longest };
/** The longest value that a detector finds is a private key. */
export const LONG_WINDOW: Window = { size: 256 * 1024, longest: 24 * 1024 };
/** Characters before a window that its search sees too, to know whether a word begins. */
const BEFORE = 256;

/** Part of a text from `from` to before `end`, of which findings that begin from `start` to before `stop` count. */
interface Part {
  from: number;
  start: number;
  stop: number;
  end: number;
}

/** Splits a long text into parts that overlap. */
export function* partsOf(length: number, { size, longest }: Window): Generator<Part> {
  for (let start = 0; start < length; ) {
    const end = Math.min(length, start + size);
    const stop = end === length ? length : end - longest;
    yield { from: Math.max(0, start - BEFORE), start, stop, end };
    start = stop;
  }
}

export const partOf = (text: string, { from, end }: Part): string =>
  from === 0 && end === text.length ? text : text.slice(from, end);

/**
 * Finds what own patterns and detectors find in a text, in order and without overlaps; patterns precede detectors.
 * Returns the name of a pattern instead that is too slow for a text of this length.
 */
export function* search(
  text: string,
  { patterns, kinds }: SearchRules,
  clock: MaskingClock,
): Steps<readonly Finding<string>[] | string> {
  if (clock.isTurnOver()) yield* clock.pause();
  let found: Finding<string>[] = [];
  for (const pattern of patterns) {
    const places = yield* searchPattern(text, pattern, clock);
    if (places === null) return pattern.name;
    for (const place of places) found.push(place);
  }
  if (found.length > 1) found = withoutOverlaps(found);
  if (text.length <= LONG_WINDOW.size) return detect<string>(text, kinds, found);
  return yield* detectInParts(text, kinds, { found, clock });
}

/** Returns the matches of a pattern; null if it is too slow for this text. */
function* searchPattern(
  text: string,
  { name, expression, cost }: SearchedPattern,
  clock: MaskingClock,
): Steps<readonly Finding<string>[] | null> {
  const found: Finding<string>[] = [];
  const isTooSlow = (): boolean => cost.isSlow && text.length > MAX_SLOW_TEXT;
  if (isTooSlow()) return null;
  if (text.length <= MAX_SHORT_TEXT) {
    const places = (): Finding<string>[] =>
      Array.from(matchesOf(text, expression), ({ start, end }) => ({ kind: name, start, end }));
    return cost.measure(text.length, places);
  }
  let next = 0;
  for (const part of partsOf(text.length, cost.isProven ? PATTERN_WINDOW : FIRST_WINDOW)) {
    const piece = partOf(text, part);
    const searchFrom = (at: number): RegExpExecArray[] => {
      // Requests of an application share the expression, and others may have had their turn since.
      expression.lastIndex = at - part.from;
      const match = expression.exec(piece);
      return match === null ? [] : [match];
    };
    let unseen = piece.length;
    for (next = Math.max(next, part.start); next < part.stop; ) {
      const [match] = cost.measure(unseen, () => searchFrom(next));
      unseen = 0;
      // Each match is found in linear time, but a text may have as many matches as characters.
      if (clock.isTurnOver()) yield* clock.pause();
      if (isTooSlow()) return null;
      if (match === undefined) break;
      const start = part.from + match.index;
      const end = start + match[0].length;
      if (start >= part.stop) break;
      if (end > start) found.push({ kind: name, start, end });
      next = Math.max(end, start + 1);
    }
  }
  return found;
}

/** Adds the findings of detectors in a long text. */
function* detectInParts(
  text: string,
  kinds: ReadonlySet<DetectedKind>,
  { found, clock }: { found: Finding<string>[]; clock: MaskingClock },
): Steps<Finding<string>[]> {
  const detected: Finding<string>[] = [];
  for (const part of partsOf(text.length, LONG_WINDOW)) {
    for (const { kind, start, end } of detect<string>(partOf(text, part), kinds)) {
      const place = { kind, start: part.from + start, end: part.from + end };
      const isOwn = place.start >= part.start && place.start < part.stop;
      if (isOwn && place.start >= (detected.at(-1)?.end ?? 0)) detected.push(place);
    }
    if (clock.isTurnOver()) yield* clock.pause();
  }
  return mergeFindings(found, detected);
}

/** Removes findings that overlap earlier ones; of those with one start, the first pattern counts. */
function withoutOverlaps(found: Finding<string>[]): Finding<string>[] {
  const sorted = found.toSorted((a, b) => a.start - b.start);
  let end = 0;
  return sorted.filter((one) => {
    if (one.start < end) return false;
    end = one.end;
    return true;
  });
}
