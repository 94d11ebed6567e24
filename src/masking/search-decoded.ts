import type { Finding } from '../detect/finding.ts';
import type { Steps } from '../runtime/steps.ts';
import { type Decoded, decode } from './decode.ts';
import type { MaskingClock } from './masking-clock.ts';
import { LONG_WINDOW, partOf, partsOf, search, type SearchRules } from './search-patterns.ts';

/** A place to mask. `value` is what it says, if that is written in other characters. */
export interface FoundValue extends Finding<string> {
  value?: string;
}

/**
 * Searches a text as it is written, and once more where characters are encoded. Overlapping findings become one. Returns
 * the name of a pattern instead that is too slow for the text.
 */
export function* searchAll(
  text: string,
  rules: SearchRules,
  clock: MaskingClock,
): Steps<readonly FoundValue[] | string> {
  const found = yield* search(text, rules, clock);
  if (typeof found === 'string') return found;
  const more: FoundValue[] = [];
  for (const part of partsOf(text.length, LONG_WINDOW)) {
    const decoded = decode(partOf(text, part));
    if (clock.isTurnOver()) yield* clock.pause();
    if (decoded === null) continue;
    const places = yield* search(decoded.text, rules, clock);
    if (typeof places === 'string') return places;
    for (const place of places) {
      const value = originalOf(decoded, place, part.from);
      if (value.start >= part.start && value.start < part.stop) more.push(value);
    }
  }
  return more.length === 0 ? found : united([...found, ...more]);
}

const originalOf = (
  { text, starts, ends }: Decoded,
  { kind, start, end }: Finding<string>,
  from: number,
): FoundValue => ({
  kind,
  start: from + (starts[start] as number),
  end: from + (ends[end - 1] as number),
  value: text.slice(start, end),
});

/** Joins findings that overlap. Of those with one place, the first counts. */
function united(found: readonly FoundValue[]): FoundValue[] {
  const result: FoundValue[] = [];
  for (const one of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1);
    if (last === undefined || one.start >= last.end) result.push(one);
    else if (one.end > last.end)
      result[result.length - 1] = { kind: last.kind, start: last.start, end: one.end };
  }
  return result;
}
