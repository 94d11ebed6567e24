import { z } from 'zod';
import { type Confusion, verdictsIn } from '../../evaluate/statistics/agreement.ts';
import { type ClusterSums, effectiveClusters, sumsOf } from '../../evaluate/statistics/clusters.ts';
import type { SeenShare } from '../../evaluate/statistics/independent-difference.ts';
import { reach } from '../../evaluate/statistics/normal.ts';
import { correctedShare } from '../../evaluate/statistics/rogan-gladen.ts';
import { clustersOf, type TestRate } from '../../evaluate/statistics/rate-interval.ts';
import { percent, settled } from '../../evaluate/statistics/settled.ts';
import type { JudgeStanding } from './standing.ts';
import { MIN_VERDICTS, MIN_YOUDEN, type UncorrectedReason } from './reliability-contract.ts';

/** Shares of what people let pass and fail that the judge judges alike. */
export interface JudgeRates {
  truePositives: SeenShare;
  trueNegatives: SeenShare;
}

/** Returns the rates of a judge on subjects drawn at random, or the reason why they correct nothing. */
export function judgeRates(random: Confusion): JudgeRates | UncorrectedReason {
  const { truePositives, falsePositives, falseNegatives, trueNegatives } = random;
  const verdicts = settled(verdictsIn(random));
  const [humanPass, humanFail] = [truePositives + falseNegatives, trueNegatives + falsePositives] as const;
  const youden = truePositives / humanPass + trueNegatives / humanFail - 1;
  if (verdicts < MIN_VERDICTS)
    return {
      code: 'TOO_FEW_VERDICTS',
      message: `${MIN_VERDICTS} human verdicts on traces drawn at random are required; so far: ${Math.floor(verdicts)}.`,
    };
  if (humanPass === 0 || humanFail === 0)
    return {
      code: 'ONE_SIDED_VERDICTS',
      message: `People let ${humanPass === 0 ? 'none' : 'all'} of the traces drawn at random pass, so that one of the rates is unknown.`,
    };
  if (settled(youden) < MIN_YOUDEN)
    return {
      code: 'WEAK_JUDGE',
      message: `The rates of true positives and negatives together are ${(1 + youden).toFixed(2)}: below ${1 + MIN_YOUDEN} the judge does not predict human verdicts sufficiently.`,
    };
  return {
    truePositives: { share: truePositives / humanPass, count: humanPass },
    trueNegatives: { share: trueNegatives / humanFail, count: humanFail },
  };
}

const percentage = z.number().min(0).max(100);

export const correctedRate = z
  .object({
    rate: percentage,
    low: percentage,
    high: percentage,
    isClamped: z
      .boolean()
      .describe('True if the corrected rate was outside 0 to 100 and was limited to that range.'),
  })
  .nullable()
  .describe(
    'Estimated percentage that would pass if people judged these evals, with the 95 % confidence interval, for which an example with all its tests is one observation. Null for rules, for advisory definitions, when too few human verdicts exist, and when another version of the definition or of its judge made some of the evals.',
  );
export type CorrectedRate = z.input<typeof correctedRate>;

const Z = reach(0.95);

/** Evals of one definition, summed over the examples that they are of, and what made them. */
export interface JudgedEvals {
  sums: ClusterSums;
  /** True if the present version of the definition, by its present judge, made all of them. */
  areCurrent: boolean;
}

/** Corrects the share of evals that passed by a judge with a valid gate; null when its standing does not allow that. */
export function correctedRateOf(
  standing: JudgeStanding | undefined,
  { sums, areCurrent }: JudgedEvals,
): CorrectedRate {
  if (!standing || !areCurrent || sums.values === 0) return null;
  const rates = judgeRates(standing.random);
  if ('code' in rates) return null;
  const passed = { share: sums.sum / sums.values, count: effectiveClusters(sums) };
  const { share, low, high, isClamped } = correctedShare({ passed, ...rates }, Z);
  return { rate: percent(share), low: percent(low), high: percent(high), isClamped };
}

/** Verdict of one definition on a test. */
export interface JudgedTest extends TestRate {
  /** Version of the definition, and that of its judge. */
  version: number;
  judgeVersion: string | null;
}

/** Corrects the pass rate of tests by one definition with a valid gate. */
export const correctedRateOfTests = (
  standing: JudgeStanding | undefined,
  tests: readonly JudgedTest[],
): CorrectedRate =>
  correctedRateOf(standing, {
    sums: sumsOf(clustersOf(tests)),
    areCurrent: tests.every(({ version, judgeVersion }) => isOf(standing, { version, judgeVersion })),
  });

/** Reports whether an eval is of the version and the judge that the standing is of. */
export const isOf = (
  standing: JudgeStanding | undefined,
  { version, judgeVersion }: Pick<JudgedTest, 'version' | 'judgeVersion'>,
): boolean => standing?.of.version === version && standing.of.judgeVersion === judgeVersion;
