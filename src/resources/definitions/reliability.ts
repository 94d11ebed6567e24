import { AppError } from '../../errors.ts';
import { DETERMINISTIC_EVALUATORS } from '../../evaluate/evaluators/deterministic.ts';
import { cohensKappa, type Confusion, verdictsIn } from '../../evaluate/statistics/agreement.ts';
import { confusionOf, judgeGate } from '../../evaluate/statistics/judge-gate.ts';
import { reach } from '../../evaluate/statistics/normal.ts';
import { correctedShare } from '../../evaluate/statistics/rogan-gladen.ts';
import { percent, settled } from '../../evaluate/statistics/settled.ts';
import { type Interval, wilsonInterval } from '../../evaluate/statistics/wilson.ts';
import type { Database } from '../../storage/database.ts';
import { gateOf, shownState } from './gate.ts';
import { definitions } from './record.ts';
import {
  MIN_VERDICTS,
  MIN_YOUDEN,
  type UncorrectedReason,
  type Reliability,
} from './reliability-contract.ts';
import { judgedByVersion, newestJudgeVersion, reportedVerdicts } from './verdict-store.ts';

const Z = reach(0.95);
const judgedDefinitions = definitions.pick('version', 'type', 'gateMinKappa', 'gateMinAnnotations');

/** Computes how well a version of a definition (null: the current one) agrees with people. Throws `not_found`. */
function getReliability(
  database: Database,
  { application, id, version: asked }: { application: number; id: string; version: number | null },
): Reliability {
  const definition = judgedDefinitions.find(database, application, id);
  if (!definition) throw new AppError('not_found', 'evaluation definition not found');
  if (asked !== null && asked > definition.version)
    throw new AppError('not_found', `version ${asked} of the evaluation definition not found`);
  const version = asked ?? definition.version;
  const ofDefinition = { application, definitionId: id, version };
  const judgeVersion = newestJudgeVersion(database, ofDefinition);
  const of = { ...ofDefinition, judgeVersion };
  const { reported, tied, unjudged } = reportedVerdicts(database, of);
  const random = reported.filter(({ isRandom }) => isRandom).toSorted((a, b) => a.since - b.since);
  const rule = gateOf(definition);
  const gate = rule && shownState(rule, judgeGate(random, rule), random.length);
  const confusion = confusionOf(reported);
  const { truePositives, falsePositives, falseNegatives, trueNegatives } = confusion;
  return {
    definitionId: id,
    version,
    judgeVersion,
    isAdvisory: !DETERMINISTIC_EVALUATORS.has(definition.type) && gate?.isValid !== true,
    gate,
    verdicts: {
      compared: reported.length,
      tied,
      unjudged,
      random: random.length,
      missing: Math.max(0, MIN_VERDICTS - random.length),
    },
    confusion,
    agreement: rateOf(truePositives + trueNegatives, reported.length),
    kappa: kappaOf(confusion),
    truePositiveRate: rateOf(truePositives, truePositives + falseNegatives),
    trueNegativeRate: rateOf(trueNegatives, trueNegatives + falsePositives),
    ...correctedPassRate(confusionOf(random), judgedByVersion(database, of)),
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
  all: { judged: number; passed: number },
): Pick<Reliability, 'correctedPassRate' | 'refusal'> {
  const { truePositives, falsePositives, falseNegatives, trueNegatives } = random;
  const verdicts = verdictsIn(random);
  const [humanPass, humanFail] = [truePositives + falseNegatives, trueNegatives + falsePositives] as const;
  const judged = all.judged - verdicts;
  const passed = all.passed - truePositives - falsePositives;
  const youden = truePositives / humanPass + trueNegatives / humanFail - 1;
  const uncorrected = (code: UncorrectedReason['code'], message: string) => ({
    correctedPassRate: null,
    refusal: { code, message },
  });
  if (verdicts < MIN_VERDICTS)
    return uncorrected(
      'TOO_FEW_VERDICTS',
      `There are ${verdicts} human verdicts on traces drawn at random; ${MIN_VERDICTS} are required.`,
    );
  if (humanPass === 0 || humanFail === 0)
    return uncorrected(
      'ONE_SIDED_VERDICTS',
      `People let ${humanPass === 0 ? 'none' : 'all'} of the traces drawn at random pass, so that one of the rates is unknown.`,
    );
  if (settled(youden) < MIN_YOUDEN)
    return uncorrected(
      'WEAK_JUDGE',
      `The rates of true positives and negatives together are ${(1 + youden).toFixed(2)}: below ${1 + MIN_YOUDEN} the judge does not predict human verdicts sufficiently.`,
    );
  if (judged === 0)
    return uncorrected('NOTHING_ELSE_JUDGED', 'All evals are of traces that people judged too.');
  const { share, low, high, isClamped } = correctedShare(
    {
      passed: { share: passed / judged, count: judged },
      truePositives: { share: truePositives / humanPass, count: humanPass },
      trueNegatives: { share: trueNegatives / humanFail, count: humanFail },
    },
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

export const reliabilityQueries = { getReliability };
