import { settled } from './settled.ts';

/** Tests under the same conditions: `passed` of `count` (at least 1). */
export interface RepeatedTests {
  passed: number;
  count: number;
}

/**
 * Estimates, without bias, the probability that `k` tests all pass, from `count` (at least `k`) tests of which
 * `passed` passed. S. Yao et al., "τ-bench: A Benchmark for Tool-Agent-User Interaction in Real-World Domains", arXiv
 * 2406.12045 (2024).
 */
export function passPowK({ passed, count }: RepeatedTests, k: number): number {
  let chance = 1;
  for (let i = 0; i < k; i++) chance *= Math.max(passed - i, 0) / (count - i);
  return chance;
}

/**
 * Estimates, without bias, the probability that at least one of `k` tests passes, from `count` (at least `k`) tests
 * of which `passed` passed. M. Chen et al., "Evaluating Large Language Models Trained on Code", arXiv 2107.03374
 * (2021).
 */
export const passAtK = ({ passed, count }: RepeatedTests, k: number): number =>
  1 - passPowK({ passed: count - passed, count }, k);

/** Largest `k`: with more tests, one rare failure would dominate the metrics. */
const MAX_K = 8;

export interface RepeatStatistics {
  /** Number of groups with two or more tests under the same conditions. */
  groups: number;
  /** Number of tests `k` of both estimates: the number that each of these groups has, at most 8. */
  k: number;
  /** Means over the groups, 0 to 1. */
  passPowK: number;
  passAtK: number;
  /** Share of the groups in which some tests passed and some did not. */
  flakiness: number;
}

/** Summarises repeated tests; null when nothing was tested twice. */
export function repeatsOf(all: readonly RepeatedTests[]): RepeatStatistics | null {
  const groups = all.filter(({ count }) => count >= 2);
  if (groups.length === 0) return null;
  const k = Math.min(MAX_K, ...groups.map(({ count }) => count));
  const mean = (of: (group: RepeatedTests) => number): number =>
    settled(groups.reduce((sum, group) => sum + of(group), 0) / groups.length);
  return {
    groups: groups.length,
    k,
    passPowK: mean((group) => passPowK(group, k)),
    passAtK: mean((group) => passAtK(group, k)),
    flakiness: mean(({ passed, count }) => (passed > 0 && passed < count ? 1 : 0)),
  };
}
