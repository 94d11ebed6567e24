/** How often intervals of 95 % hold the truth when it is known: each by as many made-up samples as chance allows to tell. */
import { describe, expect, it } from 'vitest';
import { cohensKappa, kappaOf } from '../../../src/evaluate/statistics/agreement.ts';
import {
  independentDifference,
  meanShare,
  type SeenShare,
} from '../../../src/evaluate/statistics/independent-difference.ts';
import { reach } from '../../../src/evaluate/statistics/normal.ts';
import { correctedShare } from '../../../src/evaluate/statistics/rogan-gladen.ts';
import { type Interval, wilsonInterval } from '../../../src/evaluate/statistics/wilson.ts';
import { mulberry32 } from '../../support/random.ts';

const Z = reach(0.95);
type Random = () => number;
type Shares = readonly [number, number, number, number];

const holds = ({ low, high }: Interval, truth: number): boolean =>
  low <= truth + 1e-12 && truth <= high + 1e-12;

/** The share of `samples` whose interval holds the truth; the same each time. */
function coverage(truth: number, samples: number, interval: (random: Random) => Interval): number {
  const random = mulberry32(20_260_131);
  let held = 0;
  for (let i = 0; i < samples; i++) if (holds(interval(random), truth)) held += 1;
  return held / samples;
}

function seen(random: Random, count: number, chance: number): SeenShare {
  let passed = 0;
  for (let i = 0; i < count; i++) if (random() < chance) passed += 1;
  return { share: passed / count, count };
}

function fourCells(random: Random, count: number, [a, b, c]: Shares) {
  const cells: [number, number, number, number] = [0, 0, 0, 0];
  for (let i = 0; i < count; i++) {
    const at = random();
    cells[at < a ? 0 : at < a + b ? 1 : at < a + b + c ? 2 : 3] += 1;
  }
  return cells;
}

/** Each kind's own mean of coverage is 95 %; of one case it may be this much off. */
const LEAST = 0.93;

describe('an interval of 95 %', () => {
  it.each([
    [10, 0.5],
    [30, 0.9],
    [200, 0.97],
  ])('of a share contains it: %i tests, %d', (count, chance) => {
    const held = coverage(chance, 4_000, (random) =>
      wilsonInterval(seen(random, count, chance).share, count),
    );
    expect(held).toBeGreaterThanOrEqual(LEAST);
  });

  it.each([
    [1, 5, 0.5, 0.5, 0],
    [1, 20, 0.5, 0.5, 0.2],
    [5, 1, 0.3, 0.8, 0.1],
    [5, 3, 0.3, 0.8, 0.1],
    [20, 1, 0.3, 0.7, 0.1],
    [40, 3, 0.9, 0.95, 0.02],
  ])(
    'of a difference over %i strata of %i tests contains it: %d to %d, and %d more',
    (strata, count, low, high, more) => {
      const held = coverage(more, 2_000, (random) => {
        const chances = Array.from({ length: strata }, (_, i) => low + ((high - low) * (i + 0.5)) / strata);
        const sides = [0, more].map((plus) =>
          meanShare(chances.map((chance) => seen(random, count, chance + plus))),
        );
        return independentDifference(sides[0] as SeenShare, sides[1] as SeenShare, Z);
      });
      expect(held).toBeGreaterThanOrEqual(LEAST);
    },
  );

  it.each<[verdicts: number, shares: Shares]>([
    [20, [0.45, 0.05, 0.05, 0.45]],
    [30, [0.85, 0.03, 0.05, 0.07]],
    [50, [0.25, 0.25, 0.25, 0.25]],
    [50, [0.7, 0.05, 0.1, 0.15]],
    [100, [0.9, 0, 0.02, 0.08]],
  ])('of kappa by %i verdicts contains it: %j', (verdicts, shares) => {
    const tableOf = ([pp, pf, fp, ff]: Shares) => ({
      truePositives: pp,
      falsePositives: pf,
      falseNegatives: fp,
      trueNegatives: ff,
    });
    const truth = kappaOf(tableOf(shares))?.kappa ?? Number.NaN;
    const held = coverage(
      truth,
      3_000,
      (random) => cohensKappa(tableOf(fourCells(random, verdicts, shares)), Z) ?? { low: -1, high: 1 },
    );
    expect(held).toBeGreaterThanOrEqual(LEAST);
  });

  it.each([
    [500, 50, 30, 0.9, 0.8, 0.6],
    [100, 20, 15, 0.8, 0.7, 0.5],
    [1000, 60, 5, 0.9, 0.9, 0.95],
    [50, 25, 10, 0.9, 0.8, 0.7],
  ])(
    'of the corrected share contains it: %i judged, %i and %i by people',
    (judged, positives, negatives, tp, tn, truth) => {
      const chance = truth * tp + (1 - truth) * (1 - tn);
      const held = coverage(truth, 3_000, (random) =>
        correctedShare(
          {
            passed: seen(random, judged, chance),
            truePositives: seen(random, positives, tp),
            trueNegatives: seen(random, negatives, tn),
          },
          Z,
        ),
      );
      expect(held).toBeGreaterThanOrEqual(LEAST);
    },
  );
});
