import { describe, expect, it } from 'vitest';
import {
  type DrawnPair,
  type GateRule,
  judgeGate,
  weightedConfusion,
} from '../../../src/evaluate/statistics/judge-gate.ts';
import { mulberry32 } from '../../support/random.ts';

const DAY_MS = 86_400_000;
const AT = 1_000 * DAY_MS;
const RULE: GateRule = { minKappa: 0.6, minAnnotations: 30, maxAgeDays: 90 };

const judged = (judge: boolean, human: boolean | null): DrawnPair => ({ judge, human, at: AT, weight: 1 });
const OPEN: DrawnPair = { judge: true, human: null, at: null, weight: 1 };

const agreeing = (count: number): DrawnPair[] =>
  Array.from({ length: count }, (_, index) => judged(index % 2 === 0, index % 2 === 0));
const contrary = (count: number): DrawnPair[] =>
  Array.from({ length: count }, (_, index) => judged(index % 2 === 0, index % 2 === 1));

describe('a gate', () => {
  it.each<[string, pairs: DrawnPair[], rule: GateRule, state: object]>([
    ['without verdicts is not valid', [], RULE, { isValid: false, test: null, nextTestAt: 30 }],
    [
      'of two verdicts that agree is not valid',
      agreeing(2),
      { ...RULE, minKappa: 0.9 },
      { isValid: false, test: null },
    ],
    [
      'of thirty verdicts that agree is valid',
      agreeing(30),
      RULE,
      { isValid: true, test: { number: 1, verdicts: 30, kappa: 1, confidence: 0.96, isPossible: true } },
    ],
    [
      'is tested again when the verdicts have doubled',
      agreeing(60),
      RULE,
      {
        isValid: true,
        test: { number: 2, verdicts: 60, confidence: expect.closeTo(0.992) as number },
        nextTestAt: 120,
      },
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
      Array.from({ length: 40 }, () => judged(true, true)),
      RULE,
      { isValid: false, test: { kappa: null, low: null, isPassed: false } },
    ],
    [
      'takes the first that were drawn, and waits for those that no one has judged',
      [...agreeing(20), OPEN, ...agreeing(20)],
      RULE,
      { isValid: false, test: null, nextTestAt: 30, awaited: 1 },
    ],
    [
      'does not wait for what was drawn later',
      [...agreeing(30), OPEN],
      RULE,
      { isValid: true, test: { verdicts: 30 }, awaited: 1 },
    ],
    [
      'counts those on which people are undecided half as pass and half as fail',
      [...agreeing(20), ...Array.from({ length: 10 }, (_, index) => judged(index % 2 === 0, null))],
      RULE,
      { isValid: false, test: { verdicts: 30, kappa: expect.closeTo(2 / 3) as number, isPassed: false } },
    ],
  ])('%s', (_name, pairs, rule, state) => {
    expect(judgeGate(pairs, rule, AT)).toMatchObject(state);
  });
});

describe('a sample with more of what the judge failed', () => {
  const strata = (failed: number, passed: number): DrawnPair[] => [
    ...Array.from({ length: failed }, () => ({ ...judged(false, false), weight: 0.2 })),
    ...Array.from({ length: passed }, () => ({ ...judged(true, true), weight: 1.8 })),
  ];

  it('is weighted by what each stands for', () => {
    const differing = { ...judged(false, true), weight: 0.2 };
    const state = judgeGate([...strata(14, 15), differing], RULE, AT);
    // 10 % fail, of which one in fifteen should pass: (p₀ − pₑ) ÷ (1 − pₑ).
    const byChance = 0.9 * (0.9 + 0.1 / 15) + 0.1 * (0.1 - 0.1 / 15);
    expect(state.test?.kappa).toBeCloseTo((1 - 0.1 / 15 - byChance) / (1 - byChance), 6);
  });

  it('proves nothing without what the judge passed', () => {
    expect(judgeGate(strata(30, 0), RULE, AT)).toMatchObject({ isValid: false, test: { kappa: null } });
  });

  it('counts as fewer verdicts of equal weight', () => {
    expect(weightedConfusion(strata(15, 15))).toMatchObject({
      truePositives: expect.closeTo((27 * 30) / 49.2) as number,
      trueNegatives: expect.closeTo((3 * 30) / 49.2) as number,
    });
    expect(weightedConfusion(agreeing(10))).toMatchObject({ truePositives: 5, trueNegatives: 5 });
  });

  it('leaves the error of a test that no verdicts could pass to the next one', () => {
    const few = (count: number): DrawnPair[] => strata(count / 6, (5 * count) / 6).toReversed();
    const rule = { ...RULE, minKappa: 0.9 };
    const [first, second] = [judgeGate(few(30), rule, AT), judgeGate([...few(30), ...few(30)], rule, AT)];
    expect(first.test).toMatchObject({ isPassed: false, isPossible: false, confidence: 0.96 });
    expect(second.test).toMatchObject({ number: 2, confidence: expect.closeTo(1 - 0.048) as number });
    const spent = judgeGate([...strata(15, 15), ...strata(15, 15)], { ...RULE, minKappa: 0.1 }, AT);
    expect(spent.test).toMatchObject({ number: 2, confidence: expect.closeTo(0.992) as number });
  });
});

describe('a gate expires', () => {
  const at = (days: number, pairs: DrawnPair[]): DrawnPair[] =>
    pairs.map((pair) => ({ ...pair, at: AT + days * DAY_MS }));
  const stateOf = (pairs: DrawnPair[], days: number) => judgeGate(pairs, RULE, AT + days * DAY_MS);

  it.each<[string, pairs: DrawnPair[], days: number, state: object]>([
    ['not before its time', agreeing(30), 89, { isValid: true, isExpired: false }],
    ['after its time', agreeing(30), 90, { isValid: false, isExpired: true, expiresAt: AT + 90 * DAY_MS }],
    ['in spite of a few newer verdicts', [...agreeing(30), ...at(80, agreeing(29))], 90, { isValid: false }],
    [
      'later with as many newer verdicts as the first test takes',
      [...agreeing(30), ...at(80, agreeing(30))],
      169,
      { isValid: true, expiresAt: AT + 170 * DAY_MS },
    ],
  ])('%s', (_name, pairs, days, state) => {
    expect(stateOf(pairs, days)).toMatchObject(state);
  });

  it('never while it has not passed', () => {
    expect(stateOf(contrary(30), 0)).toMatchObject({ isValid: false, expiresAt: null, isExpired: false });
  });
});

/** Draws pairs of a judge and people who pass half of the subjects, with this kappa. */
function pairsOf(kappa: number, count: number, random: () => number): DrawnPair[] {
  return Array.from({ length: count }, () => {
    const human = random() < 0.5;
    return judged(random() < (1 + kappa) / 2 ? human : !human, human);
  });
}

describe('over many judges, looked at after every verdict', () => {
  const JUDGES = 400;
  const everValid = (kappa: number): number => {
    const random = mulberry32(7);
    let valid = 0;
    for (let judge = 0; judge < JUDGES; judge++) {
      const pairs = pairsOf(kappa, 480, random);
      if ([30, 60, 120, 240, 480].some((count) => judgeGate(pairs.slice(0, count), RULE, AT).isValid))
        valid += 1;
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
