import { AppError } from '../../errors.ts';
import { cohensKappa, type Confusion, verdictsIn } from '../../evaluate/statistics/agreement.ts';
import { confusionOf } from '../../evaluate/statistics/judge-gate.ts';
import { reach } from '../../evaluate/statistics/normal.ts';
import { correctedShare } from '../../evaluate/statistics/rogan-gladen.ts';
import { percent, settled } from '../../evaluate/statistics/settled.ts';
import { type Interval, wilsonInterval } from '../../evaluate/statistics/wilson.ts';
import type { Database } from '../../storage/database.ts';
import { annotatorsOf } from './annotators.ts';
import { judgeRates } from './corrected-rate.ts';
import { definitions } from './record.ts';
import { MIN_VERDICTS, type Reliability, type UncorrectedReason } from './reliability-contract.ts';
import { type JudgeStanding, judgeStanding } from './standing.ts';
import { judgedByVersion } from './verdict-store.ts';

const Z = reach(0.95);
const versions = definitions.pick('version');

/** Computes how well a version of a definition (null: the current one) agrees with people. Throws `not_found`. */
function getReliability(
  database: Database,
  { application, id, version, now }: { application: number; id: string; version: number | null; now: number },
): Reliability {
  const current = versions.find(database, application, id);
  if (!current) throw new AppError('not_found', 'evaluation definition not found');
  const standing = judgeStanding(database, { application, id, version: version ?? current.version, now });
  if (standing === null)
    throw new AppError('not_found', `version ${version} of the evaluation definition not found`);
  const { of, reported, unjudged, byTrace, random, randomCounts, gate, isAdvisory } = standing;
  const confusion = confusionOf(reported);
  const { truePositives, falsePositives, falseNegatives, trueNegatives } = confusion;
  return {
    definitionId: id,
    version: of.version,
    judgeVersion: of.judgeVersion,
    isAdvisory,
    gate,
    verdicts: {
      compared: reported.length,
      tied: reported.filter(({ human }) => human === null).length,
      settled: reported.filter(({ human, isDisputed }) => isDisputed && human !== null).length,
      unjudged,
      random: randomCounts.judged,
      missing: Math.ceil(Math.max(0, MIN_VERDICTS - settled(verdictsIn(random)))),
    },
    confusion,
    agreement: rateOf(truePositives + trueNegatives, reported.length),
    kappa: kappaOf(confusion),
    annotators: annotatorsOf(byTrace),
    truePositiveRate: rateOf(truePositives, truePositives + falseNegatives),
    trueNegativeRate: rateOf(trueNegatives, trueNegatives + falsePositives),
    ...correctedPassRate(random, randomCounts, judgedByVersion(database, of)),
  };
}

function kappaOf(confusion: Confusion): Reliability['kappa'] {
  const found = cohensKappa(confusion, Z);
  return found && { value: settled(found.kappa), low: settled(found.low), high: settled(found.high) };
}

function rateOf(of: number, count: number): Reliability['agreement'] {
  if (count === 0) return null;
  return { rate: percent(of / count), ...inPercent(wilsonInterval(of / count, count)) };
}

const inPercent = ({ low, high }: Interval): Interval => ({ low: percent(low), high: percent(high) });

/** Estimates the true pass rate of all traces from those drawn at random. */
function correctedPassRate(
  random: Confusion,
  drawn: JudgeStanding['randomCounts'],
  all: { judged: number; passed: number },
): Pick<Reliability, 'correctedPassRate' | 'refusal'> {
  const rates = judgeRates(random);
  if ('code' in rates) return uncorrected(rates);
  const judged = all.judged - drawn.judged;
  const passed = all.passed - drawn.passed;
  if (judged === 0)
    return uncorrected({
      code: 'NOTHING_ELSE_JUDGED',
      message: 'All evals are of traces that people judged too.',
    });
  const { share, low, high, isClamped } = correctedShare(
    { passed: { share: passed / judged, count: judged }, ...rates },
    Z,
  );
  return {
    correctedPassRate: {
      rate: percent(share),
      ...inPercent({ low, high }),
      isClamped,
      judged,
      judgedPassRate: percent(passed / judged),
    },
    refusal: null,
  };
}

const uncorrected = (refusal: UncorrectedReason): Pick<Reliability, 'correctedPassRate' | 'refusal'> => ({
  correctedPassRate: null,
  refusal,
});

export const reliabilityQueries = { getReliability };
