import { occurrencesOf } from './counts.ts';
import { agreement } from './overlap.ts';

/** Counts the runs of n items, and how many of one list are in the other too. */
function sharedRuns(candidate: readonly string[], reference: readonly string[], n: number) {
  const [found, expected] = [runsOf(candidate, n), runsOf(reference, n)];
  const known = occurrencesOf(expected);
  let shared = 0;
  for (const [run, count] of occurrencesOf(found)) shared += Math.min(count, known.get(run) ?? 0);
  return { shared, found: found.length, expected: expected.length };
}

const runsOf = (items: readonly string[], n: number): string[] =>
  items
    .slice(0, Math.max(0, items.length - n + 1))
    .map((_, start) => items.slice(start, start + n).join('\u0000'));

/**
 * Computes ROUGE-N from 0 to 1: the F1 measure over runs of n words (C.-Y. Lin, "ROUGE: A Package for Automatic Evaluation of
 * Summaries", 2004, section 2, with precision). Texts of fewer than n words are compared by all their words.
 */
export function rougeNScore(candidate: readonly string[], reference: readonly string[], n: number): number {
  const size = Math.max(1, Math.min(n, Math.max(candidate.length, reference.length)));
  const { shared, found, expected } = sharedRuns(candidate, reference, size);
  return agreement({ right: shared, found, recalled: shared, expected }).f1;
}

const CHARACTERS = 6;
const BETA = 2;

/**
 * Computes chrF from 0 to 1: the mean precision and recall over runs of 1 to 6 characters, without white space, with recall counted
 * twice (M. Popović, "chrF: character n-gram F-score for automatic MT evaluation", 2015; β = 2 as in sacreBLEU).
 */
export function chrfScore(candidate: readonly string[], reference: readonly string[]): number {
  if (candidate.length === 0 && reference.length === 0) return 1;
  let [precision, recall, sizes] = [0, 0, 0];
  for (let n = 1; n <= CHARACTERS; n += 1) {
    const { shared, found, expected } = sharedRuns(candidate, reference, n);
    if (found === 0 || expected === 0) continue;
    sizes += 1;
    precision += shared / found;
    recall += shared / expected;
  }
  if (sizes === 0 || precision + recall === 0) return 0;
  const [p, r] = [precision / sizes, recall / sizes];
  return ((1 + BETA ** 2) * p * r) / (BETA ** 2 * p + r);
}
