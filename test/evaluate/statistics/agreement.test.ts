import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cohensKappa, kappaOf } from '../../../src/evaluate/statistics/agreement.ts';
import { fleissKappa, krippendorffAlpha } from '../../../src/evaluate/statistics/krippendorff.ts';
import { reach } from '../../../src/evaluate/statistics/normal.ts';
import { correctedShare } from '../../../src/evaluate/statistics/rogan-gladen.ts';

const Z = reach(0.95);
const confusion = (pp: number, pf: number, fp: number, ff: number) => ({
  truePositives: pp,
  falsePositives: pf,
  falseNegatives: fp,
  trueNegatives: ff,
});

describe("Cohen's kappa", () => {
  it('is that of the literature', () => {
    // J. Sim, C. C. Wright, "The Kappa Statistic in Reliability Studies", Physical Therapy 85 (2005) 257–268, table 1.
    expect(cohensKappa(confusion(22, 2, 4, 11), Z)?.kappa).toBeCloseTo(0.67, 2);
  });

  it('has the standard error of Fleiss, Cohen and Everitt', () => {
    // By statsmodels 0.15, `cohens_kappa`, which implements the paper for any number of classes.
    expect(kappaOf(confusion(88, 14, 10, 88))?.error).toBeCloseTo(0.04590197477894765, 12);
    expect(kappaOf(confusion(20, 5, 10, 15))?.error).toBeCloseTo(0.12699606293110033, 12);
  });

  it('has the interval of the table with one verdict of each kind more', () => {
    const found = cohensKappa(confusion(88, 14, 10, 88), Z);
    expect(found?.kappa).toBeCloseTo(0.7600959616153539, 12);
    expect(found?.low).toBeCloseTo(0.6537773747523391, 10);
    expect(found?.high).toBeCloseTo(0.8366146313967772, 10);
  });

  it.each([
    ['no verdict', confusion(0, 0, 0, 0)],
    ['passes alone', confusion(9, 0, 0, 0)],
    ['failures alone', confusion(0, 0, 0, 9)],
  ])('is not defined of %s', (_name, table) => {
    expect(cohensKappa(table, Z)).toBeNull();
  });

  it('is 1 when all agree, and has a wide interval for few verdicts', () => {
    const found = cohensKappa(confusion(3, 0, 0, 3), Z);
    expect(found?.kappa).toBe(1);
    expect(found?.low).toBeLessThan(0.2);
  });

  it('does not depend on who is the judge, nor on what is called passing', () => {
    const count = fc.integer({ min: 0, max: 100 });
    fc.assert(
      fc.property(count, count, count, count, (a, b, c, d) => {
        const found = cohensKappa(confusion(a, b, c, d), Z);
        for (const same of [confusion(a, c, b, d), confusion(d, b, c, a)]) {
          const other = cohensKappa(same, Z);
          if (found === null) expect(other).toBeNull();
          else expect(other?.kappa).toBeCloseTo(found.kappa, 9);
        }
        expect(found === null || (found.low >= -1 && found.low <= found.high && found.high <= 1)).toBe(true);
      }),
    );
  });
});

describe('the corrected share', () => {
  const judged = (passed: number, tp: number, tn: number, n = 500) => ({
    passed: { share: passed, count: n },
    truePositives: { share: tp, count: 50 },
    trueNegatives: { share: tn, count: 60 },
  });

  it('is that of Rogan and Gladen, with the interval of Lang and Reiczigel', () => {
    // By the formulas as asht 1.0 (`prevSeSp`) writes them: 0.1429, −0.0233 (limited to 0) to 0.2641.
    const { share, low, high, isClamped } = correctedShare(judged(0.3, 0.9, 0.8), Z);
    expect(share).toBeCloseTo(0.14285714, 8);
    expect([low, isClamped]).toEqual([0, false]);
    expect(high).toBeCloseTo(0.2641076649838654, 10);
  });

  it('is the share itself of a judge who never errs', () => {
    expect(correctedShare(judged(0.3, 1, 1), Z).share).toBeCloseTo(0.3, 12);
  });

  it('is within its interval, however few people let pass or fail', () => {
    const sharesOf = (count: number) =>
      Array.from({ length: count + 1 }, (_, seen) => ({ share: seen / count, count }));
    const wrong = [1, 2, 5, 29].flatMap((positives) =>
      [1, 5, 29].flatMap((negatives) =>
        sharesOf(positives).flatMap((truePositives) =>
          sharesOf(negatives)
            .filter(({ share }) => truePositives.share + share - 1 >= 0.2)
            .flatMap((trueNegatives) =>
              [0, 0.3, 0.8, 1]
                .map((share) => ({ passed: { share, count: 1_000 }, truePositives, trueNegatives }))
                .filter((rates) => {
                  const { share, low, high } = correctedShare(rates, Z);
                  return !(low <= share && share <= high);
                }),
            ),
        ),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('is known no further than 0 to 1 where the rates with what is added to them contain no information', () => {
    // (1 + 1) / 3 and (6 + 1) / 31 are together below 1.
    const found = correctedShare(
      {
        passed: { share: 0.75, count: 100 },
        truePositives: { share: 1, count: 1 },
        trueNegatives: { share: 6 / 29, count: 29 },
      },
      Z,
    );
    expect(found).toMatchObject({ low: 0, high: 1, isClamped: true, share: 0 });
  });

  it.each([
    [0.05, 0],
    [0.95, 1],
  ])('of %d is truncated at %d, and says so', (passed, share) => {
    expect(correctedShare(judged(passed, 0.9, 0.8), Z)).toMatchObject({ share, isClamped: true });
  });
});

describe("Krippendorff's alpha", () => {
  const subjects = (...passed: number[]) => passed.map((of) => ({ passed: of, count: 2 }));

  it('is that of the literature', () => {
    // K. Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), example A: two coders, ten units.
    const found = krippendorffAlpha(subjects(1, 2, 1, 0, 0, 1, 0, 0, 1, 0), reach(0.95));
    expect(found?.alpha).toBeCloseTo(0.095, 3);
    expect(found?.low).toBeLessThan(0);
    expect(found?.high).toBeLessThan(0.9);
  });

  it('is never certain after few subjects, and narrows with more', () => {
    const widthOf = (times: number): number => {
      const all = Array.from({ length: times }, () => subjects(2, 2, 0)).flat();
      const { alpha = 0, low = 0, high = 0 } = krippendorffAlpha(all, reach(0.95)) ?? {};
      expect(alpha).toBe(1);
      return high - low;
    };
    expect(widthOf(1)).toBeGreaterThan(0.5);
    expect(widthOf(20)).toBeLessThan(0.2);
  });

  it.each([
    ['nobody judged', []],
    [
      'each had one verdict',
      [
        { passed: 1, count: 1 },
        { passed: 0, count: 1 },
      ],
    ],
    ['all verdicts are alike', subjects(2, 2, 2)],
  ])('is unknown where %s', (_name, all) => {
    expect(krippendorffAlpha(all, reach(0.95))).toBeNull();
  });
});

describe('Fleiss’ kappa', () => {
  const judgedBy = (count: number, ...passed: number[]) => passed.map((of) => ({ passed: of, count }));

  it.each([
    // Of two people it is Scott's pi: 6 of 10 agree, and 30 % of all verdicts pass.
    ['two people', judgedBy(2, 1, 2, 1, 0, 0, 1, 0, 0, 1, 0), (0.6 - 0.58) / 0.42],
    // Shares of agreeing pairs: 1, 0.6, 1 and 0.4; 60 % of all verdicts pass.
    ['five people', judgedBy(5, 5, 4, 0, 3), (0.75 - 0.52) / 0.48],
    ['different numbers of people', [...judgedBy(2, 2, 0), ...judgedBy(4, 2)], ((2 + 1 / 3) / 3 - 0.5) / 0.5],
  ])('of %s is as by hand', (_name, all, kappa) => {
    const found = fleissKappa(all, reach(0.95));
    expect(found?.kappa).toBeCloseTo(kappa, 10);
    expect(found?.low).toBeLessThan(kappa);
    expect(found?.high).toBeGreaterThan(kappa);
  });

  it.each([
    ['no one judged', []],
    ['all verdicts are alike', judgedBy(3, 3, 3)],
  ])('is unknown where %s', (_name, all) => {
    expect(fleissKappa(all, reach(0.95))).toBeNull();
  });
});
