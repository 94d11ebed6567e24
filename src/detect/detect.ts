import { cards } from './card.ts';
import { emails } from './email.ts';
import type { DetectedKind, Detector, Finding } from './finding.ts';
import { ibans } from './iban.ts';
import { phones } from './phone.ts';
import { secrets } from './secret.ts';

/** Detectors, by precedence: where findings overlap, that of the first detector counts. */
const DETECTORS: readonly (readonly [DetectedKind, Detector])[] = [
  ['secret', secrets],
  ['email', emails],
  ['iban', ibans],
  ['card', cards],
  ['phone', phones],
];

/** Lengths of the shortest texts in which kinds are found, for those that contain digits. */
const SHORTEST_OF_DIGITS: Partial<Record<DetectedKind, number>> = { iban: 15, card: 13, phone: 8 };
const SHORTEST = 6;
const DIGIT = /\d/;

/**
 * Finds personal data and secrets of these kinds in a text, in order and without overlaps. Takes time in proportion to
 * the length of the text, whatever it contains. `taken` are findings that precede all others.
 */
export function detect<K extends string = DetectedKind>(
  text: string,
  kinds: ReadonlySet<DetectedKind>,
  taken: Finding<K | DetectedKind>[] = [],
): Finding<K | DetectedKind>[] {
  let findings = taken;
  if (text.length < SHORTEST) return findings;
  const digitsUpTo = DIGIT.test(text) ? text.length : 0;
  for (const [kind, detector] of DETECTORS) {
    if (!kinds.has(kind) || digitsUpTo < (SHORTEST_OF_DIGITS[kind] ?? 0)) continue;
    const found = Array.from(detector(text), ({ start, end }): Finding => ({ kind, start, end }));
    if (found.length > 0) findings = mergeFindings(findings, found);
  }
  return findings;
}

/** Adds findings that overlap none of the others, nor an earlier one of themselves. */
export function mergeFindings<K extends string>(
  taken: readonly Finding<K>[],
  found: readonly Finding<K>[],
): Finding<K>[] {
  const all = [...taken.map((one) => ({ one, rank: 0 })), ...found.map((one) => ({ one, rank: 1 }))];
  all.sort((a, b) => a.one.start - b.one.start || a.rank - b.rank);
  const result: Finding<K>[] = [];
  for (const [index, { one, rank }] of all.entries()) {
    const last = result.at(-1);
    if (last && one.start < last.end) continue;
    // A finding that is already taken precedes one that begins before it.
    const overlapped = rank === 1 && nextTaken(all, index, one.end);
    if (!overlapped) result.push(one);
  }
  return result;
}

/** Reports whether a taken finding begins after this entry and before `end`. */
function nextTaken(
  all: readonly { one: Finding<string>; rank: number }[],
  index: number,
  end: number,
): boolean {
  for (let i = index + 1; i < all.length && (all[i]?.one.start ?? end) < end; i += 1)
    if (all[i]?.rank === 0) return true;
  return false;
}
