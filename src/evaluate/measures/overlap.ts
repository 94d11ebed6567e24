import { countsOf } from './counts.ts';

/** Agreement of found with expected items; each number is from 0 to 1. */
export interface Agreement {
  /** The share of what was found that is right. */
  precision: number;
  /** The share of what is right that was found. */
  recall: number;
  /** The harmonic mean of the two (van Rijsbergen, "Information Retrieval", 1979). */
  f1: number;
}

/** Two lists, order aside; what stands in both more than once counts as often as in the one that has it less often. */
export function overlap(found: readonly string[], expected: readonly string[]): Agreement {
  const left = countsOf(expected);
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
 * Computes the agreement from `right` of `found` and `recalled` of `expected`. Two empty sets agree; an empty and
 * another one don't.
 */
export function agreement(of: {
  right: number;
  found: number;
  recalled: number;
  expected: number;
}): Agreement {
  if (of.found === 0 && of.expected === 0) return { precision: 1, recall: 1, f1: 1 };
  if (of.right === 0 || of.recalled === 0) return { precision: 0, recall: 0, f1: 0 };
  const precision = of.right / of.found;
  const recall = of.recalled / of.expected;
  return { precision, recall, f1: (2 * precision * recall) / (precision + recall) };
}
