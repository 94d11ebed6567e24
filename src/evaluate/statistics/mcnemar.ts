import { twoSided } from './normal.ts';

/** Number of differing pairs below which the exact test is used. */
const FEW = 25;

export interface McNemarTest {
  method: 'MCNEMAR_EXACT' | 'MCNEMAR_CORRECTED';
  /** Two-sided p value. */
  pValue: number;
}

/**
 * Tests whether two things pass equally often, by the pairs in which only one of them passed. Q. McNemar, "Note on
 * the sampling error of the difference between correlated proportions or percentages", Psychometrika 12 (1947)
 * 153–157. Uses the exact test for few such pairs, else the one with continuity correction.
 */
export function mcnemar(onlyFirst: number, onlySecond: number): McNemarTest {
  return onlyFirst + onlySecond < FEW
    ? { method: 'MCNEMAR_EXACT', pValue: exactMcNemar(onlyFirst, onlySecond) }
    : { method: 'MCNEMAR_CORRECTED', pValue: correctedMcNemar(onlyFirst, onlySecond) };
}

/** Computes the two-sided p value of the binomial test for one half. */
export function exactMcNemar(onlyFirst: number, onlySecond: number): number {
  const differing = onlyFirst + onlySecond;
  let outcomes = 1;
  let asFew = 0;
  for (let i = 0; i <= Math.min(onlyFirst, onlySecond); i++) {
    asFew += outcomes;
    outcomes *= (differing - i) / (i + 1);
  }
  return Math.min(1, (2 * asFew) / 2 ** differing);
}

/**
 * Computes the p value with continuity correction; at least one pair differs. A. L. Edwards, "Note on the 'correction
 * for continuity' in testing the significance of the difference between correlated proportions", Psychometrika 13
 * (1948) 185–187.
 */
export function correctedMcNemar(onlyFirst: number, onlySecond: number): number {
  const distance = Math.max(Math.abs(onlyFirst - onlySecond) - 1, 0);
  return twoSided(distance / Math.sqrt(onlyFirst + onlySecond));
}
