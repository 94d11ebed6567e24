import { occurrencesOf } from './counts.ts';

/** Agreement of found with expected items; each number is from 0 to 1. */
export interface OverlapScores {
  /** Share of found items that are correct. */
  precision: number;
  /** Share of correct items that were found. */
  recall: number;
  /** Harmonic mean of precision and recall (van Rijsbergen, "Information Retrieval", 1979). */
  f1: number;
}

/**
 * Compares two lists in any order. An item that occurs several times counts as often as in the list that has it less
 * often.
 */
export function overlap(found: readonly string[], expected: readonly string[]): OverlapScores {
  const left = occurrencesOf(expected);
  let shared = 0;
  for (const item of found) {
    const count = left.get(item) ?? 0;
    if (count === 0) continue;
    left.set(item, count - 1);
    shared += 1;
  }
  return agreement({ right: shared, found: found.length, recalled: shared, expected: expected.length });
}

/**
 * Computes the agreement from `right` of `found` and `recalled` of `expected` items. Two empty sets agree; an empty
 * and a non-empty one do not.
 */
export function agreement(of: {
  right: number;
  found: number;
  recalled: number;
  expected: number;
}): OverlapScores {
  if (of.found === 0 && of.expected === 0) return { precision: 1, recall: 1, f1: 1 };
  if (of.right === 0 || of.recalled === 0) return { precision: 0, recall: 0, f1: 0 };
  const precision = of.right / of.found;
  const recall = of.recalled / of.expected;
  return { precision, recall, f1: (2 * precision * recall) / (precision + recall) };
}
