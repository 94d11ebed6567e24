import { agreement } from './overlap.ts';

/**
 * Computes ROUGE-L from 0 to 1: the F1 measure over the longest common subsequence of words (C.-Y. Lin, "ROUGE: A
 * Package for Automatic Evaluation of Summaries", 2004, section 3.1 with β = 1). Its time grows with the product of
 * the lengths.
 */
export function rougeLScore(candidate: readonly string[], reference: readonly string[]): number {
  const common = longestCommonSubsequence(candidate, reference);
  return agreement({
    right: common,
    found: candidate.length,
    recalled: common,
    expected: reference.length,
  }).f1;
}

function longestCommonSubsequence(a: readonly string[], b: readonly string[]): number {
  const numbers = new Map<string, number>();
  const numbered = (words: readonly string[]): Int32Array =>
    Int32Array.from(words, (word) => {
      const number = numbers.get(word) ?? numbers.size;
      numbers.set(word, number);
      return number;
    });
  const [left, right] = [numbered(a), numbered(b)];
  // After each word of `left`: length of the longest common subsequence with the words of `right` up to each
  // position.
  const lengths = new Int32Array(right.length + 1);
  for (const word of left) {
    let diagonal = 0;
    for (let i = 1; i <= right.length; i += 1) {
      const above = lengths[i] as number;
      lengths[i] = word === right[i - 1] ? diagonal + 1 : Math.max(above, lengths[i - 1] as number);
      diagonal = above;
    }
  }
  return lengths[right.length] as number;
}
