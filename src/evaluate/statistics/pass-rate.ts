import { settled } from './settled.ts';

/** A test that counts: `finished` is at least 1. */
export interface CountedTest {
  passed: number;
  finished: number;
  /** Creation time in Unix milliseconds. */
  createdAt: number;
}

export const HALF_LIFE_MS = 7 * 86_400_000;

/**
 * Computes the mean over tests of the share of evals that passed, 0 to 1; null without tests. Evals of one test are
 * not independent of each other, so each test counts as one observation, however many evals it has.
 */
export function passRate(tests: readonly CountedTest[]): number | null {
  if (tests.length === 0) return null;
  return settled(tests.reduce((sum, { passed, finished }) => sum + passed / finished, 0) / tests.length);
}

export const wholePercent = (share: number): number => Math.round(100 * share);
