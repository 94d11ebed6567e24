import { settled } from './settled.ts';

/** Tests under the same conditions: `passed` of `count` (at least 1). */
export interface RepeatedTests {
  passed: number;
  count: number;
}

/**
 * The chance that `k` tests all pass, from `count` (at least `k`) of which `passed` did, without bias.
 * S. Yao et al., "τ-bench: A Benchmark for Tool-Agent-User Interaction in Real-World Domains", arXiv 2406.12045 (2024).
 */
export function passPowK({ passed, count }: RepeatedTests, k: number): number {
  let chance = 1;
  for (let i = 0; i < k; i++) chance *= Math.max(passed - i, 0) / (count - i);
  return chance;
}

/**
 * The chance that at least one of `k` tests passes, from `count` (at least `k`) of which `passed` did, without bias.
 * M. Chen et al., "Evaluating Large Language Models Trained on Code", arXiv 2107.03374 (2021).
 */
export const passAtK = ({ passed, count }: RepeatedTests, k: number): number =>
  1 - passPowK({ passed: count - passed, count }, k);

/** Largest number of tests in a chance: with more, one failure in a long time would dominate the metrics. */
const MAX_K = 8;

export interface Repeats {
  /** Groups of tests under the same conditions that have two or more. */
  groups: number;
  /** Number of tests that the chances are for: as many as each of these groups has, at most 8. */
  k: number;
  /** Means over the groups, 0 to 1. */
  passPowK: number;
  passAtK: number;
  /** The share of the groups in which some tests passed and some did not. */
  flakiness: number;
}

/** Null = nothing was tested twice. */
export function repeatsOf(all: readonly RepeatedTests[]): Repeats | null {
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
