import { occurrencesOf } from './counts.ts';

const LONGEST = 4;

/**
 * Computes BLEU-4 of one text, from 0 to 1: the geometric mean of the clipped precisions of 1- to 4-grams, times the
 * brevity penalty for the reference of the nearest length (K. Papineni, S. Roukos, T. Ward, W.-J. Zhu, "BLEU: a
 * Method for Automatic Evaluation of Machine Translation", ACL 2002). Because single texts often share no 4-gram, one
 * is added to both counts from 2-grams on (C.-Y. Lin, F. J. Och, "ORANGE", COLING 2004). A candidate too short for
 * n-grams of a size has 1 / 1 of them, so that equal short texts score 1; NLTK's method 2 counts 1 / 2 there. Requires at
 * least one reference.
 */
export function bleuScore(candidate: readonly string[], references: readonly (readonly string[])[]): number {
  if (candidate.length === 0) return references.some(({ length }) => length === 0) ? 1 : 0;
  let logarithms = 0;
  for (let size = 1; size <= LONGEST; size += 1) {
    const { matched, total } = clipped(candidate, references, size);
    const smoothing = size === 1 ? 0 : 1;
    if (matched + smoothing === 0) return 0;
    logarithms += Math.log((matched + smoothing) / (total + smoothing));
  }
  return brevityPenalty(candidate.length, references) * Math.exp(logarithms / LONGEST);
}

/** Counts the n-grams of the candidate, and those that occur at least as often in a reference. */
export function clipped(
  candidate: readonly string[],
  references: readonly (readonly string[])[],
  size: number,
): { matched: number; total: number } {
  const inReferences = references.map((reference) => occurrencesOf(nGrams(reference, size)));
  let matched = 0;
  for (const [nGram, count] of occurrencesOf(nGrams(candidate, size)))
    matched += Math.min(count, Math.max(...inReferences.map((counts) => counts.get(nGram) ?? 0)));
  return { matched, total: Math.max(0, candidate.length - size + 1) };
}

const nGrams = (words: readonly string[], size: number): string[] =>
  Array.from({ length: Math.max(0, words.length - size + 1) }, (_, i) =>
    words.slice(i, i + size).join('\u0000'),
  );

function brevityPenalty(length: number, references: readonly (readonly string[])[]): number {
  let nearest = Number.POSITIVE_INFINITY;
  for (const reference of references) {
    const [gap, best] = [Math.abs(reference.length - length), Math.abs(nearest - length)];
    if (gap < best || (gap === best && reference.length < nearest)) nearest = reference.length;
  }
  return length >= nearest ? 1 : Math.exp(1 - nearest / length);
}
