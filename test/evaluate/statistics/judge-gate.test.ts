import { describe, expect, it } from 'vitest';
import { type GateRule, judgeGate, type VerdictPair } from '../../../src/evaluate/statistics/judge-gate.ts';
import { mulberry32 } from '../../support/random.ts';

const RULE: GateRule = { minKappa: 0.6, minAnnotations: 30 };

const agreeing = (count: number): VerdictPair[] =>
  Array.from({ length: count }, (_, index) => ({ judge: index % 2 === 0, human: index % 2 === 0 }));
const contrary = (count: number): VerdictPair[] =>
  Array.from({ length: count }, (_, index) => ({ judge: index % 2 === 0, human: index % 2 === 1 }));

describe('a gate', () => {
  it.each<[string, pairs: VerdictPair[], rule: GateRule, state: object]>([
    ['without verdicts is not valid', [], RULE, { isValid: false, test: null, nextTestAt: 30 }],
    [
      'of two verdicts that agree is not valid',
      agreeing(2),
      { minKappa: 0.9, minAnnotations: 30 },
      { isValid: false, test: null },
    ],
    [
      'of thirty verdicts that agree is valid',
      agreeing(30),
      RULE,
      { isValid: true, test: { number: 1, verdicts: 30, kappa: 1, confidence: 0.975 } },
    ],
    [
      'is tested again when the verdicts have doubled',
      agreeing(60),
      RULE,
      { isValid: true, test: { number: 2, verdicts: 60, confidence: 0.9875 }, nextTestAt: 120 },
    ],
    [
      'waits with a judge that is not sure enough',
      [...agreeing(24), ...contrary(6)],
      RULE,
      {
        isValid: false,
        test: { isPassed: false, kappa: expect.closeTo(0.6) as number },
        revokedBy: null,
        nextTestAt: 60,
      },
    ],
    [
      'is revoked by contrary verdicts before the next test',
      [...agreeing(30), ...contrary(20)],
      RULE,
      { isValid: false, test: { isPassed: true, verdicts: 30 }, revokedBy: { verdicts: 30 } },
    ],
    [
      'keeps its test when a few verdicts differ',
      [...agreeing(50), ...contrary(2)],
      RULE,
      { isValid: true, revokedBy: null },
    ],
    [
      'of verdicts that all pass is not valid, because kappa is undefined',
      Array.from({ length: 40 }, () => ({ judge: true, human: true })),
      RULE,
      { isValid: false, test: { kappa: null, low: null, isPassed: false } },
    ],
  ])('%s', (_name, pairs, rule, state) => {
    expect(judgeGate(pairs, rule)).toMatchObject(state);
  });
});

/** Draws pairs of a judge and people who pass half of the subjects, with this kappa. */
function pairsOf(kappa: number, count: number, random: () => number): VerdictPair[] {
  return Array.from({ length: count }, () => {
    const human = random() < 0.5;
    return { human, judge: random() < (1 + kappa) / 2 ? human : !human };
  });
}

describe('over many judges, looked at after every verdict', () => {
  const JUDGES = 400;
  const everValid = (kappa: number): number => {
    const random = mulberry32(7);
    let valid = 0;
    for (let judge = 0; judge < JUDGES; judge++) {
      const pairs = pairsOf(kappa, 480, random);
      if ([30, 60, 120, 240, 480].some((count) => judgeGate(pairs.slice(0, count), RULE).isValid)) valid += 1;
    }
    return valid / JUDGES;
  };

  it('hardly one that is worse than required is ever valid', () => {
    expect(everValid(0.6)).toBeLessThan(0.06);
    expect(everValid(0.5)).toBeLessThan(0.01);
  });

  it('nearly all that are clearly better are', () => {
    expect(everValid(0.8)).toBeGreaterThan(0.95);
  });
});
